/**
 * The trace as it stood after one of its events: what the reducer gives for the rows up to that `seq`. Pure. Turns that
 * were whole by then keep their identity, so that stepping lays out only the turn that is being stepped through.
 */
import type { TraceRow } from "../../../../shared/trace-events";
import { eventsIn } from "./event-facts";
import { addRows, EMPTY_TRACE, type TraceState } from "./reduce";

export function cutTrace(trace: TraceState, lastSeq: number): TraceState {
  const whole = trace.turns.filter(({ rows }) => rows.at(-1)!.seq <= lastSeq);
  const rest = trace.turns.filter(({ rows }) => rows.at(-1)!.seq > lastSeq).flatMap(({ rows }) => rows);
  const base = { ...EMPTY_TRACE, turns: whole, countsByMode: { ...EMPTY_TRACE.countsByMode } };
  for (const row of whole.flatMap(({ rows }) => rows)) {
    base.eventCount += eventsIn(row);
    base.countsByMode[row.mode] += eventsIn(row);
    base.lastSeq = Math.max(base.lastSeq, row.seq);
  }
  base.blockedCount = whole.reduce((sum, { blockedCount }) => sum + blockedCount, 0);
  const cut = addRows(base, rest.filter(isUpTo(lastSeq)), 0);
  return { ...cut, clockOffsetMs: trace.clockOffsetMs };
}

const isUpTo =
  (lastSeq: number) =>
  ({ seq }: TraceRow): boolean =>
    seq <= lastSeq;
