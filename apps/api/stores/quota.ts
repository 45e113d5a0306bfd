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

/** The day a run was taken from, so that it goes back there also after midnight. */
export interface RunReservation {
  day: string;
}

/**
 * Takes one script run from the day of `at`, atomically: of many at once exactly as many succeed as `dailyLimit` leaves.
 * 0 is no limit. Undefined when the day is used up.
 */
export async function reserveSkillRun(db: Database, dailyLimit: number, at: Date): Promise<RunReservation | undefined> {
  const day = quotaDay(at);
  const taken = await db.queryAs(
    "visitor_rw",
    `INSERT INTO daily_quota AS q (day, skill_runs) VALUES ($1, 1)
     ON CONFLICT (day) DO UPDATE SET skill_runs = q.skill_runs + 1 WHERE $2 = 0 OR q.skill_runs < $2
     RETURNING skill_runs`,
    [day, dailyLimit],
  );
  return taken.length > 0 ? { day } : undefined;
}

/** Gives a run back that did not take place. */
export async function returnSkillRun(db: Database, { day }: RunReservation): Promise<void> {
  await db.queryAs("visitor_rw", "UPDATE daily_quota SET skill_runs = greatest(skill_runs - 1, 0) WHERE day = $1", [
    day,
  ]);
}

/** Script runs that a session's stored turns have asked for; a failed or refused one counts, it cannot be told apart. */
export async function skillRunsOfSession(db: Database, sessionId: string): Promise<number> {
  const [row] = await db.queryAs<{ runs: number }>(
    "visitor_rw",
    `SELECT count(*)::int AS runs FROM messages m, jsonb_array_elements(m.payload -> 'toolCalls') AS call
     WHERE m.session_id = $1 AND m.role = 'assistant' AND call ->> 'name' = 'skill_run'`,
    [sessionId],
  );
  return row?.runs ?? 0;
}
