/**
 * The data of every frame of both streams, as schemas. `shared/sse.ts` has the same shapes as types, for the browser,
 * which never loads zod; the compiler holds the two together.
 */
import { z } from "zod";
import type { TURN_ERRORS } from "../errors";
import type { AskFrameName, AskFrames, TraceFrameName, TraceFrames } from "../sse";
import { TRACE_MODES } from "../trace-events";

const count = z.number().int().nonnegative();
const isoInstant = z.iso.datetime();

export const turnTotals = z.object({
  modelRoundTrips: count,
  turnMs: count,
  totalTokens: count,
  ctxPercent: z.number().nonnegative().optional().describe("Absent when unknown."),
});

const turnErrorCode = z.enum(["model_failed", "not_stored", "interrupted"] satisfies (keyof typeof TURN_ERRORS)[]);

export const askEvents = {
  session: z.object({ sessionId: z.uuid() }).describe("The first frame: the session that the turn belongs to."),
  delta: z.object({ text: z.string() }).describe("The next piece of the answer."),
  tool_start: z.object({
    toolCallId: z.string(),
    name: z.string(),
    at: count.describe("Offset in the answer so far, in UTF-16 units."),
    inputPreview: z.string(),
  }),
  tool_end: z.object({
    toolCallId: z.string(),
    resultPreview: z.string(),
    isError: z.boolean(),
    durationMs: z.number().nonnegative(),
  }),
  done: turnTotals
    .extend({ sessionId: z.uuid(), outcome: z.enum(["completed", "stopped"]) })
    .describe("The last frame of a turn that ended or was stopped."),
  error: turnTotals
    .extend({ code: turnErrorCode, message: z.string(), outcome: z.enum(["failed", "interrupted"]) })
    .describe("The last frame of a turn that failed. What arrived before it is kept."),
} satisfies { [K in AskFrameName]: z.ZodType<AskFrames[K]> };

export const jsonValue = z.json();

/** One sanitised kernel event (§5.1). */
export const traceRow = z.object({
  seq: count.describe("0, 1, 2 … within the session."),
  turnSeq: count.nullable().describe("`seq` of the visitor's message; null outside any turn."),
  eventType: z.string(),
  mode: z.enum(TRACE_MODES),
  timestamp: isoInstant,
  data: z.record(z.string(), jsonValue),
});

const lastSeq = z.number().int().min(-1).describe("The cursor to come back with; -1 before the first event.");

export const traceEvents = {
  trace: traceRow,
  ready: z.object({ lastSeq }).describe("Everything stored has been sent; what follows is live."),
  bye: z
    .object({ lastSeq, reason: z.enum(["max-duration", "superseded", "slow-reader", "shutdown"]) })
    .describe("The last frame. Reconnect with `lastSeq`, unless another reader took this one's place (`superseded`)."),
} satisfies { [K in TraceFrameName]: z.ZodType<TraceFrames[K]> };
