/** The conversations that were open in this tab since it was loaded, for the search; at most `LIMITS.searchSessions`. */
"use client";
import { useCallback, useEffect, useRef } from "react";
import { LIMITS } from "../../../../shared/limits";
import type { ChatState, ChatTurn } from "./chat-model";

/** Returns how to look one up; a session that was not open has no turns. */
export function useOpened({ sessionId, turns }: ChatState): (sessionId: string) => readonly ChatTurn[] {
  const opened = useRef(new Map<string, readonly ChatTurn[]>());
  useEffect(() => {
    if (sessionId === null) return;
    const map = opened.current;
    map.delete(sessionId);
    map.set(sessionId, turns);
    if (map.size > LIMITS.searchSessions) map.delete(map.keys().next().value!);
  }, [sessionId, turns]);
  return useCallback((id) => opened.current.get(id) ?? [], []);
}
