/**
 * A turn of which more, or less, is known, laid out from its last common round trip on: whatever stands before a
 * `turn_start` is settled as long as no later row names one of its calls. Pure; gives what `layoutTurn` gives for all
 * rows, at the cost of one round trip.
 */
import type { TraceRow } from "../../../../shared/trace-events";
import { eventsIn, textOf, timeOf } from "./event-facts";
import { keepUnchanged } from "./keep-unchanged";
import type { LeafItem, TraceItem, TraceTurn } from "./trace-model";
import { layoutTurn, type TurnLayout } from "./turn-layout";

/**
 * The layout of `rows`, which are those of `known` and more, or only the first of them. Null when they have to be laid
 * out whole.
 */
export function relayTurn(known: TraceTurn, rows: readonly TraceRow[]): TurnLayout | null {
  const common = Math.min(known.rows.length, rows.length);
  if (rows[common - 1] !== known.rows[common - 1]) return null;
  const from = rows.slice(0, common).findLastIndex(({ eventType }) => eventType === "turn_start");
  if (from < 1) return null;
  const head = rows.slice(0, from);
  const open = known.items.findIndex(({ key }) => key === `trip-${rows[from]!.seq}`);
  const settled = known.items.slice(0, open);
  const tail = rows.slice(from);
  const knownTail = known.rows.slice(from);
  const longer = tail.length > knownTail.length ? tail : knownTail;
  if (namesCallOf(longer, settled) || head.some(({ eventType }) => eventType === "agent_settled")) return null;

  const { startedAtMs } = known;
  const before = tally(settled);
  const after = layoutTurn(tail, { first: rows[0]!, roundTrips: before.roundTrips });
  return {
    ...after,
    items: [...settled, ...keepUnchanged(known.items.slice(open), after.items)],
    lastMs: head.reduce((latest, row) => Math.max(latest, timeOf(row) - startedAtMs), after.lastMs),
    eventCount: known.eventCount - eventsOf(knownTail) + eventsOf(tail),
    toolCalls: before.toolCalls + after.toolCalls,
    blockedCount: before.blockedCount + after.blockedCount,
  };
}

const eventsOf = (rows: readonly TraceRow[]): number => rows.reduce((sum, row) => sum + eventsIn(row), 0);

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
