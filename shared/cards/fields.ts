/**
 * Readers for the fields of a card. Each returns a clean value or throws `Violation`, which ends the whole card; what
 * is not asked for is not read.
 */
import { LIMITS } from "../limits";
import { oneLine, stripInvisible } from "../text/clean";

/** The text is no card. Never leaves `parseCard`. */
export class Violation extends Error {}

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Violation();
  return value as Fields;
}

/** A string or a finite number as one line of at most `chars` UTF-16 units, measured as it was written. */
export function possiblyEmpty(value: unknown, chars: number = LIMITS.cardTextChars): string {
  const written = typeof value === "number" && Number.isFinite(value) ? String(value) : value;
  if (typeof written !== "string" || written.length > chars) throw new Violation();
  return oneLine(written);
}

/** As above, with something to see in it. */
export function text(value: unknown, chars?: number): string {
  const shown = possiblyEmpty(value, chars);
  if (shown === "") throw new Violation();
  return shown;
}

export function optionalText(value: unknown, chars?: number): string | undefined {
  return value === undefined ? undefined : text(value, chars);
}

/** A text that may have several lines, as a prompt may. */
export function lines(value: unknown, chars: number): string {
  if (typeof value !== "string" || value.length > chars) throw new Violation();
  const shown = stripInvisible(value, { keep: "\n\t" }).trim();
  if (shown === "") throw new Violation();
  return shown;
}

/** False when it is not there. */
export function flag(value: unknown): boolean {
  if (value !== undefined && typeof value !== "boolean") throw new Violation();
  return value === true;
}

/** Between `min` and `max` items, each read by `read`. */
export function list<T>(value: unknown, min: number, max: number, read: (item: unknown) => T): T[] {
  if (!Array.isArray(value) || value.length < min || value.length > max) throw new Violation();
  return value.map((item) => read(item));
}
