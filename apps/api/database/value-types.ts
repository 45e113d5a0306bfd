/**
 * How Postgres values arrive in TypeScript: bigint as a number (an inexact one is an error), timestamps as ISO 8601
 * in UTC with milliseconds, dates as `YYYY-MM-DD`, jsonb as the object it holds. Set per pool, never globally.
 */
import { types } from "pg";
import { DatabaseError } from "./database-error";

const { INT8, TIMESTAMPTZ, DATE } = types.builtins;

const PARSERS: Record<number, (text: string) => unknown> = {
  [INT8]: exactNumber,
  [TIMESTAMPTZ]: isoTimestamp,
  [DATE]: (text) => text,
};

export const VALUE_TYPES: Pick<typeof types, "getTypeParser"> = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    (format !== "binary" && PARSERS[oid]) || types.getTypeParser(oid, format as "text")) as typeof types.getTypeParser,
};

function exactNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new DatabaseError("out_of_range");
  return value;
}

/** `2026-11-30 19:35:52.123456+00` (any zone of the server) as `2026-11-30T19:35:52.123Z`. */
function isoTimestamp(text: string): string {
  const zoned = /[+-]\d{2}$/.test(text) ? `${text}:00` : text;
  return new Date(zoned.replace(" ", "T")).toISOString();
}
