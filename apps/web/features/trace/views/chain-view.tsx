/**
 * Chain: one event on its way through the handlers, drawn as a wire. Thin is unchanged, thick is changed, a red bar
 * stops it. Follows the newest event until the reader steps away from it.
 */
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { type JsonValue, TRACE_MODES } from "../../../../../shared/trace-events";
import { textOf, valueText } from "../event-facts";
import { ModeGlyph } from "../mode-glyph";
import { placeRows } from "../place-rows";
import { turnNumber } from "../reduce";
import { StepMark } from "../replay-bar";
import { formatCount } from "../time-scale";
import { type Chain, chainOf, type Station, type StepFilter, stepsOf, wasAsked } from "./chain";
import type { ViewProps } from "./view-props";
import styles from "./views.module.css";

const FILTERS: readonly StepFilter[] = ["asked", "all", ...TRACE_MODES];

export function ChainView({ view: { turns }, from, onShowRow }: ViewProps) {
  const t = useTranslations("panel.chain");
  const tMode = useTranslations("trace.mode");
  const rows = useMemo(() => placeRows(turns), [turns]);
  const [chosen, setChosen] = useState<StepFilter | null>(() => (from && !wasAsked(from) ? "all" : null));
  const [pinnedSeq, setPinnedSeq] = useState(from?.seq ?? null);
  const back = useRef<HTMLButtonElement>(null);
  // Where the reader came from is one key away.
  useEffect(() => {
    if (from !== null) back.current?.focus();
  }, [from]);
  const asked = useMemo(() => stepsOf(rows, "asked"), [rows]);
  const filter = chosen ?? (asked.length > 0 ? "asked" : "all");
  const steps = useMemo(() => (filter === "asked" ? asked : stepsOf(rows, filter)), [rows, asked, filter]);

  // A pinned event that the filter leaves out gives its place to the one before it.
  const before = pinnedSeq === null ? steps.length - 1 : steps.findLastIndex(({ row }) => row.seq <= pinnedSeq);
  const at = steps.length === 0 ? -1 : Math.max(0, before);
  const current = steps[at];
  const goTo = (next: number) => {
    const to = steps[next];
    if (to !== undefined) setPinnedSeq(next === steps.length - 1 ? null : to.row.seq);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length - 1 }[event.key];
    if (to === undefined || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    goTo(to);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the buttons inside
    <div onKeyDown={onKeyDown}>
      <p className={styles.lead}>{t.rich("lead", { b: (inside) => <b>{inside}</b> })}</p>
      <fieldset className={styles.stepper} aria-label={t("stepper")}>
        <button
          type="button"
          className={styles.step}
          aria-label={t("back")}
          disabled={at <= 0}
          onClick={() => goTo(at - 1)}
        >
          <StepMark back />
        </button>
        <button
          type="button"
          className={styles.step}
          aria-label={t("forward")}
          disabled={at < 0 || at === steps.length - 1}
          onClick={() => goTo(at + 1)}
        >
          <StepMark />
        </button>
        <label>
          <span className="sr-only">{t("through")}</span>
          <select value={filter} onChange={(event) => setChosen(event.currentTarget.value as StepFilter)}>
            {FILTERS.map((name) => (
              <option key={name} value={name}>
                {name === "asked" || name === "all" ? t(`filter.${name}`) : tMode(`${name}.name`)}
              </option>
            ))}
          </select>
        </label>
        <span className="num">{steps.length > 0 && t("step", { at: at + 1, count: steps.length })}</span>
        {current !== undefined && (
          <button ref={back} type="button" className="act" onClick={() => onShowRow(current.row)}>
            {t("showRow")}
          </button>
        )}
      </fieldset>
      {current === undefined ? (
        <p className={styles.nothing}>{t("none")}</p>
      ) : (
        <article aria-label={current.row.eventType}>
          <EventHead row={current.row} place={current.place} count={rows.at(-1)!.place} />
          <Wire chain={chainOf(current.row, rows)} />
        </article>
      )}
    </div>
  );
}

