/**
 * The road of a message with its fourteen stops, their counts, and where it is now. The drawing is decorative: the same
 * stops follow as a list, which is what a phone shows and a screen reader reads.
 */
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { TRACE_EVENTS, type TraceEventName } from "../../../../shared/trace-events";
import { ModeGlyph } from "./mode-glyph";
import { EMPTY_ROAD, type Road, type Side, STOPS } from "./road";
import { formatCount } from "./time-scale";
import styles from "./lifecycle-map.module.css";

/** Where number and name stand beside a stop: x, number's y, name's y, anchor. */
const LABEL = {
  right: [26, -2, 14, "start"],
  left: [-26, -2, 14, "end"],
  above: [0, -38, -22, "middle"],
  below: [0, 36, 52, "middle"],
} as const;

const TRACKS = [
  "M60 36V270",
  "M60 270H564a16 16 0 0 1 16 16V484a16 16 0 0 1-16 16H76a16 16 0 0 1-16-16V270",
  "M112 500V596a16 16 0 0 0 16 16H440",
];
const SHORTCUT = "M580 442H266a16 16 0 0 0-16 16V500";
/** x, y, direction in degrees. */
const ARROWS = [
  [60, 114, 90],
  [60, 232, 90],
  [210, 270, 0],
  [560, 270, 0],
  [580, 470, 90],
  [400, 500, 180],
  [210, 500, 180],
  [60, 400, 270],
  [112, 552, 90],
  [350, 612, 0],
  [420, 442, 180],
] as const;
/** Where a refused call ends. */
const REFUSAL = "M470 508V532M460 532h20";

const SHAPE = {
  notify: <circle className={styles.stop} r="8" />,
  veto: <path className={styles.stop} d="M0-10 10 0 0 10-10 0z" />,
  chain: <path className={styles.stop} d="M-8-9 9 0-8 9z" />,
  takeover: <path className={styles.stop} d="M-8-8h16V8H-8z" />,
} as const;

export interface LifecycleMapProps {
  road?: Road;
  /** The road just travelled is green, and the ring with it. */
  live?: boolean;
  /** What stands beside the road, in the map's own coordinates. */
  children?: ReactNode;
}

export function LifecycleMap({ road = EMPTY_ROAD, live = false, children }: LifecycleMapProps) {
  const t = useTranslations("trace.empty");
  const blocked = road.blockedCount > 0;
  return (
    <>
      <div className={styles.road}>
        <svg
          className={styles.map}
          viewBox="0 0 648 640"
          preserveAspectRatio="xMinYMin"
          aria-hidden="true"
          data-live={live || undefined}
        >
          {TRACKS.map((d) => (
            <path key={d} className={styles.track} d={d} />
          ))}
          <path className={styles.track} strokeDasharray="3 4" d={SHORTCUT} />
          {live && road.travelled.map((d) => <path key={d} className={styles.hot} d={d} />)}
          {ARROWS.map(([x, y, turn]) => (
            <path
              key={`${x} ${y}`}
              className={styles.arrow}
              transform={`translate(${x} ${y}) rotate(${turn})`}
              d="M-4-4 4 0-4 4z"
            />
          ))}
          {blocked && <path className={styles.refusal} d={REFUSAL} />}
          <text className={styles.strong} x="84" y="352">
            {t("loop")}
          </text>
          <text className={styles.small} x="84" y="370">
            {t("again")}
          </text>
          <text className={styles.small} x="430" y="434" textAnchor="middle">
            {t("noTool")}
          </text>
          {STOPS.map(([name, x, y, side]) => (
            <Stop key={name} {...{ name, x, y, side, road }} />
          ))}
          {children}
        </svg>
      </div>
      <StopList road={road} live={live} />
    </>
  );
}

function Stop({ name, x, y, side, road }: { name: TraceEventName; x: number; y: number; side: Side; road: Road }) {
  const t = useTranslations("trace");
  const mode = TRACE_EVENTS[name];
  const count = road.counts.get(name) ?? 0;
  const look = count === 0 ? `${mode} ${styles.zero}` : mode;
  const [dx, countY, nameY, anchor] = LABEL[side];
  const ring = road.here === name && <circle className={styles.ring} r="17" />;
  if (name === "tool_call" && road.blockedCount > 0) {
    // The stub takes the place under the stop, so its words stand beside it.
    return (
      <g transform={`translate(${x} ${y})`} className={look}>
        {ring}
        {SHAPE[mode]}
        <text className={styles.count} x="17" y="28">
          {formatCount(count)}
        </text>
        <text x={17 + 12 * formatCount(count).length + 9} y="27">
          {name}
        </text>
        <text className={styles.refused} x="17" y="52">
          {t("blocked", { count: road.blockedCount })}
        </text>
      </g>
    );
  }
  return (
    <g transform={`translate(${x} ${y})`} className={look}>
      {ring}
      {SHAPE[mode]}
      <text className={styles.count} x={dx} y={countY} textAnchor={anchor}>
        {formatCount(count)}
      </text>
      <text x={dx} y={nameY} textAnchor={anchor}>
        {name}
      </text>
    </g>
  );
}

function StopList({ road, live }: { road: Road; live: boolean }) {
  const t = useTranslations("trace");
  const tPanel = useTranslations("panel.lifecycle");
  return (
    <ol className={styles.stops} aria-label={t("empty.map")} data-live={live || undefined}>
      {STOPS.map(([name]) => (
        <li key={name} data-here={road.here === name || undefined}>
          <span className={styles.mark}>
            <ModeGlyph name={TRACE_EVENTS[name]} />
          </span>
          <span>
            {name} <span className="sr-only">{t(`mode.${TRACE_EVENTS[name]}.name`)}</span>
          </span>
          <small>
            {road.here === name && <i>{tPanel(live ? "now" : "last")}</i>}
            {name === "tool_call" && road.blockedCount > 0 && (
              <em className="text-danger">{t("blocked", { count: road.blockedCount })}</em>
            )}
          </small>
          <b>{formatCount(road.counts.get(name) ?? 0)}</b>
        </li>
      ))}
    </ol>
  );
}
