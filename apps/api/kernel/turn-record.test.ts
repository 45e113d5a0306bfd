import { expect, test } from "bun:test";
import { LIMITS } from "../../../shared/limits";
import { ManualClock } from "../../../tests/support/manual-clock.mts";
import { TurnRecord } from "./turn-record";

const setUp = () => new TurnRecord({ sessionId: "s", turnSeq: 0, clock: new ManualClock(), limits: LIMITS });
const assistant = (usage: object, more: object = {}) => ({
  type: "message_end",
  message: { role: "assistant", content: [{ type: "text", text: "" }], stopReason: "stop", usage, ...more },
});

test("adds the usage of every assistant message, and only finite numbers", () => {
  const record = setUp();
  record.observe(assistant({ totalTokens: 1_330, cost: { total: 0.00001 } }));
  record.observe(assistant({ totalTokens: 1_054, cost: { total: 0.000002 } }));
  record.observe(assistant({ totalTokens: Number.NaN, cost: { total: Number.POSITIVE_INFINITY } }));
  record.observe(assistant({ totalTokens: "12", cost: { total: -1 } }));
  record.observe({ type: "message_end", message: { role: "toolResult", usage: { totalTokens: 9 } } });
  expect(record.usage).toEqual({ totalTokens: 2_384, costMicros: 12 });
  expect(record.modelRoundTrips).toBe(4);
});

test("counts what no turn can have used as the most that is counted", () => {
  const record = setUp();
  for (const totalTokens of [1e308, Number.MAX_SAFE_INTEGER]) {
    record.observe(assistant({ totalTokens, cost: { total: 1e308 } }));
    expect(record.usage).toEqual({ totalTokens: LIMITS.turnTokens, costMicros: LIMITS.turnCostMicros });
  }
});

test("a round trip that was aborted before anything came does not count", () => {
  const record = setUp();
  record.observe(assistant({}, { stopReason: "aborted", content: [] }));
  record.observe(assistant({}, { stopReason: "aborted" }));
  expect(record.modelRoundTrips).toBe(1);
  expect(record.lastStopReason).toBe("aborted");
});

test("calls without an end are closed as failed, stored without a duration", async () => {
  const record = setUp();
  record.observe({ type: "tool_execution_start", toolCallId: "a", toolName: "t", args: {} });
  record.observe({ type: "tool_execution_start", toolCallId: "b", toolName: "t", args: {} });
  const result = { content: [{ type: "text", text: "ok" }] };
  record.observe({ type: "tool_execution_end", toolCallId: "b", toolName: "t", result, isError: false });
  record.finish();
  expect(record.toolCalls()).toEqual([
    { toolCallId: "a", name: "t", at: 0, inputPreview: "{}", resultPreview: "", isError: true },
    { toolCallId: "b", name: "t", at: 0, inputPreview: "{}", resultPreview: "ok", isError: false, durationMs: 0 },
  ]);
});

test("thinking and tool arguments are no part of the answer; a pair cut in two is", () => {
  const record = setUp();
  const part = (type: string, delta: string) =>
    record.observe({ type: "message_update", assistantMessageEvent: { type, contentIndex: 0, delta } });
  part("thinking_delta", "hidden");
  part("toolcall_delta", "{");
  part("text_delta", "a\ud83d");
  part("text_delta", "\ude00\0");
  record.finish();
  expect(record.content).toBe("a😀");
});
