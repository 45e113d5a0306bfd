/**
 * The whitelist of the trace (§5.3): which fields of which kernel event may leave the server, read by name and never
 * by walking the event. It is applied where an event enters our code, before it is stored or published. An event that
 * is not listed shows its type.
 */
import { LIMITS } from "../../../shared/limits";
import { boundedJson } from "../../../shared/text/bounded-json";
import { previewText, traceCutMark } from "../../../shared/text/preview";
import {
  type HandlerDecision,
  type JsonObject,
  type JsonValue,
  type ListedExtension,
  TRACE_EVENTS,
  type TraceEventName,
} from "../../../shared/trace-events";

/** A kernel event as pi hands it out: live objects of any shape. */
export interface KernelEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What our own code adds to an event. */
export interface EventExtra {
  /** What our extensions returned, on the events they decide. */
  handlers?: readonly HandlerDecision[];
  /** Who is registered for what, on the start of a session. */
  extensions?: readonly ListedExtension[];
  /** How many events the row stands for, on the events that are merged. */
  mergedCount?: number;
}

type Field = (event: KernelEvent, extra: EventExtra) => JsonValue | undefined;

/** A path on this machine has no public value; every one of them reads as this. */
const PUBLIC_PATH = "/";

/** Own fields pass only when they are plain values: an object in their place is left out, not searched. */
const own =
  (name: string): Field =>
  (event) => {
    const value = event[name];
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined;
  };
const publicPath: Field = () => PUBLIC_PATH;
const countOf =
  (name: string): Field =>
  (event) => {
    const list = event[name];
    return Array.isArray(list) ? list.length : undefined;
  };
const jsonPreview =
  (name: string): Field =>
  (event) =>
    previewText(event[name], { mark: "trace" });
/** Of a tool result only its text: structured side data stays on the server (architecture §14, Trace). */
const textPreview =
  (name: string): Field =>
  (event) =>
    previewText(resultText(event[name]), { mark: "trace" });

const handlers: Field = (_event, extra) => extra.handlers?.map(({ extension, returned }) => ({ extension, returned }));
const extensions: Field = (_event, extra) =>
  extra.extensions?.map(({ extension, listensTo }) => ({ extension, listensTo: [...listensTo] }));
const mergedCount: Field = (_event, extra) => extra.mergedCount;

const call = { toolCallId: own("toolCallId"), toolName: own("toolName") };
const compaction = { reason: own("reason"), willRetry: own("willRetry") };

/**
 * Every event with its public fields, for the observer and for the documentation. The seven events that the
 * specification's older list lacks follow the same rule: states and counts, no content, no cost, no name of a server.
 */
