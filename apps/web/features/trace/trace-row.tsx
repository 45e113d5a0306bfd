/** One row of the timeline: mark, name, time, and the details under it when open. Redrawn only when its own item changes. */
import { useTranslations } from "next-intl";
import { memo } from "react";
import type { TraceMode, TraceRow as RecordedRow } from "../../../../shared/trace-events";
import { LiveClock } from "./live-clock";
import { FoldMark, type GlyphName, ModeGlyph } from "./mode-glyph";
import { RowBars } from "./row-bars";
import { RowDetails } from "./row-details";
import { RowHint } from "./row-hint";
import { formatDuration } from "./time-scale";
import styles from "./trace-row.module.css";
import type { TraceItem, TraceTurn } from "./trace-model";
import type { VisibleRow } from "./visible-rows";

export interface TraceRowProps extends VisibleRow {
  /** Place among the rows of the turn, from 1; said because the neighbours may not be drawn. */
  place: number;
  /** In the tab order: one row of a turn is. */
  reachable: boolean;
  /** The turn and its clock while this row is happening now; null otherwise. */
  live: { turn: TraceTurn; clockOffsetMs: number | null } | null;
  running: boolean;
  onToggle: (key: string, open: boolean) => void;
  onReach: (key: string, trip: string | null) => void;
  onAskWhy: (item: TraceItem) => void;
  onShowInChat: (link: string) => void;
  /** Absent where there is no chain to go to. */
  onShowInChain?: (row: RecordedRow) => void;
}

export const TraceRow = memo(function TraceRow(props: TraceRowProps) {
  const { item, open, link, jump, trip, place, reachable, live, running } = props;
  const { onToggle, onReach, onAskWhy, onShowInChat, onShowInChain } = props;
  const stopped = item.kind === "event" && item.blockedBy !== null;
  const look = [
    styles.row,
    styles[`depth${item.kind === "trip" ? 0 : item.depth}`],
    item.kind === "trip" ? styles.trip : "",
    live !== null && item.kind !== "trip" ? styles.now : "",
    stopped ? styles.stopped : "",
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: stretches stand between list and items, which an <ol> does not allow
    <div role="listitem" aria-posinset={place} aria-setsize={-1}>
      <button
        type="button"
        className={look.join(" ")}
        aria-expanded={open}
        aria-keyshortcuts={jump === null ? "W" : "L W"}
        tabIndex={reachable ? 0 : -1}
        data-trace-row={item.key}
        data-at={item.kind === "event" ? item.atMs : item.startMs}
        data-jump={jump ?? undefined}
        data-link-row={link ?? undefined}
        data-tone={toneOf(item, live !== null)}
        onClick={() => onToggle(item.key, !open)}
        onFocus={() => onReach(item.key, trip)}
      >
        {item.kind === "trip" ? <FoldMark open={open} className={styles.fold} /> : <Mark item={item} />}
        <span className={styles.name}>
          <RowName item={item} />
          <span className={`${styles.hint} cut`}>
            <RowHint item={item} />
          </span>
        </span>
        <span className={styles.axis} aria-hidden="true">
          <RowBars item={item} running={running} />
        </span>
        <span className={styles.took}>
          <Took item={item} live={live} running={running} />
        </span>
      </button>
      {open && item.kind !== "trip" ? (
        <RowDetails
          item={item}
          onAskWhy={() => onAskWhy(item)}
          onShowInChat={jump === null ? undefined : () => onShowInChat(jump)}
          onShowInChain={onShowInChain}
        />
      ) : null}
    </div>
  );
});

function Mark({ item }: { item: Exclude<TraceItem, { kind: "trip" }> }) {
  const t = useTranslations("trace");
  const glyph = glyphOf(item);
  const word = glyph in OUTCOMES ? t(OUTCOMES[glyph as keyof typeof OUTCOMES]) : t(`mode.${glyph as TraceMode}.name`);
  return (
    <>
      <span className={styles.glyph} title={word}>
        <ModeGlyph name={glyph} />
      </span>
      <span className="sr-only">{word}</span>
    </>
  );
}

/** What a mark says that stands for no mode. */
const OUTCOMES = { tool: "toolCall", blocked: "stoppedCall", failed: "failedCall" } as const;

export function glyphOf(item: Exclude<TraceItem, { kind: "trip" }>): GlyphName {
  if (item.kind === "tool") return item.blockedBy !== null ? "blocked" : item.failed ? "failed" : "tool";
  if (item.kind === "run") return item.mode;
  return item.blockedBy === null ? item.row.mode : "blocked";
}

/** The name that the kernel gave; a round trip has none, and a phase of a call is said in words. */
export function RowName({ item }: { item: TraceItem }) {
  const t = useTranslations("trace");
  if (item.kind === "trip") return <span>{t("roundTrip", { number: item.number })}</span>;
  if (item.kind === "tool") return <span dir="auto">{item.name}</span>;
  if (item.kind === "event") return <span dir="auto">{item.row.eventType}</span>;
  const { phase, eventType } = item;
  if (phase === null) return <span dir="auto">{eventType}</span>;
  return <span className={styles.phase}>{isPhase(phase) ? t(`phase.${phase}`) : phase}</span>;
}

/** Phases that this page has words for; any other is shown by its key. */
const PHASES = [
  ...(["validated", "submitted", "running", "finished"] as const),
  ...(["request", "accepted", "searching", "composing"] as const),
  ...(["generating", "receiving", "decoding", "saving"] as const),
];
const isPhase = (phase: string): phase is (typeof PHASES)[number] => PHASES.some((known) => known === phase);

/** Whether the item is happening now, as long as its turn runs. */
export function isHappening(item: TraceItem): boolean {
  if (item.kind === "event") return item.waiting;
  if (item.kind === "run") return item.open;
  return item.endMs === null;
}

export function toneOf(item: TraceItem, live: boolean): "danger" | "live" | undefined {
  if (item.kind === "tool" && (item.failed || item.blockedBy !== null)) return "danger";
  return live ? "live" : undefined;
}

function Took({ item, live, running }: Pick<TraceRowProps, "item" | "live" | "running">) {
  const t = useTranslations("trace");
  if (live !== null && item.kind !== "trip") {
    return <LiveClock {...live} fromMs={item.kind === "event" ? item.atMs : item.startMs} />;
  }
  const ms = durationOf(item);
  const unfinished = running && (item.kind === "trip" || item.kind === "tool") && item.endMs === null;
  if (ms === undefined || unfinished) return null;
  return ms === null ? (
    <>
      <span aria-hidden="true">-</span>
      <span className="sr-only">{t("unknownDuration")}</span>
    </>
  ) : (
    formatDuration(ms)
  );
}

/** Undefined: there is no pair that could have a duration. Null: there is one, and half of it is missing. */
function durationOf(item: TraceItem): number | null | undefined {
  if (item.kind === "event") return item.waitedFromMs === null ? undefined : item.atMs - item.waitedFromMs;
  if (item.kind === "run") return item.rows.length > 1 ? item.durationMs : undefined;
  // A blocked call never ran: the time between its events is no duration of its own.
  if (item.kind === "tool" && item.blockedBy !== null) return undefined;
  return item.durationMs;
}
