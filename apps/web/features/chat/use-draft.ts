/**
 * The composer's text. What the visitor writes is kept as a draft of the session that is open; a text that comes from
 * elsewhere (a link, a card, a question asked before) becomes one only once it is edited (§26).
 */
"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import { adoptDraft, keepDraft, recallDraft } from "./drafts";

export interface Draft {
  text: string;
  /** The text is a question that was asked before. */
  again: boolean;
  /** The visitor has written this. */
  write(text: string): void;
  /** Shows a text that the visitor has not written. */
  put(text: string, again?: boolean): void;
  /** Shows what was written in another session, or in the new conversation. */
  recall(sessionId: string | null): void;
  /** A message was not taken: it comes back, and what was written meanwhile stays too. */
  giveBack(message: string): void;
  /** Takes the text along into a new conversation. */
  carry(): void;
}

export interface DraftPlace {
  /** The session that is open or being opened. */
  currentId: string | null;
  /** The session that is open. */
  sessionId: string | null;
  running: boolean;
}

export function useDraft({ currentId, sessionId, running }: DraftPlace): Draft {
  const [{ text, again }, setShown] = useState({ text: "", again: false });
  const latest = useRef(text);
  const show = useCallback((next: string, isAgain: boolean) => {
    latest.current = next;
    setShown({ text: next, again: isAgain && next !== "" });
  }, []);

  // What was written while the first turn ran belongs to the session that it opened.
  const wasUnnamed = useRef(false);
  useEffect(() => {
    if (wasUnnamed.current && sessionId !== null) adoptDraft(sessionId);
    wasUnnamed.current = running && sessionId === null;
  }, [sessionId, running]);

  const write = (next: string) => {
    show(next, again);
    keepDraft(currentId, next);
  };
  return {
    text,
    again,
    write,
    put: useCallback((next: string, isAgain = false) => show(next, isAgain), [show]),
    recall: useCallback((id: string | null) => show(recallDraft(id), false), [show]),
    giveBack: (message) => write(latest.current === "" ? message : `${message}\n${latest.current}`),
    carry: () => {
      keepDraft(currentId, "");
      keepDraft(null, text);
      show(text, false);
    },
  };
}
