/**
 * Page views as their owner reads them (§22): sums only. A visitor is one for a day and another the next, so what is
 * counted over several days are visitor days: the sum of each day's visitors. How many people that were nobody knows.
 */
import type { Database } from "../database/pool";

export interface Counts {
  /** Pages that were opened. */
  views: number;
  /** Sum of the daily visitors. */
  visitorDays: number;
}
/** Both days count, each `YYYY-MM-DD`. */
export interface Days {
  from: string;
  to: string;
}

const COUNTS = `coalesce(sum(hits), 0)::bigint AS views, count(DISTINCT (day, visitor)) AS "visitorDays"`;
const WITHIN = "day BETWEEN $1::date AND $2::date";

/** All together, and each day that had a view, oldest first. */
export async function readTraffic(
  db: Database,
  { from, to }: Days,
): Promise<Counts & { days: { day: string; views: number; visitors: number }[] }> {
  return db.asRole("admin_rw", async (tx) => {
    const [total] = await tx.query<Counts>(`SELECT ${COUNTS} FROM visits WHERE ${WITHIN}`, [from, to]);
    const days = await tx.query<{ day: string; views: number; visitors: number }>(
      `SELECT day::text, sum(hits)::bigint AS views, count(DISTINCT visitor) AS visitors
       FROM visits WHERE ${WITHIN} GROUP BY visits.day ORDER BY visits.day`,
      [from, to],
    );
    return { ...total!, days };
  });
}

/** The pages that were opened most, and how many there are in all. */
export async function readTrafficPaths(
  db: Database,
  { from, to }: Days,
  limit: number,
): Promise<{ paths: (Counts & { path: string })[]; total: number }> {
  return db.asRole("admin_rw", async (tx) => {
    const [count] = await tx.query<{ total: number }>(
      `SELECT count(DISTINCT path) AS total FROM visits WHERE ${WITHIN}`,
      [from, to],
    );
    const paths = await tx.query<Counts & { path: string }>(
      `SELECT path, ${COUNTS} FROM visits WHERE ${WITHIN}
       GROUP BY path ORDER BY views DESC, path COLLATE "C" LIMIT $3`,
      [from, to, limit],
    );
    return { paths, total: count!.total };
  });
}

/** Browser and platform families, the most used first; there are at most 42. */
export async function readTrafficAgents(db: Database, { from, to }: Days): Promise<(Counts & { agent: string })[]> {
  return db.queryAs(
    "admin_rw",
    `SELECT ua AS agent, ${COUNTS} FROM visits WHERE ${WITHIN} GROUP BY ua ORDER BY views DESC, ua COLLATE "C"`,
    [from, to],
  );
}
