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

const MICROS_PER_CENT = 10_000;
/** Sums stop here instead of overflowing: far past every limit, and still exact in TypeScript. */
const MOST = Number.MAX_SAFE_INTEGER;

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
       tokens = least(q.tokens, $4::bigint - excluded.tokens) + excluded.tokens,
       cost_micros = least(q.cost_micros, $4::bigint - excluded.cost_micros) + excluded.cost_micros,
       turns = least(q.turns, $4::bigint - 1) + 1`,
    [
      quotaDay(at),
      wholeCount(usage.totalTokens, LIMITS.turnTokens),
      wholeCount(usage.costMicros, LIMITS.turnCostMicros),
      MOST,
    ],
  );
}

export interface QuotaRefusal {
  code: "daily_tokens" | "daily_cost" | "turn_limit";
  /** For the log only: a refusal tells no number. */
  used: number;
  limit: number;
}

/**
 * Why no turn may start now, if so (§8): the session has had its last turn, or has had none yet on a day whose tokens or
 * cost are used up. The number of stored turns counts, not how the session came to be. Undefined `sessionId`: a new one.
 */
export async function quotaRefusal(
  db: Database,
  sessionId: string | undefined,
  at: Date,
): Promise<QuotaRefusal | undefined> {
  const [[limits], [used]] = await Promise.all([
    db.queryAs<{ tokens: number; costCents: number; turns: number }>(
      "config_ro",
      `SELECT least(daily_token_limit, $1::bigint) AS tokens, daily_cost_limit_cents AS "costCents",
         max_turns_per_session AS turns FROM llm_config WHERE is_default`,
      [MOST],
    ),
    db.queryAs<{ tokens: number; costMicros: number; turns: number }>(
      "visitor_rw",
      `SELECT least(coalesce(max(tokens), 0), $3::bigint) AS tokens,
         least(coalesce(max(cost_micros), 0), $3::bigint) AS "costMicros",
         (SELECT count(*) FROM messages WHERE session_id = $2 AND role = 'user') AS turns
       FROM daily_quota WHERE day = $1`,
      [quotaDay(at), sessionId ?? null, MOST],
    ),
  ]);
  // The offline demo has no row, and spends nothing.
  if (limits === undefined) return undefined;
  const { tokens, costMicros, turns } = used!;
  const over = (code: QuotaRefusal["code"], spent: number, limit: number) =>
    limit > 0 && spent >= limit ? { code, used: spent, limit } : undefined;
  if (turns > 0) return over("turn_limit", turns, limits.turns);
  return (
    over("daily_tokens", tokens, limits.tokens) ?? over("daily_cost", costMicros, limits.costCents * MICROS_PER_CENT)
  );
}

/** The day a call was taken from, so that it goes back there also after midnight. */
export interface Reservation {
  day: string;
}

/**
 * Takes one script run from the day of `at`, atomically: of many at once exactly as many succeed as `dailyLimit` leaves.
 * 0 is no limit. Undefined when the day is used up.
 */
export function reserveSkillRun(db: Database, dailyLimit: number, at: Date): Promise<Reservation | undefined> {
  return reserve(db, "skill_runs", dailyLimit, at);
}

/** The same of the day's searches. A search that fails has been one: nothing is given back. */
export function reserveSearch(db: Database, dailyLimit: number, at: Date): Promise<Reservation | undefined> {
  return reserve(db, "searches", dailyLimit, at);
}

/** The same of the day's pictures. */
export function reserveImage(db: Database, dailyLimit: number, at: Date): Promise<Reservation | undefined> {
  return reserve(db, "images", dailyLimit, at);
}

async function reserve(
  db: Database,
  counter: "searches" | "images" | "skill_runs",
  dailyLimit: number,
  at: Date,
): Promise<Reservation | undefined> {
  const day = quotaDay(at);
  const taken = await db.queryAs(
    "visitor_rw",
    `INSERT INTO daily_quota AS q (day, ${counter}) VALUES ($1, 1)
     ON CONFLICT (day) DO UPDATE SET ${counter} = least(q.${counter}, $3::bigint - 1) + 1
       WHERE $2 = 0 OR q.${counter} < $2
     RETURNING ${counter}`,
    [day, dailyLimit, MOST],
  );
  return taken.length > 0 ? { day } : undefined;
}

/** Gives a run back that did not take place. */
export async function returnSkillRun(db: Database, { day }: Reservation): Promise<void> {
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
