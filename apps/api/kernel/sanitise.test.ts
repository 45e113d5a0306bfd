import { describe, expect, test } from "bun:test";
import { LIMITS } from "../../../shared/limits";
import { TRACE_EVENTS, type TraceEventName } from "../../../shared/trace-events";
import { type KernelEvent, SANITISE_FIELDS, sanitiseEvent } from "./sanitise";

const SECRET = "zz9-plural-z-alpha";

/** An event with every field pi has anywhere, each with the secret in it, as text and nested. */
function hostileEvent(type: string): KernelEvent {
  const nested = {
    role: "assistant",
    content: [
      { type: "image", data: SECRET },
      { type: "thinking", thinking: SECRET },
    ],
    type: "text_delta",
    model: SECRET,
    apiKey: SECRET,
    errorMessage: SECRET,
    partial: { content: SECRET },
    details: { host: SECRET },
  };
  const names = [
    "authorization",
    "apiKey",
    "headers",
    "payload",
    "data",
    "provider",
    "api",
    "model",
    "previousModel",
    "errorMessage",
    "cwd",
    "previousSessionFile",
    "targetSessionFile",
    "systemPrompt",
    "systemPromptOptions",
    "images",
    "entries",
    "branchEntries",
    "preparation",
    "compactionEntry",
    "summaryEntry",
    "details",
    "structuredContent",
    "usage",
    "servers",
    "title",
    "warmCost",
    "missCost",
    "context",
    "customInstructions",
    "messageEntryId",
    "parentToolCallId",
    "signal",
    "message",
    "messages",
    "toolResults",
    "assistantMessageEvent",
    "partialResult",
    "result",
    "content",
    "args",
    "input",
    "reason",
    "status",
    "handlers",
    "mergedCount",
  ];
  return { ...Object.fromEntries(names.map((name) => [name, { ...nested, [name]: SECRET }])), cwd: SECRET, type };
}

describe.each(Object.keys(TRACE_EVENTS) as TraceEventName[])("%s", (type) => {
  test("lets out no field that is not in its row of the table", () => {
    const allowed = ["type", ...Object.keys(SANITISE_FIELDS[type])];
    const shown = Object.keys(sanitiseEvent(hostileEvent(type), { handlers: [], mergedCount: 1 }));
    expect(shown.filter((key) => !allowed.includes(key))).toEqual([]);
  });

  test("shows nothing of what pi nests in its fields", () => {
    const event = hostileEvent(type);
    // What a model sends to a tool is shown, so it is no place for a secret in this test.
    const shown = sanitiseEvent({ ...event, args: {}, input: {} });
    expect(JSON.stringify(shown)).not.toContain(SECRET);
  });
});

test("an unknown event shows its type and nothing else", () => {
  expect(sanitiseEvent(hostileEvent("brand_new_event"))).toEqual({ type: "brand_new_event" });
  expect(sanitiseEvent(hostileEvent("toString"))).toEqual({ type: "toString" });
});

test("headers and request bodies never leave", () => {
  const headers = { Authorization: "Bearer abcdefghijk", "x-api-key": "1" };
  expect(sanitiseEvent({ type: "before_provider_headers", headers })).toEqual({ type: "before_provider_headers" });
  expect(sanitiseEvent({ type: "before_provider_request", payload: { headers } })).toEqual({
    type: "before_provider_request",
  });
  expect(sanitiseEvent({ type: "after_provider_response", status: 200, headers })).toEqual({
    type: "after_provider_response",
    status: 200,
  });
});

test("a chosen model is not named", () => {
  const model = { id: "qq-17x", provider: "zz9", baseUrl: "https://zz9gw.example" };
  expect(sanitiseEvent({ type: "model_select", model, previousModel: model, source: "set" })).toEqual({
    type: "model_select",
    source: "set",
  });
});

test("directories of this machine read as one constant", () => {
  expect(sanitiseEvent({ type: "resources_discover", cwd: "/srv/app", reason: "startup" })).toEqual({
    type: "resources_discover",
    cwd: "/",
    reason: "startup",
  });
});

