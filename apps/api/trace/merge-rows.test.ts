import { expect, it } from "bun:test";
import type { TraceRow } from "../../../shared/trace-events";
import { mergeBySeq } from "./merge-rows";

const rows = (...seqs: number[]): TraceRow[] =>
  seqs.map((seq) => ({ seq, turnSeq: 0, eventType: "agent_start", mode: "notify", timestamp: "", data: {} }));

it.each([
  ["nothing", [], [], []],
  ["stored only", [0, 1], [], [0, 1]],
  ["in memory only", [], [0, 1], [0, 1]],
  ["an overlap once", [0, 1, 2], [1, 2, 3], [0, 1, 2, 3]],
  ["rows whose storage failed between stored ones", [0, 1, 4], [1, 2, 3, 4], [0, 1, 2, 3, 4]],
  ["the latest when there are too many", [0, 1, 2, 3], [4, 5], [1, 2, 3, 4, 5]],
])("joins %s", (_case, stored, recent, expected) => {
  expect(mergeBySeq(rows(...stored), rows(...recent), 5).map(({ seq }) => seq)).toEqual(expected);
});
