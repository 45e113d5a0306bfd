/** What strangers used today (§8). A day is the civil date in Asia/Shanghai, wherever the server stands. */
import { LIMITS } from "../../../shared/limits";
import type { Database } from "../database/pool";

const SHANGHAI = new Intl.DateTimeFormat("en-CA", {
  timeZone: "Asia/Shanghai",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** The quota day of a moment, as `YYYY-MM-DD`. It changes at 16:00 UTC. */
export function quotaDay(at: Date): string {
  return SHANGHAI.format(at);
}

/** What a provider reported as a count: a whole number from 0 to `most`, whatever it was. */
export function wholeCount(reported: number, most: number): number {
  return Number.isFinite(reported) ? Math.min(Math.max(0, Math.round(reported)), most) : 0;
}

/** Adds one turn, its tokens and its micro-USD, to the day of `at`. */
export async function addTurnUsage(
  db: Database,
  usage: { totalTokens: number; costMicros: number },
  at: Date,
): Promise<void> {
  await db.queryAs(
    "visitor_rw",
    `INSERT INTO daily_quota AS q (day, tokens, cost_micros, turns) VALUES ($1, $2, $3, 1)
     ON CONFLICT (day) DO UPDATE SET
       tokens = q.tokens + excluded.tokens, cost_micros = q.cost_micros + excluded.cost_micros, turns = q.turns + 1`,
    [
      quotaDay(at),
      wholeCount(usage.totalTokens, LIMITS.turnTokens),
      wholeCount(usage.costMicros, LIMITS.turnCostMicros),
    ],
  );
}
