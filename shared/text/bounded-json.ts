/**
 * Any value as small, clean JSON: bounded in depth, width, string length and total work, without credentials and
 * without characters that cannot be stored. Never throws: a value that cannot be read is an ellipsis.
 */
import { LIMITS } from "../limits";
import type { JsonObject, JsonValue } from "../trace-events";
import { stripInvisible } from "./clean";
import { isSecretKey, REDACTED, redactText } from "./redact";

/** Stands for what lies deeper or further than the bounds. */
const ELLIPSIS = "…";
/** More than a credential pattern needs to match, so that a cut cannot hide one from it. */
const REDACTION_MARGIN_CHARS = 64;

export interface JsonBounds {
  stringChars: number;
  /** Characters of keys and strings after which nothing more is read. */
  totalChars: number;
  /** Ends a cut string; gets the number of UTF-16 units left out. */
  cutMark(omittedChars: number): string;
}

/** The value within the bounds; undefined for what JSON does not have. */
export function boundedJson(value: unknown, bounds: JsonBounds): JsonValue | undefined {
  try {
    return visit(value, 1, { bounds, charsLeft: bounds.totalChars });
  } catch {
    return ELLIPSIS;
  }
}

/** Redacted, storable text of at most `chars` UTF-16 units and then the mark. Never half a surrogate pair. */
export function cutText(text: string, chars: number, cutMark: (omittedChars: number) => string): string {
  const head = text.length > chars + REDACTION_MARGIN_CHARS ? text.slice(0, chars + REDACTION_MARGIN_CHARS) : text;
  const clean = redactText(stripInvisible(head, { keep: "\n\t" }));
  const omittedChars = text.length - head.length + clean.length - chars;
  if (omittedChars <= 0) return clean;
  return `${clean.slice(0, isHighSurrogate(clean, chars - 1) ? chars - 1 : chars)}${cutMark(omittedChars)}`;
}

interface Walk {
  bounds: JsonBounds;
  charsLeft: number;
}

function visit(value: unknown, depth: number, walk: Walk): JsonValue | undefined {
  switch (typeof value) {
    case "string": {
      const text = cutText(value, walk.bounds.stringChars, walk.bounds.cutMark);
      walk.charsLeft -= text.length;
      return text;
    }
    case "number":
      return Number.isFinite(value) ? value : null;
    case "boolean":
      return value;
    case "bigint":
      return value.toString();
    case "object":
      if (value === null) return null;
      if (depth > LIMITS.eventDepth) return ELLIPSIS;
      return Array.isArray(value) ? visitArray(value, depth, walk) : visitObject(value, depth, walk);
    default:
      return undefined;
  }
}

function visitArray(items: readonly unknown[], depth: number, walk: Walk): JsonValue[] {
  const kept: JsonValue[] = [];
  for (const item of items.slice(0, LIMITS.eventArrayItems)) {
    if (walk.charsLeft <= 0) break;
    walk.charsLeft -= 1;
    kept.push(visit(item, depth + 1, walk) ?? null);
  }
  if (kept.length < items.length) kept.push(ELLIPSIS);
  return kept;
}

function visitObject(value: object, depth: number, walk: Walk): JsonObject {
  const keys = Object.keys(value);
  const kept: [string, JsonValue][] = [];
  for (const key of keys.slice(0, LIMITS.eventProperties)) {
    if (walk.charsLeft <= 0) break;
    const shownKey = cutText(key, LIMITS.eventKeyChars, () => ELLIPSIS);
    walk.charsLeft -= shownKey.length + 1;
    const field = isSecretKey(key) ? REDACTED : visit((value as Record<string, unknown>)[key], depth + 1, walk);
    if (field !== undefined) kept.push([shownKey, field]);
  }
  if (keys.length > LIMITS.eventProperties || walk.charsLeft <= 0) kept.push([ELLIPSIS, ELLIPSIS]);
  // fromEntries defines own properties, so a key named __proto__ stays a key.
  return Object.fromEntries(kept);
}

function isHighSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xd800 && code <= 0xdbff;
}
