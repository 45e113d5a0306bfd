/** Contracts of the agent service: ask, resume, cancel and the visitor's own sessions (§4, §6.3, architecture §6). */
import { z } from "zod";
import { agentImageFile } from "../agent-image";
import { LIMITS } from "../limits";
import { stripInvisible } from "../text/clean";
import { contract } from "./contract";
import { askEvents } from "./frames";

/** Lower case whatever the client sends: the id is also a key in memory, where two spellings would be two sessions. */
export const sessionId = z.uuid().toLowerCase();
/** An ask-stream cursor: `<visitor message seq>.<frame index>`. */
export const frameId = z.string().regex(/^\d{1,9}\.\d{1,9}$/);

const sessionParams = z.object({ id: sessionId });
/** Lone surrogates and NUL cannot be stored as Postgres text and are refused, not repaired. */
const storableText = z.string().refine((text) => text.isWellFormed() && !text.includes("\0"));

/** The invisible characters that are met most, for a pattern that every dialect of regular expressions reads. */
const UNSEEN = "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff";

export const askContract = contract({
  method: "POST",
  path: "/agent/ask",
  summary: "One visitor message in, one turn out as SSE. Exactly one `done` or `error` ends it.",
  body: z.object({
    sessionId: sessionId.optional(),
    prompt: storableText
      // A visitor's browser shows less than a text can hold; what is answered and stored is what was seen.
      .transform((text) => stripInvisible(text, { keep: "\n\t" }).trim())
      .pipe(z.string().min(1).max(LIMITS.promptChars))
      // `max` counts code points, limits count UTF-16 units.
      .refine((text) => text.length <= LIMITS.promptChars)
      .meta({
        // What JSON Schema can say of it; the rest is in words.
        pattern: `^[^\\u0000]*[^\\s${UNSEEN}][^\\u0000]*$`,
        description:
          `Without invisible characters and trimmed, 1 to ${LIMITS.promptChars} UTF-16 units; ` +
          "no NUL and no half of a surrogate pair.",
      }),
  }),
  bodyBytes: LIMITS.askBodyBytes,
  answer: "sse",
  stream: { id: frameId, events: askEvents },
  visitor: { needed: false, cookie: "issued" },
  refusals: [
    "bad_request",
    "too_large",
    "not_found",
    "turn_running",
    "slots_full",
    "daily_tokens",
    "daily_cost",
    "turn_limit",
    "rate_limited",
    "not_configured",
    "internal",
  ],
});

export const resumeContract = contract({
  method: "GET",
  path: "/agent/sessions/:id/stream",
  summary: "Joins the running turn after frame `after`: what was missed, then live. 204 when no turn runs.",
  params: sessionParams,
  query: z.object({ after: frameId.optional() }),
  answer: "sse",
  stream: { id: frameId, events: askEvents, mayBeIdle: true },
  visitor: { needed: true, cookie: "renewed" },
  refusals: ["bad_request", "not_found", "internal"],
});

export const cancelContract = contract({
  method: "POST",
  path: "/agent/sessions/:id/cancel",
  summary: "Stops the running turn. The partial answer is kept; the slot is free when this answers.",
  params: sessionParams,
  answer: z.object({ stopped: z.boolean() }),
  visitor: { needed: true, cookie: "renewed" },
  refusals: ["bad_request", "not_found", "internal"],
});

export const sessionSummary = z.object({
  id: sessionId,
  title: z.string(),
  createdAt: z.iso.datetime(),
  lastActiveAt: z.iso.datetime(),
  totalTokens: z.number().int().nonnegative(),
});
export type SessionSummary = z.infer<typeof sessionSummary>;

export const toolCallView = z.object({
  toolCallId: z.string(),
  name: z.string(),
  at: z.number().int().nonnegative(),
  inputPreview: z.string(),
  resultPreview: z.string(),
  isError: z.boolean(),
  durationMs: z.number().nonnegative().optional(),
});
export type ToolCallView = z.infer<typeof toolCallView>;

export const turnView = z.object({
  modelRoundTrips: z.number().int().nonnegative(),
  turnMs: z.number().nonnegative(),
  toolCalls: z.array(toolCallView),
});
export type TurnView = z.infer<typeof turnView>;

export const outcome = z.enum(["completed", "stopped", "failed", "interrupted"]);
export type Outcome = z.infer<typeof outcome>;

export const messageView = z.object({
  seq: z.number().int().nonnegative(),
  role: z.enum(["user", "assistant"]),
  content: z.string(),
  createdAt: z.iso.datetime(),
  /** Assistant messages only. */
  outcome: outcome.optional(),
  /** Present only when the turn called tools. */
  turn: turnView.optional(),
});
export type MessageView = z.infer<typeof messageView>;

export const sessionView = z.object({
  session: sessionSummary,
  messages: z.array(messageView),
  ctxPercent: z.number().optional(),
  /** Present while a turn runs; `turnSeq` is the seq of its visitor message. */
  running: z.object({ turnSeq: z.number().int() }).optional(),
});
export type SessionView = z.infer<typeof sessionView>;

export const createSessionContract = contract({
  method: "POST",
  path: "/agent/sessions",
  summary: "Creates an empty session, or returns the visitor's newest one that has no turn yet.",
  body: z.object({}),
  bodyBytes: LIMITS.emptyBodyBytes,
  answer: z.object({ session: sessionSummary }),
  visitor: { needed: false, cookie: "issued" },
  refusals: ["bad_request", "too_large", "rate_limited", "internal"],
});

export const listSessionsContract = contract({
  method: "GET",
  path: "/agent/sessions",
  summary: "The visitor's own sessions, newest first. Without a cookie: an empty list.",
  query: z.object({
    /** Decimal digits only, as on the wire. */
    limit: z
      .string()
      .regex(/^[1-9]\d{0,2}$/)
      .transform(Number)
      .pipe(z.number().int().min(1).max(LIMITS.sessionsListMax))
      .default(LIMITS.sessionsListDefault),
  }),
  answer: z.object({ sessions: z.array(sessionSummary) }),
  visitor: { needed: false, cookie: "renewed" },
  refusals: ["bad_request", "internal"],
});

export const getSessionContract = contract({
  method: "GET",
  path: "/agent/sessions/:id",
  summary: "One own session with its messages.",
  params: sessionParams,
  answer: sessionView,
  visitor: { needed: true, cookie: "renewed" },
  refusals: ["bad_request", "not_found", "internal"],
});

export const deleteSessionContract = contract({
  method: "DELETE",
  path: "/agent/sessions/:id",
  summary: "Deletes an own session with its messages, trace and images.",
  params: sessionParams,
  answer: null,
  visitor: { needed: true, cookie: "renewed" },
  refusals: ["bad_request", "not_found", "turn_running", "internal"],
});

export const imageContract = contract({
  method: "GET",
  path: "/agent/images/:file",
  summary: "A picture that the agent made in one of the visitor's own sessions; its extension is that of its type.",
  params: z.object({ file: z.string().regex(agentImageFile) }),
  answer: "bytes",
  media: ["image/png", "image/jpeg", "image/webp", "image/gif"],
  visitor: { needed: true, cookie: "renewed" },
  refusals: ["bad_request", "not_found", "internal"],
});
