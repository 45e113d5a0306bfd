/** Stored kernel events of a session, exactly as they were streamed (§5.1). */
import { LIMITS } from "../../../shared/limits";
import type { TraceRow } from "../../../shared/trace-events";
import type { Database } from "../database/pool";
import { storableJson } from "./storable";

/** Stores rows in one statement. A row whose seq is there already stays as it was, so a batch may be sent again. */
export async function insertTraceRows(db: Database, sessionId: string, rows: readonly TraceRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db.queryAs(
    "visitor_rw",
    `INSERT INTO trace_events (session_id, seq, turn_seq, event_type, mode, ts, data)
     SELECT $1, r.seq, r."turnSeq", r."eventType", r.mode, r.timestamp, r.data
     FROM json_to_recordset($2)
       AS r(seq int, "turnSeq" int, "eventType" text, mode text, timestamp timestamptz, data json)
     ON CONFLICT DO NOTHING`,
    [sessionId, storableJson(rows)],
  );
}

/**
 * The latest `limit` rows above `afterSeq`, oldest first. Null when the session does not belong to the living visitor
 * of the cookie with this hash. Reads only; the visitor is not renewed.
 */
export async function readTraceRows(
  db: Database,
  tokenHash: string,
  sessionId: string,
  afterSeq: number,
  limit: number,
): Promise<TraceRow[] | null> {
  const rows = await db.queryAs<TraceRow | { seq: null }>(
    "trace_ro",
    `SELECT e.seq, e.turn_seq AS "turnSeq", e.event_type AS "eventType", e.mode, e.ts AS timestamp, e.data
     FROM sessions s JOIN visitors v ON v.id = s.visitor_id
     LEFT JOIN LATERAL (
       SELECT * FROM trace_events t WHERE t.session_id = s.id AND t.seq > $3 ORDER BY t.seq DESC LIMIT $4
     ) e ON TRUE
     WHERE s.id = $1 AND v.token_hash = $2 AND v.expires_at > now()
     ORDER BY e.seq`,
    [sessionId, tokenHash, afterSeq, limit],
  );
  // An own session without rows gives one line of nulls, a foreign one gives none.
  if (rows.length === 0) return null;
  return rows.filter((row): row is TraceRow => row.seq !== null);
}

/** Rows that a watcher may have seen and storage never got, when the process ends without its shutdown. */
const UNSTORED_ROWS = LIMITS.tracePendingRows + LIMITS.traceFlushRows;

/**
 * First seq that no row of the session ever had, nor one that was only seen live. A session that left memory in good
 * order ends with `session_shutdown`; after any other end, a killed process among them, as many seqs are passed over as
 * may have been lost, so that a tab's cursor from before never hides a new row. A reply to a turn without a row tells of
 * rows that were lost after such an end: their session had begun anew.
 */
export async function nextTraceSeq(db: Database, sessionId: string): Promise<number> {
  const [next] = await db.queryAs<{ seq: number }>(
    "visitor_rw",
    `SELECT coalesce(last.seq + 1, 0) + CASE
       WHEN replied.seq IS NULL THEN 0
       WHEN last.event_type = 'session_shutdown' AND traced.turn_seq >= replied.seq - 1 THEN 0
       ELSE $2::int END AS seq
     FROM (SELECT max(seq) AS seq FROM messages WHERE session_id = $1 AND role = 'assistant') AS replied
     LEFT JOIN LATERAL (
       SELECT seq, event_type FROM trace_events WHERE session_id = $1 ORDER BY seq DESC LIMIT 1
     ) last ON TRUE
     LEFT JOIN LATERAL (
       SELECT turn_seq FROM trace_events WHERE session_id = $1 AND turn_seq IS NOT NULL ORDER BY seq DESC LIMIT 1
     ) traced ON TRUE`,
    [sessionId, UNSTORED_ROWS],
  );
  return next!.seq;
}
