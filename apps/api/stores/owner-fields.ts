/**
 * The bounds of what the owner writes, checked before the database would: a refusal names the field and the bound. Each
 * function gives the value as it is stored. Lines are cleaned as every shown line is, so that what is stored is what
 * is seen; texts are kept to the byte.
 */
import { oneLine } from "../../../shared/text/clean";
import { isWebUrl } from "../../../shared/text/web-url";
import { LIMITS } from "../../../shared/limits";
import { StoreRefusal } from "./store-refusal";

const SLUG = /^[a-z0-9][a-z0-9-]{0,63}$/;
const COLOUR = /^#[0-9A-Fa-f]{6}$/;
/** A day that its month has, a time, and the offset without which it would be the server's own time. */
const MOMENT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;
/** Names of what exists that a refusal gives: enough to find one's own among, few enough to read. */
const PARENTS_TOLD = 100;

export function invalid(field: string, reason: string, allowed?: readonly string[]): StoreRefusal {
  return new StoreRefusal("invalid", { field, reason, ...(allowed ? { allowed } : {}) });
}

/** The value of a field that a new row needs. */
export function needed<T>(field: string, value: T | undefined): T {
  if (value === undefined) throw new StoreRefusal("required", { field });
  return value;
}

export function slugField(field: string, value: string): string {
  if (SLUG.test(value)) return value;
  throw invalid(field, "It is 1 to 64 of a-z, 0-9 and -, and does not begin with -.");
}

/** One line of `min` to `max` UTF-16 units, without what cannot be seen. */
export function lineField(field: string, value: string, max: number, min = 0): string {
  const line = oneLine(value);
  if (line.length >= min && line.length <= max) return line;
  throw invalid(field, min > 0 ? `It is ${min} to ${max} characters on one line.` : `It is at most ${max} characters.`);
}

/** Any text of at most `maxBytes` in UTF-8 that can be stored as it is. */
export function textField(field: string, value: string, maxBytes: number): string {
  if (Buffer.byteLength(value) > maxBytes) throw invalid(field, `It is at most ${maxBytes} bytes.`);
  if (value.includes("\0") || !value.isWellFormed()) {
    throw invalid(field, "It holds a character that is no text: NUL, or half of a surrogate pair.");
  }
  return value;
}

export function colourField(field: string, value: string): string {
  if (COLOUR.test(value)) return value;
  throw invalid(field, "It is a colour as #RRGGBB.");
}

export function integerField(field: string, value: number, max: number, min = 0): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw invalid(field, `It is a whole number from ${min} to ${max}.`);
}

/** An http or https address in which nothing is unseen. */
export function urlField(field: string, value: string, max: number = LIMITS.webUrlChars): string {
  if (value.length <= max && isWebUrl(value) && oneLine(value) === value) return value;
  throw invalid(field, `It is an http or https address of at most ${max} characters.`);
}

/** A moment in ISO 8601 with its offset, in the years 1 to 9999 of UTC; as UTC with milliseconds. */
export function momentField(field: string, value: string): string {
  const day = MOMENT.exec(value)?.[1];
  const moment = new Date(day === undefined || !isDay(day) ? Number.NaN : value);
  const iso = Number.isNaN(moment.getTime()) ? "" : moment.toISOString();
  if (/^\d{4}-/.test(iso) && !iso.startsWith("0000")) return iso;
  throw invalid(field, "It is a moment in ISO 8601 with its offset, such as 2026-01-31T08:00:00Z.");
}

/** Engines read February 30th as a day of March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** Throws unless the row that another one is to belong to is there, and keeps it there until the transaction ends. */
export async function parentField(
  tx: { query<R>(text: string, params?: readonly unknown[]): Promise<R[]> },
  field: string,
  table: "notes_categories" | "notes_series" | "skills_categories",
  slug: string,
): Promise<void> {
  const [parent] = await tx.query(`SELECT slug FROM ${table} WHERE slug = $1 FOR KEY SHARE`, [slug]);
  if (parent !== undefined) return;
  const rows = await tx.query<{ slug: string }>(`SELECT slug FROM ${table} ORDER BY slug LIMIT $1`, [PARENTS_TOLD]);
  throw new StoreRefusal("missing_reference", { field, allowed: rows.map((row) => row.slug) });
}
