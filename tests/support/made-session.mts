/**
 * Sessions made by rule instead of by a model: as many turns, round trips and calls as asked for, the same ones each
 * time, as chat and as trace. For what needs a session of a certain size or shape, not what an agent would say.
 */
import type { MessageView } from "../../shared/contracts/agent.ts";
import { type JsonObject, TRACE_EVENTS, type TraceEventName, type TraceRow } from "../../shared/trace-events.ts";

export const MADE_AT_MS = Date.parse("2026-03-01T12:00:00.000Z");

export interface MadeSession {
  messages: MessageView[];
  rows: TraceRow[];
}

export interface MadeShape {
  turns: number;
  /** Round trips a turn; every one but the last calls a tool. */
  trips: number;
  /** Streamed parts an answer is recorded in. */
  updates?: number;
  /** The last call of every turn is stopped by a handler. */
  blocked?: boolean;
}

/** Each turn has 7 rows around its round trips, and a round trip 18 with a call, 8 + `updates` without. */
export function madeSession({ turns, trips, updates = 3, blocked = false }: MadeShape): MadeSession {
  const messages: MessageView[] = [];
  const write = rowWriter();
  const rows: TraceRow[] = [write(null, "session_start", 0, { reason: "startup" })];
  for (let turn = 0; turn < turns; turn++) {
    const turnSeq = turn * 2;
    const startMs = turn * 60_000;
    const calls: NonNullable<MessageView["turn"]>["toolCalls"] = [];
    const row = (eventType: string, atMs: number, data: JsonObject = {}) =>
      rows.push(write(turnSeq, eventType, startMs + atMs, data));
    row("input", 0, { text: `Question ${turn + 1}` });
    row("before_agent_start", 4, { handlers: [{ extension: "xray-skills", returned: { skills: ["text-tools"] } }] });
    row("agent_start", 6);
    for (let trip = 0; trip < trips; trip++) {
      const at = 10 + trip * 1_000;
      row("turn_start", at, { turnIndex: trip });
      row("context", at + 2, { messageCount: trip * 2 + 1 });
      row("before_provider_request", at + 4);
      row("after_provider_response", at + 300, { status: 200 });
      row("message_start", at + 310, { message: { role: "assistant", preview: "" } });
      for (let part = 0; part < updates; part++) {
        const event = { type: "text_delta", contentIndex: 0, delta: "part " };
        row("message_update", at + 320 + part * 100, { assistantMessageEvent: event, mergedCount: 5 });
      }
      const end = at + 330 + updates * 100;
      row("message_end", end, { message: { role: "assistant", preview: "part part" } });
      if (trip < trips - 1) {
        const toolCallId = `call-${turn}-${trip}`;
        const stopped = blocked && trip === trips - 2;
        const call = { toolCallId, toolName: stopped ? "skill_run" : "notes_search" };
        const no = { block: true, reason: "no such script" };
        row("tool_execution_start", end + 10, { ...call, argsPreview: '{"text":"word"}' });
        row("tool_call", end + 12, { ...call, handlers: [{ extension: "xray-guard", returned: stopped ? no : null }] });
        if (!stopped) {
          row("tool_execution_update", end + 14, { ...call, partialResultPreview: "validated", mergedCount: 1 });
          row("tool_execution_update", end + 18, { ...call, partialResultPreview: "running", mergedCount: 2 });
          row("tool_result", end + 40, call);
        }
        row("tool_execution_end", end + 42, { ...call, isError: stopped, resultPreview: stopped ? "no" : "found" });
        calls.push({
          toolCallId,
          name: call.toolName,
          at: 0,
          inputPreview: '{"text":"word"}',
          resultPreview: stopped ? "no such script" : "found",
          isError: stopped,
          durationMs: 32,
        });
      }
      row("turn_end", end + 50, { turnIndex: trip });
    }
    const turnMs = 10 + trips * 1_000;
    row("agent_end", turnMs);
    row("agent_settled", turnMs + 2);
    messages.push(
      { seq: turnSeq, role: "user", content: `Question ${turn + 1}`, createdAt: at(startMs) },
      {
        seq: turnSeq + 1,
        role: "assistant",
        content: `Answer ${turn + 1}, in one sentence.`,
        createdAt: at(startMs + turnMs),
        outcome: "completed",
        turn: { modelRoundTrips: trips, turnMs, toolCalls: calls },
      },
    );
  }
  return { messages, rows };
}

const at = (ms: number): string => new Date(MADE_AT_MS + ms).toISOString();

/** Numbers rows in the order in which they are written. */
export function rowWriter(firstSeq = 0) {
  let seq = firstSeq;
  return (turnSeq: number | null, eventType: string, atMs: number, data: JsonObject = {}): TraceRow => ({
    seq: seq++,
    turnSeq,
    eventType,
    mode: TRACE_EVENTS[eventType as TraceEventName] ?? "notify",
    timestamp: at(atMs),
    data: { type: eventType, ...data },
  });
}
