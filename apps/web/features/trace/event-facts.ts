/**
 * What one trace row says, read defensively: the wire is typed, yet a newer server or a broken row must never take the
 * page down. Every reader returns null for what is absent or of another type.
 */
import {
  TRACE_EVENTS,
  TRACE_MODES,
  type HandlerDecision,
  type JsonObject,
  type JsonValue,
  type TraceMode,
  type TraceRow,
} from "../../../../shared/trace-events";

/** Types that the kernel emits many times a second and the observer merges (architecture §6). */
const STREAMING = new Set(["message_update", "tool_execution_update", "provider_stream_event"]);

export const isStreaming = (row: TraceRow): boolean => STREAMING.has(row.eventType);
export const isKnownEvent = (eventType: string): boolean => Object.hasOwn(TRACE_EVENTS, eventType);

/** A row from untrusted JSON; null when it cannot be placed in the order or in time. */
export function readRow(value: unknown): TraceRow | null {
  if (!isObject(value)) return null;
  const { seq, turnSeq, eventType, mode, timestamp, data } = value as Record<string, unknown>;
  if (!Number.isSafeInteger(seq) || (seq as number) < 0) return null;
  if (typeof eventType !== "string" || eventType === "") return null;
  if (typeof timestamp !== "string" || Number.isNaN(Date.parse(timestamp))) return null;
  const row = {
    seq: seq as number,
    turnSeq: Number.isSafeInteger(turnSeq) && (turnSeq as number) >= 0 ? (turnSeq as number) : null,
    eventType,
    mode: TRACE_MODES.includes(mode as TraceMode) ? (mode as TraceMode) : modeOf(eventType),
    timestamp,
    data: isObject(data) ? data : {},
  };
  sent.set(row, sent.get(value as unknown as TraceRow) ?? value);
  return row;
}

/** What the vocabulary says of an event whose row names no mode that this page knows; of an unknown event, nothing is known. */
const modeOf = (eventType: string): TraceMode =>
  Object.hasOwn(TRACE_EVENTS, eventType) ? TRACE_EVENTS[eventType as keyof typeof TRACE_EVENTS] : "notify";

const sent = new WeakMap<TraceRow, JsonObject>();

/** The row as it came, with whatever fields a newer server gives it. */
export const asSent = (row: TraceRow): JsonObject | TraceRow => sent.get(row) ?? row;

/** Kernel events behind the row: 1, or how many the observer merged into it. */
export function eventsIn(row: TraceRow): number {
  const merged = row.data.mergedCount;
  return typeof merged === "number" && Number.isSafeInteger(merged) && merged > 0 ? merged : 1;
}

const times = new WeakMap<TraceRow, number>();

/** Unix time of a row in milliseconds, worked out once: a long turn is laid out again with every event. */
export function timeOf(row: TraceRow): number {
  let time = times.get(row);
  if (time === undefined) {
    time = Date.parse(row.timestamp);
    times.set(row, time);
  }
  return time;
}

/** The kernel's rule for the name of a phase: a word, never a sentence. */
const PHASE = /^[a-z][a-z0-9_.-]{0,63}$/;

/** The phase that a call's update names. */
export function phaseOf({ data }: TraceRow): string | null {
  const text = textOf(data, "partialResultPreview");
  return text !== null && PHASE.test(text) ? text : null;
}

export function textOf(data: JsonObject, key: string): string | null {
  const value = data[key];
  return typeof value === "string" && value !== "" ? value : null;
}

export function numberOf(data: JsonObject, key: string): number | null {
  const value = data[key];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** `role` of the message that a `message_*` event is about. */
export function roleOf(row: TraceRow): string | null {
  const message = row.data.message;
  return isObject(message) ? textOf(message, "role") : null;
}

/** Who returned what, in the order the handlers ran; null when the row carries none. */
export function handlersOf(row: TraceRow): HandlerDecision[] | null {
  const list = row.data.handlers;
  if (!Array.isArray(list)) return null;
  const decisions: HandlerDecision[] = [];
  for (const entry of list) {
    if (!isObject(entry)) continue;
    const extension = textOf(entry, "extension");
    if (extension === null) continue;
    decisions.push({ extension, returned: isObject(entry.returned) ? entry.returned : null });
  }
  return decisions;
}

/** The extension that stopped a `tool_call` (`block`) or a `session_before_*` (`cancel`). */
export function blockerOf(handlers: HandlerDecision[] | null): string | null {
  const decided = handlers?.find(({ returned }) => returned?.block === true || returned?.cancel === true);
  return decided?.extension ?? null;
}

/** Whether a handler used what the event's mode allows it: stopped, changed or did it instead. */
export function wasDecided(row: TraceRow): boolean {
  const handlers = handlersOf(row);
  if (row.mode === "veto") return blockerOf(handlers) !== null;
  return row.mode !== "notify" && handlers?.some(({ returned }) => returned !== null) === true;
}

const PLAIN_WORD = /^[\w.-]+$/;

/** A preview of tool input, shortened to its values when it is a whole JSON object: `kernel / saying-no`. */
export function inputHint(preview: string | null): string | null {
  if (preview === null) return null;
  try {
    const parsed: unknown = JSON.parse(preview);
    if (!isObject(parsed)) return preview;
    const values = Object.values(parsed).map((value) =>
      typeof value === "string" && PLAIN_WORD.test(value) ? value : JSON.stringify(value),
    );
    return values.length === 0 ? null : values.join(" / ");
  } catch {
    return preview;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as a ledger shows it: text as it is, everything else as JSON. */
export function valueText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, isFlat(value) ? 0 : 1);
}

function isFlat(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((inner) => typeof inner !== "object" || inner === null);
}