test("the system prompt gives no preview, and a message only the beginning of its text", () => {
  const message = { role: "system", content: "the prompt" };
  expect(sanitiseEvent({ type: "message_end", message }).message).toEqual({ role: "system" });
  const answer = {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "hidden" },
      { type: "text", text: "y".repeat(250) },
    ],
    errorMessage: "401: host said no",
  };
  expect(sanitiseEvent({ type: "message_end", message: answer })).toEqual({
    type: "message_end",
    message: { role: "assistant", preview: `${"y".repeat(200)}…[+50 chars]` },
  });
});

test("a streamed part comes without the message around it, and tool arguments only whole and redacted", () => {
  const part = { type: "text_delta", contentIndex: 1, delta: "hi", partial: { content: "whole" } };
  expect(sanitiseEvent({ type: "message_update", message: { content: "whole" }, assistantMessageEvent: part })).toEqual(
    {
      type: "message_update",
      assistantMessageEvent: { type: "text_delta", contentIndex: 1, delta: "hi" },
    },
  );
  const piece = { type: "toolcall_delta", contentIndex: 2, delta: '{"password":"hunter2' };
  expect(sanitiseEvent({ type: "message_update", assistantMessageEvent: piece })).toEqual({
    type: "message_update",
    assistantMessageEvent: { type: "toolcall_delta", contentIndex: 2 },
  });
  expect(
    sanitiseEvent({ type: "tool_execution_start", toolCallId: "1", toolName: "t", args: { password: "hunter2" } }),
  ).toEqual({
    type: "tool_execution_start",
    toolCallId: "1",
    toolName: "t",
    argsPreview: '{"password":"[redacted]"}',
  });
});

test("a tool result shows its text, never its details", () => {
  const result = { content: [{ type: "text", text: "found" }], details: { host: "gw.example" } };
  expect(sanitiseEvent({ type: "tool_execution_end", toolCallId: "1", toolName: "t", result, isError: false })).toEqual(
    {
      type: "tool_execution_end",
      toolCallId: "1",
      toolName: "t",
      isError: false,
      resultPreview: "found",
    },
  );
});

test("a decided event shows who was asked and what came back", () => {
  const handlers = [
    { extension: "first", returned: null },
    { extension: "xray-guard", returned: { block: true, reason: "enough" } },
  ];
  const event = { type: "tool_call", toolCallId: "1", toolName: "t", input: { q: "x" } };
  expect(sanitiseEvent(event, { handlers })).toEqual({
    type: "tool_call",
    toolCallId: "1",
    toolName: "t",
    inputPreview: '{"q":"x"}',
    handlers,
  });
});

test("a text of 100 KB is cut; an event that is still too large shows that it was", () => {
  const text = "x".repeat(100_000);
  expect(sanitiseEvent({ type: "input", text, source: "rpc" })).toEqual({
    type: "input",
    text: `${"x".repeat(400)}…[+99600 chars]`,
    source: "rpc",
  });
  const handlers = Array.from({ length: 20 }, (_, i) => ({
    extension: `e${i}`,
    returned: Object.fromEntries(Array.from({ length: 30 }, (_, k) => [`f${k}`, "好".repeat(390)])),
  }));
  const data = sanitiseEvent({ type: "tool_call", toolCallId: "1", toolName: "t", input: {} }, { handlers });
  expect(data).toEqual({ type: "tool_call", oversized: true });
});

test("every row can be stored: no NUL and no lone surrogate, and never over the size", () => {
  const data = sanitiseEvent({ type: "input", text: `a\0b\udc00${"😀".repeat(5_000)}`, source: "rpc" });
  const json = JSON.stringify(data);
  expect(json).not.toMatch(/\\u0000|\\ud[89a-f]/i);
  expect(Buffer.byteLength(json)).toBeLessThanOrEqual(LIMITS.eventBytes);
});
