/** The visitor's own sessions, newest first, as the server has them now. */
"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import type { SessionSummary } from "../../../../shared/contracts/agent";
import { deleteSession, listSessions } from "./agent-api";

export interface Sessions {
  /** Null: not known yet. */
  list: readonly SessionSummary[] | null;
  failed: boolean;
  refresh(): void;
  /** "gone" also when it was gone already. */
  remove(id: string): Promise<"gone" | "busy" | "failed">;
}

export function useSessions(): Sessions {
  const [list, setList] = useState<readonly SessionSummary[] | null>(null);
  const [failed, setFailed] = useState(false);
  const newest = useRef(0);

  const refresh = useCallback(async () => {
    const request = ++newest.current;
    const result = await listSessions();
    // An older answer that arrives late must not undo a newer one.
    if (request !== newest.current) return;
    setFailed(!result.ok);
    if (result.ok) setList(result.value.sessions);
  }, []);

  const remove = useCallback(
    async (id: string) => {
      const result = await deleteSession(id);
      if (!result.ok && result.code !== "not_found") return result.code === "turn_running" ? "busy" : "failed";
      setList((sessions) => sessions?.filter((session) => session.id !== id) ?? null);
      void refresh();
      return "gone";
    },
    [refresh],
  );

  useEffect(() => void refresh(), [refresh]);

  return { list, failed, refresh, remove };
}
