/** Phone: the trace in one line above the composer. It never leaves, and opens the sheet. */
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { isStreaming } from "./event-facts";
import { LiveClock } from "./live-clock";
import { ModeGlyph } from "./mode-glyph";
import { formatCount, formatDuration } from "./time-scale";
import styles from "./trace-sheet.module.css";
import type { TraceTurn, TraceView } from "./trace-model";
import { useTraceSentence } from "./trace-notice";

export interface TraceLineProps {
  view: TraceView;
  runningTurnSeq: number | null;
  onOpen: () => void;
}

/** A finger that has moved this far up opens the sheet; less is a tap. */
const SWIPE_PX = 24;

export function TraceLine({ view, runningTurnSeq, onOpen }: TraceLineProps) {
  const t = useTranslations("trace");
  const sentence = useTraceSentence(view);
  const turn = view.turns.at(-1);
  const touchedAt = useRef<number | null>(null);
  const running = turn !== undefined && turn.turnSeq !== null && turn.turnSeq === runningTurnSeq;
  return (
    <button
      type="button"
      className={styles.line}
      aria-haspopup="dialog"
      onClick={onOpen}
      onPointerDown={(event) => {
        touchedAt.current = event.clientY;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={({ clientY }) => {
        if (touchedAt.current === null || touchedAt.current - clientY < SWIPE_PX) return;
        touchedAt.current = null;
        onOpen();
      }}
      onPointerUp={() => {
        touchedAt.current = null;
      }}
    >
      <span className="sr-only">{t("line.open")}</span>
      <i
        className={`lamp ${view.connection === "failed" ? "is-bad" : running && view.connection === "live" ? "is-on" : ""}`}
      />
      {sentence !== null || turn === undefined ? (
        <span className={`${styles.last} ${styles.idle}`}>{sentence ?? t("line.waiting")}</span>
      ) : (
        <LastEvent turn={turn} />
      )}
      <span className="num text-ink-3">
        {turn === undefined ? (
          "0"
        ) : running ? (
          <LiveClock turn={turn} clockOffsetMs={view.clockOffsetMs} fromMs={0} />
        ) : (
          formatDuration(turn.durationMs)
        )}
      </span>
      <svg className={styles.up} width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        <path d="M1 7.5 5 2.5l4 5z" />
      </svg>
    </button>
  );
}

function LastEvent({ turn }: { turn: TraceTurn }) {
  const row = turn.rows.at(-1)!;
  const count = isStreaming(row) ? lastRunCount(turn) : 1;
  return (
    <span className={styles.last}>
      <ModeGlyph name={row.mode} />
      <span className="cut">
        {row.eventType}
        {count > 1 ? ` ×${formatCount(count)}` : ""}
      </span>
    </span>
  );
}

/** How many events the run has that the last row belongs to. */
function lastRunCount(turn: TraceTurn): number {
  const row = turn.rows.at(-1)!;
  for (const item of turn.items.toReversed()) {
    const inner = item.kind === "trip" ? item.children : [item];
    const runs = inner.flatMap((child) => (child.kind === "tool" ? child.children : [child]));
    const run = runs.findLast((child) => child.kind === "run" && child.rows.at(-1) === row);
    if (run?.kind === "run") return run.count;
  }
  return 1;
}
