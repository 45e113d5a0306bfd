/** What a turn came to is counted from what the wire says of it, and from nothing else. */
import { expect, it } from "bun:test";
import type { TraceRow } from "../../../../shared/trace-events";
import recorded from "../../../../tests/fixtures/panel-session.json";
import { rowWriter } from "./__tests__/scripted-turn";
import { addRows, EMPTY_TRACE } from "./reduce";
import { summarise } from "./turn-summary";

const turnOf = (rows: readonly TraceRow[]) =>
  addRows(EMPTY_TRACE, rows, 0).turns.find(({ turnSeq }) => turnSeq !== null)!;

it("names the slowest call, the waits, who blocked and who changed the prompt", () => {
  const turn = turnOf(recorded.rows as unknown as TraceRow[]);
  const { slowestCall, waitedMs, failedCalls, blocked, addedChars } = summarise(turn);
  expect(slowestCall!.name).toBe("web_search");
  expect(waitedMs! > 0 && waitedMs! < turn.durationMs!).toBe(true);
  expect([failedCalls, [...blocked], [...addedChars]]).toEqual([1, [["xray-guard", 1]], [["xray-skills", 4381]]]);
});

it("leaves out what misses its other half", () => {
  const row = rowWriter();
  const rows = [
    row("input", 0),
    row("before_provider_request", 1),
    row("tool_execution_start", 2, { toolCallId: "a", toolName: "calc" }),
    row("agent_settled", 9),
  ];
  const { slowestCall, waitedMs, failedCalls, blocked, addedChars } = summarise(turnOf(rows));
  expect([slowestCall, waitedMs, failedCalls, blocked.size, addedChars.size]).toEqual([null, null, 0, 0, 0]);
});
