/**
 * A turn that only grew, laid out from its last round trip on: whatever stands before a `turn_start` is settled as long
 * as no later row names one of its calls. Pure; gives what `layoutTurn` gives for all rows, at the cost of one round trip.
 */
import type { TraceRow } from "../../../../shared/trace-events";
import { eventsIn, textOf } from "./event-facts";
import { keepUnchanged } from "./keep-unchanged";
import type { LeafItem, TraceItem, TraceTurn } from "./trace-model";
import { layoutTurn, type TurnLayout } from "./turn-layout";

/** Null when the turn has to be laid out whole. `rows`: all of it, those of `before` first, then the added ones. */
export function growTurn(before: TraceTurn, rows: readonly TraceRow[]): TurnLayout | null {
  const known = before.rows.length;
  if (rows[known - 1] !== before.rows[known - 1]) return null;
  const from = before.rows.findLastIndex(({ eventType }) => eventType === "turn_start");
  if (from < 1) return null;
  const open = before.items.findIndex(({ key }) => key === `trip-${rows[from]!.seq}`);
  const settled = before.items.slice(0, open);
  const opened = before.items.slice(open);
  const rest = rows.slice(from);
  if (namesCallOf(rest, settled)) return null;

  const then = tally(opened);
  const grown = layoutTurn(rest, { first: rows[0]!, roundTrips: before.roundTrips - then.roundTrips });
  return {
    items: [...settled, ...keepUnchanged(opened, grown.items)],
    startedAtMs: before.startedAtMs,
    lastMs: Math.max(before.lastMs, grown.lastMs),
    durationMs: grown.durationMs ?? before.durationMs,
    eventCount: rows.slice(known).reduce((sum, row) => sum + eventsIn(row), before.eventCount),
    roundTrips: grown.roundTrips,
    toolCalls: before.toolCalls - then.toolCalls + grown.toolCalls,
    blockedCount: before.blockedCount - then.blockedCount + grown.blockedCount,
  };
}

function namesCallOf(rows: readonly TraceRow[], items: readonly TraceItem[]): boolean {
  const named = new Set(rows.map(({ data }) => textOf(data, "toolCallId")).filter((id) => id !== null));
  return named.size > 0 && leavesOf(items).some((item) => item.kind === "tool" && named.has(item.toolCallId));
}

/** What a layout counted in these items. */
function tally(items: readonly TraceItem[]) {
  const count = { roundTrips: items.filter(({ kind }) => kind === "trip").length, toolCalls: 0, blockedCount: 0 };
  for (const item of leavesOf(items)) {
    if (item.kind === "tool") count.toolCalls += 1;
    for (const event of item.kind === "tool" ? item.children : [item]) {
      if (event.kind === "event" && event.blockedBy !== null) count.blockedCount += 1;
    }
  }
  return count;
}

const leavesOf = (items: readonly TraceItem[]): LeafItem[] =>
  items.flatMap((item) => (item.kind === "trip" ? item.children : [item]));
