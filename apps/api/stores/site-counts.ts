/** Numbers of the site for its owner (architecture §14, MCP): counts and sums, never a row of one visitor. */
import type { Database } from "../database/pool";

export interface DayCounts {
  day: string;
  /** Begun that day and still kept. */
  sessions: number;
  /** Replies of that day that are still kept, by how they ended. */
  completed: number;
  stopped: number;
  failed: number;
  interrupted: number;
  /** What the day used, also by sessions that are gone. */
  turns: number;
  tokens: number;
  costMicros: number;
  searches: number;
  images: number;
  skillRuns: number;
}

/** Newest first, days on which something happened. `from` and `to` are days in Asia/Shanghai, both included. */
export function countByDay(db: Database, { from, to }: { from: string; to: string }): Promise<DayCounts[]> {
  return db.queryAs(
    "admin_rw",
    `WITH kept AS (
       SELECT (created_at AT TIME ZONE 'Asia/Shanghai')::date AS day, NULL AS outcome FROM sessions
       UNION ALL
       SELECT (created_at AT TIME ZONE 'Asia/Shanghai')::date, outcome FROM messages WHERE role = 'assistant'),
     counted AS (
       SELECT day, count(*) FILTER (WHERE outcome IS NULL) AS sessions,
         count(*) FILTER (WHERE outcome = 'completed') AS completed, count(*) FILTER (WHERE outcome = 'stopped') AS stopped,
         count(*) FILTER (WHERE outcome = 'failed') AS failed,
         count(*) FILTER (WHERE outcome = 'interrupted') AS interrupted
       FROM kept WHERE day BETWEEN $1 AND $2 GROUP BY day),
     used AS (SELECT * FROM daily_quota WHERE day BETWEEN $1 AND $2)
     SELECT day, coalesce(sessions, 0) AS sessions, coalesce(completed, 0) AS completed, coalesce(stopped, 0) AS stopped,
       coalesce(failed, 0) AS failed, coalesce(interrupted, 0) AS interrupted, least(coalesce(turns, 0), $3::bigint) AS turns,
       least(coalesce(tokens, 0), $3::bigint) AS tokens, least(coalesce(cost_micros, 0), $3::bigint) AS "costMicros", least(coalesce(searches, 0), $3::bigint) AS searches,
       least(coalesce(images, 0), $3::bigint) AS images, least(coalesce(skill_runs, 0), $3::bigint) AS "skillRuns"
     FROM counted FULL JOIN used USING (day) ORDER BY day DESC`,
    [from, to, Number.MAX_SAFE_INTEGER],
  );
}

/** Sessions that are kept, and turns that have no reply yet. */
export async function countNow(db: Database): Promise<{ sessions: number; turnsRunning: number }> {
  const [row] = await db.queryAs<{ sessions: number; turnsRunning: number }>(
    "admin_rw",
    `SELECT (SELECT count(*) FROM sessions) AS sessions,
       (SELECT count(*) FROM messages q WHERE q.role = 'user' AND NOT EXISTS (
          SELECT FROM messages a WHERE a.session_id = q.session_id AND a.seq = q.seq + 1)) AS "turnsRunning"`,
  );
  return row!;
}

export async function readDatabaseFacts(db: Database): Promise<{ version: string; sizeBytes: number }> {
  const [row] = await db.queryAs<{ version: string; sizeBytes: number }>(
    "admin_rw",
    `SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
       pg_database_size(current_database()) AS "sizeBytes"`,
  );
  return row!;
}
