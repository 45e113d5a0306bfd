/** Lifecycle: the road of a message with the counts of this session, and the last event in words beside it. */
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { LifecycleMap } from "../lifecycle-map";
import { roadOf } from "../road";
import { formatCount, formatDuration } from "../time-scale";
import { type LastEvent, lastEventOf } from "./last-words";
import type { ViewProps } from "./view-props";
import styles from "./views.module.css";

/** More letters than the longest known event has do not fit beside the road. */
const NAME_CHARS = 26;

export function LifecycleView({ view: { turns }, live }: ViewProps) {
  const t = useTranslations("panel.lifecycle");
  const road = useMemo(() => roadOf(turns), [turns]);
  const last = useMemo(() => lastEventOf(turns), [turns]);
  return (
    <div>
      <p className={styles.lead}>{t.rich("lead", { b: (inside) => <b>{inside}</b> })}</p>
      <LifecycleMap road={road} live={live}>
        {last !== null && <LastWords last={last} live={live} />}
      </LifecycleMap>
      {last !== null && <SpokenLast last={last} live={live} />}
    </div>
  );
}

function LastWords({ last, live }: { last: LastEvent; live: boolean }) {
  const lines = useLines(last, live);
  const name = last.name.length > NAME_CHARS ? `${last.name.slice(0, NAME_CHARS - 1)}…` : last.name;
  return (
    <g className={styles.last}>
      <path d="M300 48V170" />
      <text x="320" y="64">
        {lines.where}
      </text>
      <text className={name.length > 16 ? styles.long : styles.big} x="320" y="102">
        {name}
      </text>
      {lines.facts.map((line, at) => (
        <text key={line} x="320" y={130 + 18 * at}>
          {line}
        </text>
      ))}
    </g>
  );
}

/** The same words where the drawing is not: on a phone, and for ears. */
function SpokenLast({ last, live }: { last: LastEvent; live: boolean }) {
  const lines = useLines(last, live);
  return (
    <p className={styles.spoken}>
      {lines.where} <b dir="auto">{last.name}</b> {lines.facts.join(" · ")}
    </p>
  );
}

function useLines(last: LastEvent, live: boolean): { where: string; facts: string[] } {
  const t = useTranslations("panel.lifecycle");
  const { turn, trip, merged, durationMs, waitedMs } = last;
  const where = turn === null ? t("outside") : trip === null ? t("turn", { turn }) : t("trip", { turn, trip });
  const facts: string[] = [];
  if (merged !== null) {
    const count = formatCount(merged);
    if (durationMs === null) facts.push(t("merged", { count }));
    else facts.push(t(live ? "growing" : "mergedFor", { count, duration: formatDuration(durationMs) }));
  }
  if (waitedMs !== null) facts.push(t("waited", { duration: formatDuration(waitedMs) }));
  return { where, facts };
}
