/**
 * Stepping back through what was recorded: while it is on, all views draw the trace as it stood after one event. New
 * events go on arriving behind it; leaving shows the present again. A session that changes ends it.
 */
"use client";
import { useCallback, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { cutTrace } from "./cut-trace";
import type { TraceView } from "./trace-model";
import { type PlacedRow, placeRows } from "./place-rows";

export interface Replay {
  rows: readonly PlacedRow[];
  /** Index into `rows` of the last event that is drawn. */
  at: number;
  /** Goes there, or to the nearest end. */
  goTo: (at: number) => void;
  leave: () => void;
}

export interface ReplayControl {
  /** What is drawn: the present, or the past that was gone to. */
  view: TraceView;
  /** Null: the present. */
  replay: Replay | null;
  /** From the last event on. */
  start: () => void;
}

export function useReplay(trace: TraceView, sessionId: string | null): ReplayControl {
  const [held, setHeld] = useState<{ sessionId: string | null; seq: number } | null>(null);
  const seq = held !== null && held.sessionId === sessionId && trace.turns.length > 0 ? held.seq : null;
  const isOn = seq !== null;
  const { turns, lastSeq } = trace;

  const rows = useMemo(() => (isOn ? placeRows(turns) : []), [isOn, turns]);
  const view = useMemo(() => (seq === null ? trace : { ...trace, ...cutTrace(trace, seq) }), [trace, seq]);
  const leave = useCallback(() => showThenFocus(() => setHeld(null), "[data-replay-start]"), []);
  const start = useCallback(
    () => showThenFocus(() => setHeld({ sessionId, seq: lastSeq }), "[data-replay] input"),
    [sessionId, lastSeq],
  );
  const replay = useMemo(() => {
    if (seq === null) return null;
    const goTo = (at: number) => {
      const to = rows[Math.min(Math.max(at, 0), rows.length - 1)];
      if (to !== undefined) setHeld({ sessionId, seq: to.row.seq });
    };
    return { rows, at: rows.findLastIndex(({ row }) => row.seq <= seq), goTo, leave };
  }, [seq, rows, sessionId, leave]);
  return { view, replay, start };
}

/** The button that was pressed goes away; the focus goes to what came for it, in the sheet when that lies over the stage. */
function showThenFocus(change: () => void, selector: string): void {
  flushSync(change);
  [...document.querySelectorAll<HTMLElement>(selector)].at(-1)?.focus();
}
