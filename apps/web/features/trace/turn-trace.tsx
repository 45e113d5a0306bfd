/** The trace of one turn: its header on the hairline it shares with the chat, then its rows as a list with one tab stop. */
import { useTranslations } from "next-intl";
import {
  memo,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import type { TraceRow } from "../../../../shared/trace-events";
import { Stay } from "../../ui/stay";
import { type Choices, KeptChoices } from "./kept-choices";
import { focusChatElement, focusFilter, moveBetweenRows } from "./links";
import { LiveClock, NOW, useNowLine } from "./live-clock";
import { axisSpanMs, formatDuration } from "./time-scale";
import { FoldMark } from "./mode-glyph";
import { RowStretch } from "./row-stretch";
import type { TraceFilter } from "./trace-filter";
import { isHappening } from "./trace-row";
import styles from "./trace.module.css";
import type { TraceItem, TraceTurn } from "./trace-model";
import { TurnFoot } from "./turn-foot";
import { turnKey } from "./visible-turns";
import { type VisibleRow, visibleRows } from "./visible-rows";
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
  /** Shows an event on its way through the handlers; absent where that cannot be shown. */
  onShowInChain?: (row: TraceRow) => void;
  /** What is left out; by default nothing. */
  filter?: TraceFilter;
  /** The reader follows the end. While not, nothing folds under the reader's eyes. */
  following?: boolean;
  /** What follows the last row: a connection notice. */
  children?: ReactNode;
}

export const TurnTrace = memo(function TurnTrace(props: TurnTraceProps) {
  const { turn, running, clockOffsetMs, onAskWhy, onLeave, onShowInChain, filter, following = true, children } = props;
  const t = useTranslations("trace");
  const kept = useContext(KeptChoices);
  const [choices, setChoices] = useState<Choices>(() => kept?.get(turn.turnSeq) ?? new Map());
  useEffect(() => void kept?.set(turn.turnSeq, choices), [kept, turn.turnSeq, choices]);
  const [reached, setReached] = useState<string | null>(null);
  const root = useRef<HTMLDivElement>(null);
  useNowLine(root, running, turn, clockOffsetMs);

  const [openFrom, setOpenFrom] = useState(turn.roundTrips);
  if (following && openFrom !== turn.roundTrips) setOpenFrom(turn.roundTrips);
  const { rows, filteredEvents, homeless } = useMemo(
    () => visibleRows(turn, { choices, openFrom, filter }),
    [turn, choices, openFrom, filter],
  );
  const stretches = useMemo(() => stretchesOf(rows), [rows]);
  const outside = turn.turnSeq === null;
  const [shown, setShown] = useState(!outside);
  const reachable = rows.some(({ item }) => item.key === reached) ? reached : rows[0]?.item.key;

  const toggle = useCallback(
    (key: string, open: boolean) => setChoices((before) => new Map(before).set(key, open)),
    [],
  );
  /** A round trip that the focus is in does not fold by itself. */
  const reach = useCallback((key: string, trip: string | null) => {
    setReached(key);
    if (trip !== null) setChoices((before) => (before.has(trip) ? before : new Map(before).set(trip, true)));
  }, []);
  const live = useMemo(() => ({ turn, clockOffsetMs }), [turn, clockOffsetMs]);
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
    else if (key === "/") focusFilter();
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
        <TurnHead {...{ turn, running, clockOffsetMs, filteredEvents, homeless }} />
      )}
      <Stay className={styles.stay}>
        {/* The keys belong to the buttons inside; the list hears them for all of them. */}
        {/* biome-ignore lint/a11y/useSemanticElements: stretches stand between list and items, which an <ol> does not allow */}
        <div role="list" className={styles.rows} aria-label={label} onKeyDown={onKeyDown} hidden={!shown}>
          {(shown ? stretches : []).map(({ key, rows: some, first }, index) => (
            <RowStretch
              key={key}
              rows={some}
              first={first}
              reachable={some.some(({ item }) => item.key === reachable) ? reachable! : null}
              running={running}
              live={running && some.some(({ item }) => isHappening(item)) ? live : null}
              eager={running && index === stretches.length - 1}
              onToggle={toggle}
              onReach={reach}
              onAskWhy={askWhy}
              onShowInChat={showInChat}
              onShowInChain={onShowInChain}
            />
          ))}
        </div>
        {turn.durationMs !== null && <TurnFoot turn={turn} />}
        {children}
      </Stay>
      {running ? (
        <div className={styles.nowLayer} aria-hidden="true" {...NOW}>
          <i />
        </div>
      ) : null}
    </div>
  );
});

interface Stretch {
  key: string;
  rows: VisibleRow[];
  /** Place of the first row, from 1. */
  first: number;
}

function stretchesOf(rows: readonly VisibleRow[]): Stretch[] {
  const stretches: Stretch[] = [];
  const seen = new Map<string, number>();
  for (const [index, { item, trip, stretch }] of rows.entries()) {
    const last = stretches.at(-1);
    if (last !== undefined && last.rows[0]!.stretch === stretch) {
      last.rows.push(rows[index]!);
      continue;
    }
    const times = (seen.get(stretch) ?? 0) + 1;
    seen.set(stretch, times);
    // Not its first row's name inside a round trip: that row changes as the trip unfolds around the row with the focus.
    const key = trip === null ? item.key : `${stretch} ${times}`;
    stretches.push({ key, rows: [rows[index]!], first: index + 1 });
  }
  return stretches;
}

interface TurnHeadProps extends Pick<TurnTraceProps, "turn" | "running" | "clockOffsetMs"> {
  filteredEvents: number;
  homeless: readonly string[];
}

function TurnHead({ turn, running, clockOffsetMs, filteredEvents, homeless }: TurnHeadProps) {
  const t = useTranslations("trace");
  const counts = [
    turn.roundTrips > 0 ? t("roundTrips", { count: turn.roundTrips }) : null,
    turn.toolCalls > 0 ? t("toolCalls", { count: turn.toolCalls }) : null,
    t("events", { count: turn.eventCount }),
    filteredEvents > 0 ? t("filter.hidden", { count: filteredEvents }) : null,
  ].filter((part) => part !== null);
  return (
    <header className={styles.turnHead} data-trace-home="">
      {homeless.map((link) => (
        <i key={link} data-link-row={link} />
      ))}
      <h3 className="cut">
        <b>{t("turn", { number: turn.number ?? 0 })}</b> <span>{counts.join(" · ")}</span>
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
          <FoldMark open={open} className="text-ink-3" />
          <b>{t("outside")}</b> <span>{t("events", { count: turn.eventCount })}</span>
        </button>
      </h3>
    </header>
  );
}
