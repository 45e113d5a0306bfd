/**
 * The time of a row, drawn: a tick for an event, a bar for a pair or a merged run, a dashed line for waiting on the
 * model, a bracket for a round trip. Positions are plain milliseconds in `--x` and `--w`; the style sheet divides them
 * by the axis, so a rescale draws nothing again.
 */
import type { CSSProperties } from "react";
import type { TraceMode } from "../../../../shared/trace-events";
import { NOW } from "./live-clock";
import styles from "./trace-row.module.css";
import type { LeafItem, TraceItem } from "./trace-model";

export function RowBars({ item, running }: { item: TraceItem; running: boolean }) {
  if (item.kind === "trip") {
    const open = item.endMs === null && running;
    return (
      <>
        <Bar look="bracket" fromMs={item.startMs} toMs={open ? "now" : (item.endMs ?? item.startMs)} />
        {item.children.map((child) =>
          child.kind === "tool" ? null : <TripBar key={child.key} item={child} running={running} />,
        )}
      </>
    );
  }
  return <LeafBars item={item} running={running} />;
}

/** What a folded round trip keeps of its events: the waits and the answer's text as it came. */
function TripBar({ item, running }: { item: LeafItem; running: boolean }) {
  if (item.kind === "run")
    return item.eventType === "message_update" ? <LeafBars item={item} running={running} /> : null;
  if (item.kind === "event" && (item.waiting || item.waitedFromMs !== null)) {
    const toMs = item.waiting ? (running ? "now" : item.atMs) : item.atMs;
    return <Bar look="wait" mode="notify" fromMs={item.waitedFromMs ?? item.atMs} toMs={toMs} />;
  }
  return null;
}

function LeafBars({ item, running }: { item: LeafItem; running: boolean }) {
  if (item.kind === "run") {
    const live = item.open && running;
    return (
      <>
        {item.waitedFromMs === null ? null : (
          <Bar look="wait" mode={item.mode} fromMs={item.waitedFromMs} toMs={item.startMs} />
        )}
        <Bar
          look={live ? "live" : item.rows.length > 1 ? "bar" : "tick"}
          mode={item.mode}
          fromMs={item.startMs}
          toMs={live ? "now" : item.endMs}
        />
      </>
    );
  }
  if (item.kind === "tool") {
    if (item.endMs === null)
      return <Bar look={running ? "live" : "tick"} fromMs={item.startMs} toMs={running ? "now" : item.startMs} />;
    // What was blocked never ran: its bar is empty.
    const look = item.blockedBy !== null ? "blocked" : item.failed ? "bad" : "bar";
    return <Bar look={look} fromMs={item.startMs} toMs={item.endMs} />;
  }
  return (
    <>
      {item.waitedFromMs === null ? null : (
        <Bar look="wait" mode={item.row.mode} fromMs={item.waitedFromMs} toMs={item.atMs} />
      )}
      {item.waiting && running ? <Bar look="wait" mode="notify" fromMs={item.atMs} toMs="now" /> : null}
      <Bar look="tick" mode={item.row.mode} fromMs={item.atMs} toMs={item.atMs} />
    </>
  );
}

interface BarProps {
  look: "tick" | "bar" | "live" | "bad" | "blocked" | "wait" | "bracket";
  /** Without a mode: ink. */
  mode?: TraceMode;
  fromMs: number;
  toMs: number | "now";
}

function Bar({ look, mode, fromMs, toMs }: BarProps) {
  const width = toMs === "now" ? `max(0, var(--now, ${fromMs}) - ${fromMs})` : Math.max(0, toMs - fromMs);
  const place = { "--x": fromMs, "--w": width } as CSSProperties;
  const isNow = toMs === "now";
  return <i className={`${styles.mark} ${styles[look]} ${mode ?? styles.ink}`} style={place} {...(isNow && NOW)} />;
}
