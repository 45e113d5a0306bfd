/**
 * Retention (§20): what the page promises to delete is deleted here. Messages, trace rows and images go with their
 * session by cascade. A session that old has left memory long ago, since an idle one is evicted after minutes.
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
}

/**
 * Deletes every session untouched for `sessionRetentionMs` and every visitor expired for as long, in batches, and the
 * uploads that were begun before `sourceUploadRetentionMs`. Of the audit goes what is older than `mcpAuditRetentionMs`,
 * and a row says how much; of the page views the days before the one `visitRetentionMs` ago.
 */
export async function purgeExpired(db: Database): Promise<Purged> {
  return {
    sessions: await deleteInBatches(db, "sessions", "last_active_at"),
    visitors: await deleteInBatches(db, "visitors", "expires_at"),
    uploads: await deleteUploads(db),
    auditRows: await deleteAudit(db),
    visits: await deleteVisits(db),
  };
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

async function deleteInBatches(
  db: Database,
  table: "sessions" | "visitors",
  column: "last_active_at" | "expires_at",
): Promise<number> {
  let total = 0;
  for (;;) {
    // The age is asked for twice: a row touched between the choice and the deletion stays.
    const [row] = await db.queryAs<{ deleted: number }>(
      "purge",
      `WITH gone AS (
         DELETE FROM ${table} WHERE ${column} < now() - $1 * interval '1 ms'
           AND id IN (SELECT id FROM ${table} WHERE ${column} < now() - $1 * interval '1 ms' LIMIT $2)
         RETURNING id)
       SELECT count(*)::int AS deleted FROM gone`,
      [LIMITS.sessionRetentionMs, LIMITS.purgeBatchRows],
    );
    total += row!.deleted;
    if (row!.deleted < LIMITS.purgeBatchRows) return total;
  }
}
