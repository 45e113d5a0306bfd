/**
 * The road of a message: fourteen events of the kernel's vocabulary as stops, with one loop, and where a recording
 * stands on it. Pure. Events that are no stop are counted elsewhere; an order the road does not know paints no leg.
 */
import type { TraceEventName, TraceRow } from "../../../../shared/trace-events";
import { eventsIn } from "./event-facts";
import type { TraceTurn } from "./trace-model";

export type Side = "right" | "left" | "above" | "below";

/** x and y lie on the map, 648 by 640. */
export const STOPS: ReadonlyArray<readonly [name: TraceEventName, x: number, y: number, side: Side]> = [
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

/** The ways from one stop to another, as a path on the map. */
const LEGS: Readonly<Record<string, string>> = {
  "session_start input": "M60 36V88",
  "input before_agent_start": "M60 88V140",
  "before_agent_start agent_start": "M60 140V192",
  "agent_start turn_start": "M60 192V270H150",
  "turn_start context": "M150 270H270",
  "context before_provider_request": "M270 270H420",
  "before_provider_request after_provider_response": "M420 270H564a16 16 0 0 1 16 16V326",
  "after_provider_response message_update": "M580 326V398",
  "message_update tool_call": "M580 398V484a16 16 0 0 1-16 16H470",
  "message_update turn_end": "M580 398V442H266a16 16 0 0 0-16 16V500H170",
  "tool_call tool_result": "M470 500H330",
  "tool_call turn_end": "M470 500H170",
  "tool_result turn_end": "M330 500H170",
  "turn_end turn_start": "M170 500H76a16 16 0 0 1-16-16V270H150",
  "turn_end agent_end": "M170 500H112V596a16 16 0 0 0 16 16H270",
  "agent_end agent_settled": "M270 612H440",
};
/** How far back the road is painted: from the request to the first word are two legs. */
const PAINTED_LEGS = 2;

const IS_STOP = new Set<string>(STOPS.map(([name]) => name));

export interface Road {
  /** Events at each stop, the merged ones included; a stop without any is absent. */
  counts: ReadonlyMap<string, number>;
  blockedCount: number;
  /** The stop that the last message has reached; null before the first. */
  here: string | null;
  /** The way it just came; empty where the road has no such way. */
  travelled: readonly string[];
  /** The last event of all, a stop or not. */
  last: TraceRow | null;
}

export const EMPTY_ROAD: Road = { counts: new Map(), blockedCount: 0, here: null, travelled: [], last: null };

export function roadOf(turns: readonly TraceTurn[]): Road {
  const counts = new Map<string, number>();
  let blockedCount = 0;
  let last: TraceRow | null = null;
  let newest: TraceTurn | null = null;
  for (const turn of turns) {
    blockedCount += turn.blockedCount;
    for (const row of turn.rows) {
      if (IS_STOP.has(row.eventType)) counts.set(row.eventType, (counts.get(row.eventType) ?? 0) + eventsIn(row));
      if (last !== null && row.seq <= last.seq) continue;
      last = row;
      newest = turn;
    }
  }
  const passed = newest === null ? [] : lastStops(newest.rows);
  const travelled = passed.slice(1).map((stop, index) => LEGS[`${passed[index]} ${stop}`]);
  return {
    counts,
    blockedCount,
    here: passed.at(-1) ?? null,
    travelled: travelled.filter((leg) => leg !== undefined),
    last,
  };
}

/** The last stops that were passed, in order, without what repeats on the spot. */
function lastStops(rows: readonly TraceRow[]): string[] {
  const stops: string[] = [];
  for (let at = rows.length - 1; at >= 0 && stops.length <= PAINTED_LEGS; at -= 1) {
    const { eventType } = rows[at]!;
    if (IS_STOP.has(eventType) && stops[0] !== eventType) stops.unshift(eventType);
  }
  return stops;
}
