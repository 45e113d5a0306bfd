/**
 * One turn's events as a table, for paper and for whoever reads a table better than a chart: every row of the timeline
 * with all folds open, who returned what, and a duration only where the wire has a pair.
 */
import { useTranslations } from "next-intl";
import { Fragment } from "react";
import { ModeGlyph } from "./mode-glyph";
import { RowHint } from "./row-hint";
import { valueText } from "./event-facts";
import { formatCount, formatDuration } from "./time-scale";
import type { TraceItem, TraceTurn } from "./trace-model";
import { glyphOf, RowName } from "./trace-row";
import styles from "./turn-table.module.css";
import { visibleRows } from "./visible-rows";

const ALL_CLOSED: ReadonlyMap<string, boolean> = new Map();

export function TurnTable({ turn }: { turn: TraceTurn }) {
  const t = useTranslations("trace");
  const tTable = useTranslations("trace.table");
  const { number, roundTrips, toolCalls, eventCount, durationMs } = turn;
  const { rows } = visibleRows(turn, { choices: ALL_CLOSED, openFrom: 0 });
  return (
    <table className={styles.table}>
      <caption>
        <strong>{number === null ? t("outside") : t("turn", { number })}</strong>
        {" · "}
        {number !== null && `${t("roundTrips", { count: roundTrips })} · ${t("toolCalls", { count: toolCalls })} · `}
        {t("events", { count: eventCount })}
        {durationMs !== null && ` · ${formatDuration(durationMs)}`}
      </caption>
      <thead>
        <tr>
          <th scope="col">{tTable("seq")}</th>
          <th scope="col">{tTable("event")}</th>
          <th scope="col">{tTable("at")}</th>
          <th scope="col">{tTable("took")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ item }) => (
          <Fragment key={item.key}>
            <tr className={item.kind === "trip" ? styles.trip : isBad(item) ? styles.bad : undefined}>
              <td>{seqsOf(item)}</td>
              <td data-depth={item.kind === "trip" ? 0 : item.depth}>
                {item.kind === "trip" ? null : <ModeGlyph name={glyphOf(item)} />}
                <RowName item={item} />{" "}
                <small>
                  <RowHint item={item} />
                </small>
              </td>
              <td>{formatCount(item.kind === "event" ? item.atMs : item.startMs)}</td>
              <td>{tookOf(item)}</td>
            </tr>
            {item.kind === "event" && item.handlers?.some(({ returned }) => returned !== null) === true && (
              <Returned handlers={item.handlers} />
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

/** Under a decided row: each handler in order, and what it returned. */
function Returned({ handlers }: { handlers: NonNullable<Extract<TraceItem, { kind: "event" }>["handlers"]> }) {
  const t = useTranslations("trace.details");
  return (
    <tr className={styles.returned}>
      <td />
      <td colSpan={3}>
        {handlers.map(({ extension, returned }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the handlers is their identity
          <span key={index}>
            <bdi>{extension}</bdi>: {returned === null ? t("returnedNothing") : valueText(returned)}
          </span>
        ))}
      </td>
    </tr>
  );
}

const isBad = (item: TraceItem): boolean =>
  (item.kind === "tool" && item.failed) || (item.kind !== "trip" && item.kind !== "run" && item.blockedBy !== null);

function seqsOf(item: TraceItem): string {
  if (item.kind === "trip") return "";
  const [first, last] =
    item.kind === "event"
      ? [item.row, item.row]
      : item.kind === "run"
        ? [item.rows[0], item.rows.at(-1)]
        : [item.startRow ?? item.endRow, item.endRow ?? item.startRow];
  if (first === null || first === undefined || last === null || last === undefined) return "";
  return first.seq === last.seq ? formatCount(first.seq) : `${formatCount(first.seq)}–${formatCount(last.seq)}`;
}

/** Empty for a point in time and for a call that never ran, `-` for a pair that misses its other half. */
function tookOf(item: TraceItem): string {
  if (item.kind === "event") return item.waitedFromMs === null ? "" : formatDuration(item.atMs - item.waitedFromMs);
  if (item.kind === "run" && item.rows.length === 1) return "";
  if (item.kind === "tool" && item.blockedBy !== null) return "";
  return formatDuration(item.durationMs);
}
