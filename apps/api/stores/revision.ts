/**
 * The revision of a row: a short name for exactly what it holds. Whoever reads a row for the owner's side gets it, and a
 * write that names the one it read is made only if the row still holds that (architecture §14, MCP).
 */
import { createHash } from "node:crypto";
import { StaleRevision } from "./store-refusal";

export type Revised<Row> = Row & { revision: string };

/** First 16 hex digits of the SHA-256 of the row as JSON, whatever the order of its properties. */
export function revisionOf(row: object): string {
  return createHash("sha256").update(canonicalJson(row)).digest("hex").slice(0, 16);
}

export function revised<Row extends object>(row: Row): Revised<Row> {
  return { ...row, revision: revisionOf(row) };
}

/** Throws `StaleRevision` when a revision is expected that is not the row's; `row` is null when there is none. */
export function expectRevision(row: object | null, expected: string | undefined): void {
  if (expected === undefined) return;
  const current = row && revisionOf(row);
  if (current !== expected) throw new StaleRevision(current);
}

function canonicalJson(value: object): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
