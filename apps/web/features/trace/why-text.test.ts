import { expect, it } from "bun:test";
import zh from "../../messages/trace.zh.json";
import { rowWriter, T0 } from "./__tests__/scripted-turn";
import { addRows, EMPTY_TRACE } from "./reduce";
import { type Translate, whyCallText, whyText } from "./why-text";

const t: Translate = (key, values) => `${key} ${JSON.stringify(values)}`;
const itemOf = (eventType: string, data = {}) =>
  addRows(EMPTY_TRACE, [rowWriter()(eventType, 0, data)], T0).turns[0]!.items[0]!;

it("asks about a call with its input, and about an event by its name", () => {
  const call = itemOf("tool_execution_start", { toolCallId: "a", toolName: "x", argsPreview: '{"q":1}' });
  expect(whyText(3, call, t)).toBe('why.calledWith {"number":3,"tool":"x","input":"{\\"q\\":1}"}');
  expect(whyText(3, itemOf("tool_execution_start", { toolCallId: "a", toolName: "x" }), t)).toBe(
    'why.called {"number":3,"tool":"x"}',
  );
  expect(whyText(3, itemOf("context"), t)).toBe('why.event {"number":3,"event":"context"}');
  expect(whyText(3, itemOf("turn_start", { turnIndex: 0 }), t)).toBe('why.roundTrip {"number":3,"trip":1}');
  expect(whyText(null, itemOf("session_start"), t)).toBe('why.eventOutside {"event":"session_start"}');
});

it("asks about a failed call why it failed, in the same words from the chat and from the trace", () => {
  const rows = [
    rowWriter()("tool_execution_start", 0, { toolCallId: "a", toolName: "x", argsPreview: "{}" }),
    { ...rowWriter()("tool_execution_end", 1, { toolCallId: "a", toolName: "x", isError: true }), seq: 1 },
  ];
  const call = addRows(EMPTY_TRACE, rows, T0).turns[0]!.items[0]!;
  const asked = 'why.failedWith {"number":2,"tool":"x","input":"{}"}';
  expect(whyText(2, call, t)).toBe(asked);
  expect(whyCallText({ number: 2, tool: "x", inputPreview: "{}", ended: "failed" }, t)).toBe(asked);
  expect(whyCallText({ number: 2, tool: "x", inputPreview: "", ended: "failed" }, t)).toBe(
    'why.failed {"number":2,"tool":"x"}',
  );
});

it("asks about a blocked call why it was blocked", () => {
  const rows = [
    rowWriter()("tool_execution_start", 0, { toolCallId: "a", toolName: "x" }),
    rowWriter(0, 1)("tool_call", 1, { toolCallId: "a", handlers: [{ extension: "guard", returned: { block: true } }] }),
    rowWriter(0, 2)("tool_execution_end", 2, { toolCallId: "a", toolName: "x", isError: true }),
  ];
  const call = addRows(EMPTY_TRACE, rows, T0).turns[0]!.items[0]!;
  expect(whyText(2, call, t)).toBe('why.blocked {"number":2,"tool":"x"}');
});

it("cuts the input at 120 characters and never through a surrogate pair", () => {
  const input = (argsPreview: string) => {
    const asked = whyText(1, itemOf("tool_execution_start", { toolCallId: "a", toolName: "x", argsPreview }), t);
    return (JSON.parse(asked.slice("why.calledWith ".length)) as { input: string }).input;
  };
  expect(input("a".repeat(120))).toBe("a".repeat(120));
  expect(input("a".repeat(121))).toBe(`${"a".repeat(120)}…`);
  expect(input(`${"a".repeat(119)}😀b`)).toBe(`${"a".repeat(119)}…`);
});

it("sets no space around a round trip in Chinese", () => {
  expect(zh.trace.why.roundTrip).toBe("第 {number} 轮里的第 {trip} 次往返做了什么，为什么需要它？");
});