function EventHead({ row, place, count }: { row: Chain["row"]; place: number; count: number }) {
  const t = useTranslations("panel.chain");
  const number = turnNumber(row.turnSeq);
  return (
    <header className={styles.event}>
      <ModeGlyph name={row.mode} />
      <h2>
        <bdi>{row.eventType}</bdi>
        <span>
          {number === null ? t("outside") : t("turn", { number })}
          {" · "}
          <bdi>{textOf(row.data, "toolName") ?? timeOfDay(row.timestamp)}</bdi>
        </span>
      </h2>
      {/* Rows are numbered where events are counted: a row may hold many. */}
      <span className="num">{t("place", { place: formatCount(place), count: formatCount(count), seq: row.seq })}</span>
    </header>
  );
}

function Wire({ chain: { row, input, stations, complete, stopped } }: { chain: Chain }) {
  const t = useTranslations("panel.chain");
  const changedAt = stations.findIndex(({ outcome }) => outcome === "changed");
  const stoppedAt = stations.findIndex(({ outcome }) => outcome === "stopped");
  const looks = stations.map((_, at) => {
    const look = [];
    if (at === stoppedAt) look.push(styles.cut);
    if (stoppedAt >= 0 && at > stoppedAt) look.push(styles.dead);
    if (changedAt >= 0 && at >= changedAt) look.push(at === changedAt ? styles.changes : styles.after);
    return look.join(" ");
  });
  return (
    <>
      <ol className={styles.wire}>
        <li>
          <i className={styles.end} />
          <p>
            <span>{t("in")}</span>
          </p>
          {input.length > 0 && <Lines lines={input.map(([name, value]) => [name, valueText(value)])} />}
        </li>
        {stations.map((station, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the handlers is their identity
          <li key={at} className={looks[at]}>
            <i className={PIN[station.outcome]} />
            <p>
              <b>{station.extension}</b>
              <span data-outcome={station.outcome}>{t(`outcome.${station.outcome}`)}</span>
            </p>
            <Returned station={station} />
          </li>
        ))}
        <li className={stopped ? styles.dead : changedAt >= 0 ? styles.after : undefined}>
          <i className={stopped ? styles.deaf : styles.end} />
          <p>
            <span>{t(stopped ? (row.eventType === "tool_call" ? "callStopped" : "stopped") : "out")}</span>
          </p>
        </li>
      </ol>
      <p className={styles.note}>{t(complete ? "recorder" : "incomplete")}</p>
    </>
  );
}

const PIN: Record<Station["outcome"], string | undefined> = {
  stopped: styles.bar,
  changed: styles.thick,
  nothing: styles.pin,
  heard: styles.pin,
  unsaid: styles.pin,
  deaf: styles.deaf,
  unasked: styles.deaf,
};

/** What came back; of a changed prompt the names of the skills and how much was added, never its text. */
function Returned({ station: { outcome, returned } }: { station: Station }) {
  const t = useTranslations("panel.chain");
  if (returned === null) return null;
  if (outcome !== "changed") {
    return <Lines lines={Object.entries(returned).map(([name, value]) => [name, quoted(value)])} />;
  }
  const { addedChars, skills, ...others } = returned;
  const added = [
    typeof skills === "string" ? (["skills", skills] as const) : null,
    typeof addedChars === "number" ? (["", t("added", { count: addedChars })] as const) : null,
    ...Object.entries(others).map(([name, value]) => [name, quoted(value)] as const),
  ].filter((line) => line !== null);
  return <Lines lines={added} added />;
}

function Lines({
  lines,
  added = false,
}: {
  lines: readonly (readonly [name: string, value: string])[];
  added?: boolean;
}) {
  return (
    <div className={`${styles.lines} ${added ? styles.added : ""}`}>
      {lines.map(([name, value]) => (
        <div key={name}>
          {name === "" ? null : <span dir="auto">{name}</span>} <bdi>{value}</bdi>
        </div>
      ))}
    </div>
  );
}

const quoted = (value: JsonValue): string => (typeof value === "string" ? JSON.stringify(value) : valueText(value));
/** `14:32:07.041`, in the reader's own zone, as the chat writes its times. */
function timeOfDay(timestamp: string): string {
  const at = new Date(timestamp);
  const two = (value: number) => String(value).padStart(2, "0");
  const seconds = `${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, "0")}`;
  return `${two(at.getHours())}:${two(at.getMinutes())}:${seconds}`;
}
