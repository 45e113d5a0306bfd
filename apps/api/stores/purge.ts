/**
 * Retention (§20): what the page promises to delete is deleted here. Messages, trace rows and images go with their
 * session by cascade. Ages of rows are the database's clock; days are those of Shanghai.
 */
import { LIMITS } from "../../../shared/limits";
import type { Database } from "../database/pool";
import { quotaDay } from "./quota";

export interface Purged {
  sessions: number;
  visitors: number;
  /** Of the site's source, begun and never committed. */
  uploads: number;
  auditRows: number;
  /** Of page views. */
  visits: number;
  /** Of what strangers used. */
  quotaDays: number;
}

/** Takes sessions that are about to be deleted out of memory, and returns those that can be: not the ones in use. */
export type LeaveMemory = (sessionIds: readonly string[]) => Promise<readonly string[]>;

/**
 * Deletes every session untouched for `sessionRetentionMs`, after it has left memory, and every visitor without a
 * session expired for as long, in batches, and the uploads that were begun before `sourceUploadRetentionMs`. Of the
 * audit goes what is older than `mcpAuditRetentionMs`, and a row says how much; of the page views and of the quota the
 * days before the ones `visitRetentionMs` and `quotaRetentionMs` ago. A session in use waits for the next purge. Each
 * part has its turn, whatever became of those before it; then the first failure is thrown.
 */
export async function purgeExpired(db: Database, leaveMemory: LeaveMemory = async (ids) => ids): Promise<Purged> {
  const failures: unknown[] = [];
  const rows = (part: Promise<number>) =>
    part.catch((cause) => {
      failures.push(cause);
      return 0;
    });
  const purged = {
    sessions: await rows(deleteSessions(db, leaveMemory)),
    visitors: await rows(deleteVisitors(db)),
    uploads: await rows(deleteUploads(db)),
    auditRows: await rows(deleteAudit(db)),
    visits: await rows(deleteVisits(db)),
    quotaDays: await rows(deleteQuotaDays(db)),
  };
  if (failures.length > 0) throw failures[0];
  return purged;
}

const OLD_SESSION = "last_active_at < now() - $1 * interval '1 ms'";

async function deleteSessions(db: Database, leaveMemory: LeaveMemory): Promise<number> {
  const inUse: string[] = [];
  for (let total = 0; ; ) {
    const old = await db.queryAs<{ id: string }>(
      "purge",
      `SELECT id FROM sessions WHERE ${OLD_SESSION} AND id <> ALL($2::uuid[]) LIMIT $3`,
      [LIMITS.sessionRetentionMs, inUse, LIMITS.purgeBatchSessions],
    );
    const ids = old.map(({ id }) => id);
    const free = await leaveMemory(ids);
    inUse.push(...ids.filter((id) => !free.includes(id)));
    // The age is asked for twice: a session touched between the choice and the deletion stays.
    // Few, and with more time than a visitor would be kept waiting: a trace can be hundreds of thousands of rows, and what
    // does not go in time would not go in any other hour either.
    const gone = await db.asRole(
      "purge",
      (tx) =>
        tx.query(`DELETE FROM sessions WHERE ${OLD_SESSION} AND id = ANY($2::uuid[]) RETURNING id`, [
          LIMITS.sessionRetentionMs,
          free,
        ]),
      { timeoutMs: LIMITS.purgeSessionsMs },
    );
    total += gone.length;
    if (ids.length < LIMITS.purgeBatchSessions) return total;
  }
}

/** Only after the last session: a visitor's row would take its sessions along. */
async function deleteVisitors(db: Database): Promise<number> {
  const old = `v.expires_at < now() - $1 * interval '1 ms' AND NOT EXISTS (SELECT FROM sessions WHERE visitor_id = v.id)`;
  for (let total = 0; ; ) {
    const gone = await db.queryAs(
      "purge",
      `DELETE FROM visitors v WHERE ${old} AND v.id IN (SELECT v.id FROM visitors v WHERE ${old} LIMIT $2) RETURNING id`,
      [LIMITS.sessionRetentionMs, LIMITS.purgeBatchRows],
    );
    total += gone.length;
    if (gone.length < LIMITS.purgeBatchRows) return total;
  }
}

/** In one statement, so that no row of the audit goes without the one that tells of it. */
async function deleteAudit(db: Database): Promise<number> {
  const [row] = await db.queryAs<{ deleted: number }>(
    "purge",
    `WITH gone AS (DELETE FROM mcp_audit WHERE at < now() - $1 * interval '1 ms' RETURNING id),
       told AS (INSERT INTO mcp_audit (outcome, method, summary, remote, detail)
         SELECT 'ok', 'purge', 'rows past their time were deleted', 'purge', jsonb_build_object('rows', count(*))
         FROM gone HAVING count(*) > 0)
     SELECT count(*)::int AS deleted FROM gone`,
    [LIMITS.mcpAuditRetentionMs],
  );
  return row!.deleted;
}

async function deleteUploads(db: Database): Promise<number> {
  const gone = await db.queryAs(
    "purge",
    `DELETE FROM source_snapshots WHERE status = 'staging' AND created_at < now() - $1 * interval '1 ms' RETURNING sha`,
    [LIMITS.sourceUploadRetentionMs],
  );
  return gone.length;
}

async function deleteVisits(db: Database): Promise<number> {
  const oldestKept = quotaDay(new Date(Date.now() - LIMITS.visitRetentionMs));
  for (let total = 0; ; ) {
    const gone = await db.queryAs(
      "purge",
      `DELETE FROM visits WHERE (day, path, visitor) IN (
         SELECT day, path, visitor FROM visits WHERE day < $1::date LIMIT $2) RETURNING day`,
      [oldestKept, LIMITS.purgeBatchRows],
    );
    total += gone.length;
    if (gone.length < LIMITS.purgeBatchRows) return total;
  }
}

/** A row a day: they need no batches. */
async function deleteQuotaDays(db: Database): Promise<number> {
  const oldestKept = quotaDay(new Date(Date.now() - LIMITS.quotaRetentionMs));
  return (await db.queryAs("purge", "DELETE FROM daily_quota WHERE day < $1::date RETURNING day", [oldestKept])).length;
}
