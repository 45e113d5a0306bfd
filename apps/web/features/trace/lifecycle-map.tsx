/** The road of one turn with its fourteen stops, all at zero. The drawing is decorative; the same stops follow as a list. */
import { useTranslations } from "next-intl";
import { TRACE_EVENTS, type TraceEventName } from "../../../../shared/trace-events";
import { ModeGlyph } from "./mode-glyph";
import styles from "./trace.module.css";

type Side = "right" | "left" | "above" | "below";
const STOPS: ReadonlyArray<readonly [name: TraceEventName, x: number, y: number, side: Side]> = [
  ["session_start", 60, 36, "right"],
  ["input", 60, 88, "right"],
  ["before_agent_start", 60, 140, "right"],
  ["agent_start", 60, 192, "right"],
  ["turn_start", 150, 270, "above"],
  ["context", 270, 270, "above"],
  ["before_provider_request", 420, 270, "above"],
  ["after_provider_response", 580, 326, "left"],
  ["message_update", 580, 398, "left"],
  ["tool_call", 470, 500, "below"],
  ["tool_result", 330, 500, "below"],
  ["turn_end", 170, 500, "below"],
  ["agent_end", 270, 612, "above"],
  ["agent_settled", 440, 612, "above"],
];

/** Where number and name stand beside a stop: x, number's y, name's y, anchor. */
const LABEL = {
  right: [26, -2, 14, "start"],
  left: [-26, -2, 14, "end"],
  above: [0, -34, -18, "middle"],
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

const SHAPE = {
  notify: <circle className={styles.stop} r="8" />,
  veto: <path className={styles.stop} d="M0-10 10 0 0 10-10 0z" />,
  chain: <path className={styles.stop} d="M-8-9 9 0-8 9z" />,
  takeover: <path className={styles.stop} d="M-8-8h16V8H-8z" />,
} as const;

export function LifecycleMap() {
  const t = useTranslations("trace.empty");
  return (
    <>
      <div className={styles.road}>
        <svg className={styles.map} viewBox="0 0 648 640" aria-hidden="true">
          {TRACKS.map((d) => (
            <path key={d} className={styles.track} d={d} />
          ))}
          <path className={styles.track} strokeDasharray="3 4" d={SHORTCUT} />
          {ARROWS.map(([x, y, turn]) => (
            <path
              key={`${x} ${y}`}
              className={styles.arrow}
              transform={`translate(${x} ${y}) rotate(${turn})`}
              d="M-4-4 4 0-4 4z"
            />
          ))}
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
            <Stop key={name} name={name} x={x} y={y} side={side} />
          ))}
        </svg>
      </div>
      <ol className={styles.stops} aria-label={t("map")}>
        {STOPS.map(([name]) => (
          <li key={name}>
            <ModeGlyph name={TRACE_EVENTS[name]} />
            <span>{name}</span>
            <b>0</b>
          </li>
        ))}
      </ol>
    </>
  );
}

function Stop({ name, x, y, side }: { name: TraceEventName; x: number; y: number; side: Side }) {
  const mode = TRACE_EVENTS[name];
  const [dx, countY, nameY, anchor] = LABEL[side];
  return (
    <g transform={`translate(${x} ${y})`} className={mode}>
      {SHAPE[mode]}
      <text className={styles.count} x={dx} y={countY} textAnchor={anchor}>
        0
      </text>
      <text x={dx} y={nameY} textAnchor={anchor}>
        {name}
      </text>
    </g>
  );
}
