/** Every row of a session with its place among the events. Pure. */
import type { TraceRow } from "../../../../shared/trace-events";
import { eventsIn } from "./event-facts";
import type { TraceTurn } from "./trace-model";

/** A merged row stands for several events and has the place of the last of them. */
export interface PlacedRow {
  row: TraceRow;
  /** From 1. */
  place: number;
}

/** In `seq` order. The last place is the number of events. */
export function placeRows(turns: readonly TraceTurn[]): PlacedRow[] {
  const rows = turns.flatMap((turn) => turn.rows).sort((a, b) => a.seq - b.seq);
  let place = 0;
  return rows.map((row) => {
    place += eventsIn(row);
    return { row, place };
  });
}
