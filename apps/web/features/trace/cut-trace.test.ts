/** A replay is the reducer over a prefix: whatever the order of arrival, at every event. */
import { expect, it } from "bun:test";
import { rowWriter, T0, wholeTurn } from "./__tests__/scripted-turn";
import { cutTrace } from "./cut-trace";
import { placeRows } from "./place-rows";
import { addRows, EMPTY_TRACE } from "./reduce";

const rows = [rowWriter(null)("session_start", 0), ...wholeTurn(0, 1), ...wholeTurn(2, 31)];
const traceOf = (some: readonly unknown[]) => addRows(EMPTY_TRACE, some, T0);
const full = traceOf(rows);

it("is at every event what the reducer gives for the rows up to it", () => {
  for (const { seq } of rows) {
    const prefix = traceOf(rows.filter((row) => row.seq <= seq));
    expect(cutTrace(full, seq)).toEqual({ ...prefix, clockOffsetMs: full.clockOffsetMs });
  }
});

it("cuts the same from rows that came in bad order, with gaps and repeats", () => {
  const shuffled = traceOf([...rows].reverse().flatMap((row) => (row.seq % 7 === 3 ? [] : [row, row])));
  const kept = rows.filter((row) => row.seq % 7 !== 3);
  expect(cutTrace(shuffled, 25).turns).toEqual(traceOf(kept.filter((row) => row.seq <= 25)).turns);
});

it("keeps the identity of the turns that were whole by then, and is empty before the first event", () => {
  expect(cutTrace(full, 40).turns[1]).toBe(full.turns[1]!);
  expect(cutTrace(full, -1)).toEqual({ ...EMPTY_TRACE, clockOffsetMs: full.clockOffsetMs });
});

it("gives every row its place among the events, the merged ones counted", () => {
  const placed = placeRows(full.turns);
  expect(placed.map(({ row }) => row.seq)).toEqual(rows.map(({ seq }) => seq));
  expect(placed.at(-1)?.place).toBe(full.eventCount);
  expect(placed.slice(9, 13).map(({ place }) => place)).toEqual([10, 13, 18, 22]);
});
