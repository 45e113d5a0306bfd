/** Hand-made trace rows for the tests of this folder: one whole turn with every kind of row, and a way to write others. */
import { type JsonObject, TRACE_EVENTS, type TraceEventName, type TraceRow } from "../../../../../shared/trace-events";

export const T0 = Date.parse("2026-03-01T12:00:00.000Z");

/** Numbers the rows in the order they are written; times are milliseconds after `T0`. */
export function rowWriter(turnSeq: number | null = 0, firstSeq = 0) {
  let seq = firstSeq;
  return (eventType: string, atMs: number, data: JsonObject = {}, ofTurn: number | null = turnSeq): TraceRow => {
    const mode = TRACE_EVENTS[eventType as TraceEventName] ?? "notify";
    return { seq: seq++, turnSeq: ofTurn, eventType, mode, timestamp: new Date(T0 + atMs).toISOString(), data };
  };
}

const GUARD_SAYS_NO = [
  { extension: "observer", returned: null },
  { extension: "xray-guard", returned: { block: true, reason: "no such script" } },
];

/** Two round trips, a call that works, one that is stopped, merged streams, and a whole settled end. 30 rows, 46 events. */
export function wholeTurn(turnSeq = 0, firstSeq = 0): TraceRow[] {
  const row = rowWriter(turnSeq, firstSeq);
  return [
    row("input", 0, { text: "hi" }),
    row("before_agent_start", 5),
    row("agent_start", 8),
    row("turn_start", 10, { turnIndex: 0 }),
    row("context", 12, { messageCount: 2 }),
    row("before_provider_headers", 13),
    row("before_provider_request", 14),
    row("after_provider_response", 114, { status: 200 }),
    row("message_start", 115, { message: { role: "assistant", preview: "" } }),
    row("provider_stream_event", 116, { mergedCount: 3 }),
    row("message_update", 120, { mergedCount: 5 }),
    row("provider_stream_event", 216, { mergedCount: 4 }),
    row("message_update", 220, { mergedCount: 7 }),
    row("message_end", 221, { message: { role: "assistant", preview: "" } }),
    row("tool_execution_start", 230, { toolCallId: "a", toolName: "notes_search", argsPreview: '{"query":"x"}' }),
    row("tool_call", 231, { toolCallId: "a", toolName: "notes_search", handlers: [] }),
    row("tool_execution_start", 232, { toolCallId: "b", toolName: "skill_run" }),
    row("tool_call", 233, { toolCallId: "b", toolName: "skill_run", handlers: GUARD_SAYS_NO }),
    row("tool_execution_update", 240, { toolCallId: "a", mergedCount: 2 }),
    row("tool_execution_end", 241, { toolCallId: "b", toolName: "skill_run", isError: true }),
    row("tool_execution_update", 250, { toolCallId: "a" }),
    row("tool_result", 260, { toolCallId: "a", toolName: "notes_search" }),
    row("tool_execution_end", 262, { toolCallId: "a", toolName: "notes_search", isError: false }),
    row("turn_end", 270, { turnIndex: 0 }),
    row("turn_start", 271, { turnIndex: 1 }),
    row("before_provider_request", 272),
    row("message_update", 400),
    row("turn_end", 410, { turnIndex: 1 }),
    row("agent_end", 411),
    row("agent_settled", 412),
  ];
}
