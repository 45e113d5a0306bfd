/**
 * The trace of one session, live. Follows the stream while the tab is visible and something may come: a browser has six
 * connections to a site for all its tabs, so a page that has caught up and runs no turn gives its own back. Gathers the
 * rows of one frame of the screen into one state change, and forgets everything when the session changes.
 */
import { useCallback, useEffect, useMemo, useReducer, useRef, useState, useSyncExternalStore } from "react";
import { LIMITS } from "../../../../shared/limits";
import type { TraceRow } from "../../../../shared/trace-events";
import { readRow } from "./event-facts";
import { followTrace } from "./follow-trace";
import { addRows, EMPTY_TRACE, type TraceState } from "./reduce";
import type { TraceConnection, TraceView } from "./trace-model";

type Action =
  | { kind: "rows"; rows: TraceRow[]; receivedAtMs: number; sessionId: string }
  | { kind: "reset"; sessionId: string | null };
interface Held {
  sessionId: string | null;
  trace: TraceState;
}

function reduce(held: Held, action: Action): Held {
  if (action.kind === "reset") {
    return action.sessionId === held.sessionId ? held : { sessionId: action.sessionId, trace: EMPTY_TRACE };
  }
  if (action.sessionId !== held.sessionId) return held;
  const trace = addRows(held.trace, action.rows, action.receivedAtMs);
  return trace === held.trace ? held : { ...held, trace };
}

/** `sessionId` null: nothing is open, nothing is fetched. `running`: a turn of this page's conversation is. */
export function useTrace(sessionId: string | null, running: boolean): TraceView {
  const [held, dispatch] = useReducer(reduce, { sessionId, trace: EMPTY_TRACE });
  const [connection, setConnection] = useState<TraceConnection>("idle");
  const [attempt, setAttempt] = useState(0);
  const visible = useVisible();
  const [resting, setResting] = useState(false);
  const awake = visible && (running || !resting);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these is a reason to look again
  useEffect(() => setResting(false), [sessionId, visible, running, attempt]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a row that came begins the wait anew
  useEffect(() => {
    if (running || connection !== "live") return;
    const timer = setTimeout(() => setResting(true), LIMITS.traceRestMs);
    return () => clearTimeout(timer);
  }, [running, connection, held.trace.lastSeq]);

  // Read by the connection the moment it resumes, which may be before the rows in hand are drawn.
  const received = useRef({ sessionId, lastSeq: -1 });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` is how a reader asks for a new connection
  useEffect(() => {
    dispatch({ kind: "reset", sessionId });
    if (received.current.sessionId !== sessionId) received.current = { sessionId, lastSeq: -1 };
    if (sessionId === null || !awake) return setConnection("idle");
    const stop = new AbortController();
    const batch = rowBatch((rows) => dispatch({ kind: "rows", rows, receivedAtMs: Date.now(), sessionId }));
    void followTrace(
      {
        sessionId,
        clientId: tabId(),
        lastSeq: () => received.current.lastSeq,
        onRow: (value) => {
          const row = readRow(value);
          if (row === null) return;
          received.current.lastSeq = Math.max(received.current.lastSeq, row.seq);
          batch.add(row);
        },
        onConnection: setConnection,
        fetch: (url, init) => fetch(url, init),
        wait: waitFor,
      },
      stop.signal,
    );
    return () => {
      stop.abort();
      batch.flush();
    };
  }, [sessionId, awake, attempt]);

  const reconnect = useCallback(() => setAttempt((count) => count + 1), []);
  const trace = held.sessionId === sessionId ? held.trace : EMPTY_TRACE;
  return useMemo(() => ({ ...trace, connection, reconnect }), [trace, connection, reconnect]);
}

/** Hands over what was added since the last frame of the screen; `flush` does so at once. */
function rowBatch(onRows: (rows: TraceRow[]) => void) {
  let pending: TraceRow[] = [];
  let frame = 0;
  const flush = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    const rows = pending;
    pending = [];
    if (rows.length > 0) onRows(rows);
  };
  const add = (row: TraceRow) => {
    pending.push(row);
    if (frame === 0) frame = requestAnimationFrame(flush);
  };
  return { add, flush };
}

function useVisible(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      document.addEventListener("visibilitychange", onChange);
      return () => document.removeEventListener("visibilitychange", onChange);
    },
    () => document.visibilityState === "visible",
    () => true,
  );
}

const TAB_KEY = "xray.trace-client";

/** This tab's name on the trace stream; lives as long as the tab (§5.1). Storage that is off costs only the takeover. */
function tabId(): string {
  try {
    const kept = sessionStorage.getItem(TAB_KEY);
    if (kept !== null) return kept;
    const fresh = randomId();
    sessionStorage.setItem(TAB_KEY, fresh);
    return fresh;
  } catch {
    return randomId();
  }
}

/** `crypto.randomUUID` is missing on plain http away from localhost; `getRandomValues` is not. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