export const SANITISE_FIELDS: Record<TraceEventName, Readonly<Record<string, Field>>> = {
  session_start: { reason: own("reason"), extensions },
  session_info_changed: { name: own("name") },
  session_compact: { ...compaction, fromExtension: own("fromExtension") },
  session_compact_failed: { ...compaction, aborted: own("aborted"), fromExtension: own("fromExtension") },
  session_shutdown: { reason: own("reason") },
  session_tree: { newLeafId: own("newLeafId"), oldLeafId: own("oldLeafId"), fromExtension: own("fromExtension") },
  session_before_compact: compaction,
  session_before_tree: {},
  session_before_switch: { reason: own("reason") },
  session_before_fork: { entryId: own("entryId"), position: own("position") },
  mcp_servers_change: { serverCount: countOf("servers") },
  resources_discover: { cwd: publicPath, reason: own("reason") },
  project_trust: { cwd: publicPath },
  user_bash: { command: own("command"), excludeFromContext: own("excludeFromContext"), cwd: publicPath },
  input: { text: own("text"), source: own("source"), streamingBehavior: own("streamingBehavior") },
  cache_warming_decision: { action: own("action") },
  before_agent_start: { prompt: own("prompt"), handlers },
  context: { messageCount: countOf("messages") },
  context_with_system: { messageCount: countOf("messages") },
  before_provider_headers: {},
  before_provider_request: {},
  after_provider_response: { status: own("status") },
  provider_stream_event: { mergedCount },
  agent_start: {},
  agent_end: { messageCount: countOf("messages") },
  agent_before_settle: { outcome: own("outcome") },
  agent_settled: { aborted: own("aborted") },
  turn_start: { turnIndex: own("turnIndex"), timestamp: own("timestamp") },
  turn_end: {
    turnIndex: own("turnIndex"),
    outcome: own("outcome"),
    message: messageSummary,
    toolResultCount: countOf("toolResults"),
  },
  message_start: { message: messageSummary },
  message_update: { assistantMessageEvent: streamedPart, mergedCount },
  message_end: { message: messageSummary },
  tool_call: { ...call, inputPreview: jsonPreview("input"), handlers },
  tool_execution_start: { ...call, argsPreview: jsonPreview("args") },
  tool_execution_update: { ...call, partialResultPreview: textPreview("partialResult"), mergedCount },
  tool_execution_end: {
    ...call,
    isError: own("isError"),
    resultPreview: textPreview("result"),
  },
  tool_result: {
    ...call,
    isError: own("isError"),
    contentPreview: (event) => previewText(contentText(event.content), { mark: "trace" }),
  },
  // The source only: a summary of the model would name it (§5.4).
  model_select: { source: own("source") },
  thinking_level_select: { level: own("level"), previousLevel: own("previousLevel") },
  ui_prompt_start: { reason: own("reason"), kind: own("kind") },
  ui_prompt_end: { reason: own("reason"), kind: own("kind") },
};

/** What the public may see of an event. */
export function sanitiseEvent(event: KernelEvent, extra: EventExtra = {}): JsonObject {
  const data: JsonObject = { type: event.type };
  const fields = isTraceEvent(event.type) ? SANITISE_FIELDS[event.type] : {};
  for (const [name, read] of Object.entries(fields)) {
    const value = read(event, extra);
    if (value !== undefined) data[name] = value;
  }
  return bounded(event.type, data);
}

export function isTraceEvent(type: string): type is TraceEventName {
  return Object.hasOwn(TRACE_EVENTS, type);
}

/** The text blocks of a message or tool result, joined; "" when there are none. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts: string[] = [];
  for (const block of content) {
    if (block?.type === "text" && typeof block.text === "string") texts.push(block.text);
  }
  return texts.join("\n");
}

/** The text of what a tool returned. */
export function resultText(result: unknown): string {
  return contentText((result as { content?: unknown } | null | undefined)?.content);
}

function bounded(type: string, data: JsonObject): JsonObject {
  const value = boundedJson(data, {
    stringChars: LIMITS.previewChars,
    totalChars: LIMITS.eventBytes,
    cutMark: traceCutMark,
  }) as JsonObject;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes <= LIMITS.eventBytes ? value : { type: type.slice(0, LIMITS.eventKeyChars), oversized: true };
}

/** Role and beginning of a message. The system prompt gives no preview. */
function messageSummary(event: KernelEvent): JsonValue | undefined {
  const message = event.message as { role?: unknown; content?: unknown } | null | undefined;
  if (typeof message?.role !== "string") return undefined;
  if (message.role === "system") return { role: message.role };
  const preview = previewText(contentText(message.content), { mark: "trace", chars: LIMITS.messagePreviewChars });
  return { role: message.role, preview };
}

/**
 * One streamed part without the message that pi repeats in it. Pieces of a tool call's arguments are not shown: a
 * credential in them has no key beside it to be known by. The whole call follows as `tool_execution_start`.
 */
function streamedPart(event: KernelEvent): JsonValue | undefined {
  const part = event.assistantMessageEvent as { type?: unknown; contentIndex?: unknown; delta?: unknown } | undefined;
  if (typeof part?.type !== "string") return undefined;
  const shown: JsonObject = { type: part.type };
  if (typeof part.contentIndex === "number") shown.contentIndex = part.contentIndex;
  if (typeof part.delta === "string" && !part.type.startsWith("toolcall")) shown.delta = part.delta;
  return shown;
}
