/**
 * The clock of a running turn. It runs on the server's time, as far as the events have told it, so that a bar that
 * grows now and the event that ends it meet. Only what shows the clock is drawn again; rows are not.
 */
import { useEffect, useRef, useState, type RefObject } from "react";
import { onTicks } from "../../lib/ticks";
import { formatDuration } from "./time-scale";
import type { TraceTurn } from "./trace-model";

const TICK_MS = 100;
export const REDUCED = "(prefers-reduced-motion: reduce)";

/** Milliseconds from the first event of the turn to now; never before its last event. */
export function turnNowMs(turn: TraceTurn, clockOffsetMs: number | null, pageNowMs: number): number {
  return clockOffsetMs === null ? turn.lastMs : Math.max(turn.lastMs, pageNowMs + clockOffsetMs - turn.startedAtMs);
}

/** Calls `onTick` now and ten times a second while `running`; with reduced motion, now and when an event arrived. */
function useTicks(running: boolean, turn: TraceTurn, clockOffsetMs: number | null, onTick: (nowMs: number) => void) {
  const latest = useRef({ turn, clockOffsetMs });
  latest.current = { turn, clockOffsetMs };
  // An event does not begin the wait for the next tick anew: events may come faster than ticks.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onTick` writes to refs and state setters, which are stable
  useEffect(() => {
    if (!running || matchMedia(REDUCED).matches) return;
    const tick = () => onTick(turnNowMs(latest.current.turn, latest.current.clockOffsetMs, Date.now()));
    tick();
    return onTicks(TICK_MS, tick);
  }, [running]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    if (running && matchMedia(REDUCED).matches) onTick(turn.lastMs);
  }, [running, turn.lastMs]);
}

/** Where the style sheet reads the clock from: the marks that reach up to now. */
export const NOW = { "data-now": "" };

/**
 * Keeps `--now` of the marks with `NOW` in the element at the turn's clock; the bars and the now-line are drawn from it by
 * CSS alone. Not of the element itself nor of rows: the style of whatever is inside would be computed at each tick.
 */
export function useNowLine(
  element: RefObject<HTMLElement | null>,
  running: boolean,
  turn: TraceTurn,
  clockOffsetMs: number | null,
): void {
  useTicks(running, turn, clockOffsetMs, (nowMs) => {
    for (const mark of element.current?.querySelectorAll<HTMLElement>("[data-now]") ?? []) {
      mark.style.setProperty("--now", String(Math.round(nowMs)));
    }
  });
}

export interface LiveClockProps {
  turn: TraceTurn;
  clockOffsetMs: number | null;
  /** Counts from here, in milliseconds from the start of the turn. */
  fromMs: number;
}

/** Time since `fromMs`, in green: it is still being spent. */
export function LiveClock({ turn, clockOffsetMs, fromMs }: LiveClockProps) {
  const [nowMs, setNowMs] = useState(turn.lastMs);
  useTicks(true, turn, clockOffsetMs, setNowMs);
  return (
    <span className="text-live" data-live-clock="">
      {formatDuration(Math.max(0, nowMs - fromMs))}
    </span>
  );
}
