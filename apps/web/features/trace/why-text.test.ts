import { expect, it } from "bun:test";
import { rowWriter, T0 } from "./__tests__/scripted-turn";
import { addRows, EMPTY_TRACE } from "./reduce";
import { type Translate, whyText } from "./why-text";

const t: Translate = (key, values) => `${key} ${JSON.stringify(values)}`;
const itemOf = (eventType: string, data = {}) =>
  addRows(EMPTY_TRACE, [rowWriter()(eventType, 0, data)], T0).turns[0]!.items[0]!;

it("asks about a call with its input, and about an event by its name", () => {
  const call = itemOf("tool_execution_start", { toolCallId: "a", toolName: "x", argsPreview: '{"q":1}' });
  expect(whyText(3, call, t)).toBe('why.toolInput {"number":3,"tool":"x","input":"{\\"q\\":1}"}');
  expect(whyText(3, itemOf("tool_execution_start", { toolCallId: "a", toolName: "x" }), t)).toBe(
    'why.tool {"number":3,"tool":"x"}',
  );
  expect(whyText(3, itemOf("context"), t)).toBe('why.event {"number":3,"event":"context"}');
  expect(whyText(null, itemOf("session_start"), t)).toBe('why.eventOutside {"event":"session_start"}');
});

it("cuts the input at 120 characters and never through a surrogate pair", () => {
  const input = (argsPreview: string) => {
    const asked = whyText(1, itemOf("tool_execution_start", { toolCallId: "a", toolName: "x", argsPreview }), t);
    return (JSON.parse(asked.slice("why.toolInput ".length)) as { input: string }).input;
  };
  expect(input("a".repeat(120))).toBe("a".repeat(120));
  expect(input("a".repeat(121))).toBe(`${"a".repeat(120)}…`);
  expect(input(`${"a".repeat(119)}😀b`)).toBe(`${"a".repeat(119)}…`);
});
