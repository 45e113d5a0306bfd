/** The last event in numbers: where it stands, what it was merged from and what came before it. Pure. */
import { timeOf } from "../event-facts";
import type { RunItem, TraceItem, TraceTurn } from "../trace-model";

export interface LastEvent {
  name: string;
  /** Of the visitor's message; null outside any turn. */
  turn: number | null;
  /** Of the model round trip; null outside one. */
  trip: number | null;
  /** How many events the run of its type has, when it is one. */
  merged: number | null;
  /** From the first to the last event of the run; null for a single event. */
  durationMs: number | null;
  /** How long the model took to begin what the event belongs to; null where it did not. */
  waitedMs: number | null;
}

/** Null before the first event. */
export function lastEventOf(turns: readonly TraceTurn[]): LastEvent | null {
  const turn = newestOf(turns);
  const row = turn?.rows.at(-1);
  if (turn === null || row === undefined) return null;
  const trip = turn.items.findLast((item) => item.kind === "trip");
  const isInTrip = trip !== undefined && (trip.endMs === null || timeOf(row) - turn.startedAtMs <= trip.endMs);
  const inner: TraceItem[] = isInTrip ? trip.children : turn.items;
  const run = inner.findLast((item): item is RunItem => item.kind === "run" && item.rows.at(-1) === row);
  return {
    name: row.eventType,
    turn: turn.number,
    trip: isInTrip ? trip.number : null,
    merged: run !== undefined && run.count > 1 ? run.count : null,
    durationMs: run?.durationMs ?? null,
    waitedMs: run === undefined ? null : waitBefore(inner, run),
  };
}

function newestOf(turns: readonly TraceTurn[]): TraceTurn | null {
  const seqOf = (turn: TraceTurn) => turn.rows.at(-1)?.seq ?? -1;
  return turns.reduce<TraceTurn | null>(
    (newest, turn) => (newest === null || seqOf(turn) > seqOf(newest) ? turn : newest),
    null,
  );
}

function waitBefore(items: readonly TraceItem[], run: RunItem): number | null {
  if (run.waitedFromMs !== null) return run.startMs - run.waitedFromMs;
  const answer = items.findLast(
    (item) => item.kind === "event" && item.waitedFromMs !== null && item.atMs <= run.startMs,
  );
  return answer?.kind === "event" ? answer.atMs - answer.waitedFromMs! : null;
}
