/**
 * The trace as it stood after one of its events: what the reducer gives for the rows up to that `seq`. Pure. Turns that
 * were whole by then keep their identity, and of the turn that is being stepped through all settled round trips do.
 */
import { eventsIn, wasDecided } from "./event-facts";
import { buildTurn, EMPTY_TRACE, missingIn, type TraceState } from "./reduce";
import type { TraceTurn } from "./trace-model";

export function cutTrace(trace: TraceState, lastSeq: number): TraceState {
  const turns = trace.turns.map((turn) => cutTurn(turn, lastSeq)).filter((turn) => turn !== null);
  const { countsByMode, decidedByMode } = EMPTY_TRACE;
  const cut = { ...EMPTY_TRACE, turns, countsByMode: { ...countsByMode }, decidedByMode: { ...decidedByMode } };
  for (const row of turns.flatMap(({ rows }) => rows)) {
    cut.eventCount += eventsIn(row);
    cut.countsByMode[row.mode] += eventsIn(row);
    if (wasDecided(row)) cut.decidedByMode[row.mode] += 1;
    cut.lastSeq = Math.max(cut.lastSeq, row.seq);
  }
  return { ...cut, missingRows: missingIn(turns, cut.lastSeq), clockOffsetMs: trace.clockOffsetMs };
}

/** Null: nothing of it had happened. */
function cutTurn(turn: TraceTurn, lastSeq: number): TraceTurn | null {
  if (turn.rows.at(-1)!.seq <= lastSeq) return turn;
  const rows = turn.rows.filter(({ seq }) => seq <= lastSeq);
  return rows.length === 0 ? null : buildTurn(turn.turnSeq, rows, turn);
}
