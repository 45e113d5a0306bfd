/** What a card may do to the conversation it stands in: ask and prefill. Where there is none, its buttons do nothing. */
"use client";
import { createContext } from "react";

export interface CardActions {
  /** A turn is running, so nothing can be sent. */
  running: boolean;
  /** Sends as the composer does. True only when the message was taken. */
  send(prompt: string): Promise<boolean>;
  /** Puts a question into the composer and sends nothing. */
  prefill(question: string): void;
}

export const CardActionsContext = createContext<CardActions>({
  running: true,
  send: async () => false,
  prefill: () => {},
});
