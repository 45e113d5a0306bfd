import { expect, test } from "bun:test";
import { CallNames } from "./call-names";

const event = (type: string, toolCallId?: string) => ({ type, ...(toolCallId === undefined ? {} : { toolCallId }) });

test("one call keeps one name through its events, and the provider's id is gone", () => {
  const names = new CallNames();
  const types = ["tool_execution_start", "tool_call", "tool_execution_update", "tool_result", "tool_execution_end"];
  const renamed = types.map((type, i) => names.rename(event(type, "toolu_01abc"), 20 + i));
  expect(renamed).toEqual(types.map((type) => ({ type, toolCallId: "call-20" })));
});

test("an id that a provider uses again is another call", () => {
  const names = new CallNames();
  const ids = ["tool_execution_start", "tool_execution_end", "tool_execution_start", "tool_execution_end"].map(
    (type, i) => names.rename(event(type, "call_0"), i).toolCallId,
  );
  expect(ids).toEqual(["call-0", "call-0", "call-2", "call-2"]);
});

test("an empty id and events without one", () => {
  const names = new CallNames();
  expect(names.rename(event("tool_execution_start", ""), 3)).toEqual({
    type: "tool_execution_start",
    toolCallId: "call-3",
  });
  expect(names.rename(event("turn_start"), 4)).toEqual({ type: "turn_start" });
});
