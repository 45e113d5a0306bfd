/** Sending from a card: once, and locked only when the message really went (§24.5). A reload forgets it. */
"use client";
import { useContext, useRef, useState } from "react";
import { CardActionsContext } from "./card-actions";

export interface SendOnce {
  sent: boolean;
  /** A click sends now. */
  ready: boolean;
  /** True when it went. An empty message goes nowhere. */
  send(message: string): Promise<boolean>;
}

export function useSendOnce(): SendOnce {
  const { running, send } = useContext(CardActionsContext);
  const [sent, setSent] = useState(false);
  // Two clicks may come before the first render that knows of either.
  const taken = useRef(false);
  return {
    sent,
    ready: !running && !sent,
    send: async (message) => {
      if (running || taken.current || message === "") return false;
      taken.current = true;
      const went = await send(message);
      taken.current = went;
      setSent(went);
      return went;
    },
  };
}
