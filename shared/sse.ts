/** The wire form of server-sent events, and the closed sets of frames of both streams (§4.2, §5.1). */
import type { TurnErrorCode } from "./errors";
import type { TraceRow } from "./trace-events";

/** Totals that close a turn. `ctxPercent` is absent when unknown; never null, never 0 for unknown (§9). */
export interface TurnTotals {
  modelRoundTrips: number;
  turnMs: number;
  totalTokens: number;
  ctxPercent?: number;
}

export interface AskFrames {
  session: { sessionId: string };
  delta: { text: string };
  /** `at`: UTF-16 offset in the assistant text so far. */
  tool_start: { toolCallId: string; name: string; at: number; inputPreview: string };
  tool_end: { toolCallId: string; resultPreview: string; isError: boolean; durationMs: number };
  done: { sessionId: string; outcome: "completed" | "stopped" } & TurnTotals;
  error: { code: TurnErrorCode; message: string; outcome: "failed" | "interrupted" } & TurnTotals;
}
export type AskFrameName = keyof AskFrames;
/** `id` is `<seq of the visitor's message>.<index of the frame within the turn>`. */
export type AskFrame = { [K in AskFrameName]: { id: string; event: K; data: AskFrames[K] } }[AskFrameName];

export interface TraceFrames {
  trace: TraceRow;
  ready: { lastSeq: number };
  bye: { lastSeq: number; reason: "max-duration" | "superseded" | "slow-reader" | "shutdown" };
}
export type TraceFrameName = keyof TraceFrames;

export const HEARTBEAT = ": hb\n\n";

/** One event as text. `data` is JSON, so it holds no line break and needs one `data:` line. */
export function encodeSse(frame: { id?: string; event: string; data: unknown }): string {
  const id = frame.id === undefined ? "" : `id: ${frame.id}\n`;
  return `${id}event: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`;
}
