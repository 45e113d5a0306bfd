/** The trace of one turn: its header on the hairline it shares with the chat, then its rows as a list with one tab stop. */
import { useTranslations } from "next-intl";
import {
  memo,
  useCallback,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { Stay } from "../../ui/stay";
import { focusChatElement, moveBetweenRows } from "./links";
import { LiveClock, useNowLine } from "./live-clock";
import { axisSpanMs, formatDuration } from "./time-scale";
import { FoldMark } from "./mode-glyph";
import { TraceRow } from "./trace-row";
import styles from "./trace.module.css";
import type { TraceItem, TraceTurn } from "./trace-model";
import { turnKey } from "./visible-turns";
import { visibleRows } from "./visible-rows";
import { whyText } from "./why-text";

export interface TurnTraceProps {
  turn: TraceTurn;
  /** This is the turn that is happening now. */
  running: boolean;
  clockOffsetMs: number | null;
  /** Puts the question into the composer. */
  onAskWhy: (question: string) => void;
  /** Called before the focus leaves for the chat, so that whatever covers it can close. */
  onLeave?: () => void;
  /** What follows the last row: a connection notice. */
  children?: ReactNode;
}

export const TurnTrace = memo(function TurnTrace(props: TurnTraceProps) {
  const { turn, running, clockOffsetMs, onAskWhy, onLeave, children } = props;
  const t = useTranslations("trace");
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(() => new Map());
  const [reached, setReached] = useState<string | null>(null);
  const root = useRef<HTMLDivElement>(null);
  useNowLine(root, running, turn, clockOffsetMs);

  const rows = useMemo(() => visibleRows(turn, choices), [turn, choices]);
  const outside = turn.turnSeq === null;
  const [shown, setShown] = useState(!outside);
  const reachable = rows.some(({ item }) => item.key === reached) ? reached : rows[0]?.item.key;

  const toggle = useCallback(
    (key: string, open: boolean) => setChoices((before) => new Map(before).set(key, open)),
    [],
  );
  const { number } = turn;
  const askWhy = useCallback((item: TraceItem) => onAskWhy(whyText(number, item, t)), [onAskWhy, number, t]);
  const showInChat = useCallback(
    (link: string) => {
      onLeave?.();
      // The chat may come back only with the next frame, when what covered it is gone.
      requestAnimationFrame(() => focusChatElement(document, link));
    },
    [onLeave],
  );

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>("[data-trace-row]");
    if (row === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const item = rows.find((visible) => visible.item.key === row.dataset.traceRow)?.item;
    const jump = row.dataset.jump;
    const key = event.key.toLowerCase();
    if (key === "l" && jump !== undefined) showInChat(jump);
    else if (key === "w" && item !== undefined) askWhy(item);
    else if (!moveBetweenRows(row, event.key)) return;
    event.preventDefault();
  };

  const own = { "--own-span": axisSpanMs(turn.lastMs) } as CSSProperties;
  const label = turn.number === null ? t("rowsOutside") : t("rowsOf", { number: turn.number });
  return (
    <div
      ref={root}
      className={`${styles.turn} ${styles.columns} ${outside ? styles.timeless : ""}`}
      style={own}
      data-trace-turn={turnKey(turn.turnSeq)}
    >
      <div className={styles.paper} aria-hidden="true">
        <i />
      </div>
      {outside ? (
        <OutsideHead turn={turn} open={shown} onOpenChange={setShown} />
      ) : (
        <TurnHead turn={turn} running={running} clockOffsetMs={clockOffsetMs} />
      )}
      <Stay className={styles.stay}>
        {/* The keys belong to the buttons inside; the list hears them for all of them. */}
        <ol className={styles.rows} aria-label={label} onKeyDown={onKeyDown} hidden={!shown}>
          {(shown ? rows : []).map((row) => (
            <TraceRow
              key={row.item.key}
              {...row}
              reachable={row.item.key === reachable}
              running={running}
              live={running && isHappening(row.item) ? { turn, clockOffsetMs } : null}
              onToggle={toggle}
              onReach={setReached}
              onAskWhy={askWhy}
              onShowInChat={showInChat}
            />
          ))}
        </ol>
        {children}
      </Stay>
      {running ? (
        <div className={styles.nowLayer} aria-hidden="true">
          <i />
        </div>
      ) : null}
    </div>
  );
});

function isHappening(item: TraceItem): boolean {
  if (item.kind === "event") return item.waiting;
  if (item.kind === "run") return item.open;
  return item.endMs === null;
}

function TurnHead({ turn, running, clockOffsetMs }: Pick<TurnTraceProps, "turn" | "running" | "clockOffsetMs">) {
  const t = useTranslations("trace");
  const counts = [
    turn.roundTrips > 0 ? t("roundTrips", { count: turn.roundTrips }) : null,
    turn.toolCalls > 0 ? t("toolCalls", { count: turn.toolCalls }) : null,
    t("events", { count: turn.eventCount }),
  ].filter((part) => part !== null);
  return (
    <header className={styles.turnHead}>
      <h3 className="cut">
        <b>{t("turn", { number: turn.number ?? 0 })}</b>
        <span>{counts.join(" · ")}</span>
      </h3>
      <span className="num">
        <span className="sr-only">{t("turnClock")} </span>
        {running ? <LiveClock turn={turn} clockOffsetMs={clockOffsetMs} fromMs={0} /> : formatDuration(turn.durationMs)}
      </span>
    </header>
  );
}

/** Events of the session itself, such as its start: one folded line, since they have no place on the clock of a turn. */
function OutsideHead(props: { turn: TraceTurn; open: boolean; onOpenChange: (open: boolean) => void }) {
  const { turn, open, onOpenChange } = props;
  const t = useTranslations("trace");
  return (
    <header className={styles.turnHead}>
      <h3>
        <button type="button" aria-expanded={open} onClick={() => onOpenChange(!open)}>
          <FoldMark open={open} className={styles.fold} />
          <b>{t("outside")}</b>
          <span>{t("events", { count: turn.eventCount })}</span>
        </button>
      </h3>
    </header>
  );
}
