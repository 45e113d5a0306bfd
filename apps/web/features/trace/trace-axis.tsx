/**
 * The time axis. One scale for everything in view: it holds the longest turn that can be seen, and is rescaled when
 * another comes into view or the running one outgrows it. It is handed down as `--span` to the turns in view, since the
 * style of whatever gets it is computed anew; their rows follow by style alone.
 */
import { useCallback, useEffect, useLayoutEffect, useState, type ReactNode, type RefObject } from "react";
import { REDUCED, turnNowMs } from "./live-clock";
import { axisSpanMs, axisTicks } from "./time-scale";
import styles from "./trace-axis.module.css";
import chart from "./trace.module.css";
import type { TraceTurn } from "./trace-model";
import { turnKey, useVisibleTurns } from "./visible-turns";

export interface TraceAxisProps {
  turns: readonly TraceTurn[];
  /** Null while no turn runs. */
  runningTurnSeq: number | null;
  clockOffsetMs: number | null;
  /** The scroller that holds the rows. */
  root: RefObject<HTMLElement | null>;
  /** Stands over the names. */
  children?: ReactNode;
}

export function TraceAxis({ turns, runningTurnSeq, clockOffsetMs, root, children }: TraceAxisProps) {
  const visible = useVisibleTurns(root, turns);
  const running = turns.find(({ turnSeq }) => turnSeq !== null && turnSeq === runningTurnSeq);
  const nowMs = useSlowNow(running, clockOffsetMs);
  const timed = turns.filter(({ turnSeq }) => turnSeq !== null);
  const inView = timed.filter(({ turnSeq }) => visible.has(turnKey(turnSeq)));
  const measured = inView.length > 0 ? inView : timed.slice(-1);
  const spanMs = axisSpanMs(
    Math.max(0, ...measured.map((turn) => (turn === running ? Math.max(nowMs, turn.lastMs) : turn.lastMs))),
  );

  // With the ticks, before they are painted; and once more after the first paint, since the scroller stands above this
  // component and its ref is set only after the first layout effect here. While no turn is known to be in view, all are.
  const apply = useCallback(() => {
    for (const turn of root.current?.querySelectorAll<HTMLElement>("[data-trace-turn]") ?? []) {
      if (visible.size === 0 || visible.has(turn.dataset.traceTurn!)) turn.style.setProperty("--span", String(spanMs));
      else turn.style.removeProperty("--span");
    }
  }, [root, spanMs, visible]);
  useLayoutEffect(apply, [apply]);
  useEffect(apply, [apply]);
  return (
    <div className={`${styles.axisBar} ${chart.columns}`}>
      {children}
      <div className={styles.ticks} aria-hidden="true">
        {axisTicks(spanMs).map(({ at, label }) => (
          <span key={at} style={{ left: `${at * 100}%` }}>
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Twice a second is often enough to outgrow a scale. With reduced motion the bars wait for the next event, and so does this. */
function useSlowNow(running: TraceTurn | undefined, clockOffsetMs: number | null): number {
  const [nowMs, setNowMs] = useState(0);
  useEffect(() => {
    if (running === undefined || matchMedia(REDUCED).matches) return setNowMs(0);
    const timer = setInterval(() => setNowMs(turnNowMs(running, clockOffsetMs, Date.now())), 500);
    return () => clearInterval(timer);
  }, [running, clockOffsetMs]);
  return nowMs;
}
