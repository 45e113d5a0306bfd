/**
 * What one visitor and one network may do (architecture §14, Rate limit), as the owner has set it: one row, in which
 * NULL stands for the program's default. What they have done is nowhere in the database.
 */
import { LIMITS } from "../../../shared/limits";
import type { Database } from "../database/pool";
import { integerField } from "./owner-fields";
import { changeRow, type Expected, patched, type Written } from "./owner-write";
import { revisionOf } from "./revision";

const COLUMNS = {
  visitorTurnsPerHour: "visitor_turns_per_hour",
  visitorSessionsPerHour: "visitor_sessions_per_hour",
  visitorTurnsAtOnce: "visitor_turns_at_once",
  networkTurnsPerHour: "network_turns_per_hour",
  networkSessionsPerHour: "network_sessions_per_hour",
  networkTurnsAtOnce: "network_turns_at_once",
} as const;

export type VisitorLimit = keyof typeof COLUMNS;
/** 0 is no limit. */
export type VisitorLimits = Readonly<Record<VisitorLimit, number>>;
/** Null is the program's default. */
export type VisitorLimitsRow = Record<VisitorLimit, number | null>;

export const VISITOR_LIMITS = Object.keys(COLUMNS) as VisitorLimit[];
const FIELDS = Object.entries(COLUMNS).map(([field, column]) => `${column} AS "${field}"`);
const ROW = `SELECT ${FIELDS.join(", ")} FROM visitor_limits`;
const UNSET = Object.fromEntries(VISITOR_LIMITS.map((field) => [field, null])) as VisitorLimitsRow;

/** What the owner has set; without a row, nothing. */
export async function readVisitorLimits(db: Database): Promise<VisitorLimitsRow> {
  const [row] = await db.queryAs<VisitorLimitsRow>("config_ro", ROW);
  return row ?? UNSET;
}

/** What holds: the owner's number where there is one, else the default of `limits`. */
export function effectiveLimits(row: VisitorLimitsRow, limits: VisitorLimits = LIMITS): VisitorLimits {
  return Object.fromEntries(VISITOR_LIMITS.map((field) => [field, row[field] ?? limits[field]])) as VisitorLimits;
}

/** Changes the given limits; null takes one back to its default. Throws a `StoreRefusal`. */
export function writeVisitorLimits(
  db: Database,
  { expectedRevision, ...fields }: Partial<VisitorLimitsRow> & Expected,
): Promise<Written<VisitorLimitsRow>> {
  return changeRow<VisitorLimitsRow>(db, {
    key: ["visitor_limits"],
    expectedRevision,
    async read(tx) {
      const [row] = await tx.query<VisitorLimitsRow>(ROW);
      return row ?? null;
    },
    async write(tx, current) {
      const row = patched(current!, fields);
      for (const field of VISITOR_LIMITS) {
        const value = row[field];
        if (value !== null) integerField(field, value, LIMITS.visitorLimitMost);
      }
      if (revisionOf(row) === revisionOf(current!)) return false;
      await tx.query(
        `UPDATE visitor_limits SET ${VISITOR_LIMITS.map((field, at) => `${COLUMNS[field]} = $${at + 1}`).join(", ")},
           updated_at = now()`,
        VISITOR_LIMITS.map((field) => row[field]),
      );
      return true;
    },
  });
}
