/**
 * Sessions: a visitor's conversations. Every function filters by owner, so that a foreign session and one that does not
 * exist are the same thing to its caller (§6.4).
 */
import type { SessionSummary } from "../../../shared/contracts/agent";
import { LIMITS } from "../../../shared/limits";
import type { Database } from "../database/pool";

const SUMMARY = `id, title, created_at AS "createdAt", last_active_at AS "lastActiveAt",
  least(total_tokens, ${Number.MAX_SAFE_INTEGER}) AS "totalTokens"`;
const EMPTY = "NOT EXISTS (SELECT FROM messages m WHERE m.session_id = s.id)";

/**
 * A session that has no turn yet. Without `id` the visitor's newest empty one is used again. With `id` it is always a
 * new one under that id, for a message that is about to be stored; then a visitor with too many empty sessions is
 * refused, since this is what fills the table (§6.3).
 */
export function createSession(
  db: Database,
  visitorId: string,
  options: { id?: string } = {},
): Promise<SessionSummary | "rate_limited"> {
  return db.asRole("visitor_rw", async (tx) => {
    // One creation per visitor at a time: two tabs opened at once share a session, and the count below holds.
    const locked = tx.query("SELECT FROM visitors WHERE id = $1 FOR UPDATE", [visitorId]);
    const found = tx.query<SessionSummary>(
      `SELECT ${SUMMARY} FROM sessions s WHERE visitor_id = $1 AND ${EMPTY} ORDER BY created_at DESC, id LIMIT $2`,
      [visitorId, LIMITS.emptySessionsPerVisitor],
    );
    const [, empty] = await Promise.all([locked, found]);
    if (options.id === undefined && empty[0]) return empty[0];
    if (empty.length >= LIMITS.emptySessionsPerVisitor) return "rate_limited";
    const [session] = await tx.query<SessionSummary>(
      `INSERT INTO sessions (id, visitor_id) VALUES (coalesce($2, gen_random_uuid()), $1) RETURNING ${SUMMARY}`,
      [visitorId, options.id ?? null],
    );
    return session!;
  });
}

/** The visitor's sessions, the one last used first. */
export function listSessions(db: Database, visitorId: string, limit: number): Promise<SessionSummary[]> {
  return db.queryAs(
    "visitor_rw",
    `SELECT ${SUMMARY} FROM sessions WHERE visitor_id = $1 ORDER BY last_active_at DESC, id LIMIT $2`,
    [visitorId, limit],
  );
}

/** One own session; null when it is not the visitor's. */
export async function findSession(
  db: Database,
  visitorId: string,
  sessionId: string,
): Promise<(SessionSummary & { titleSource: "derived" | "agent" }) | null> {
  const [session] = await db.queryAs<SessionSummary & { titleSource: "derived" | "agent" }>(
    "visitor_rw",
    `SELECT ${SUMMARY}, title_source AS "titleSource" FROM sessions WHERE id = $1 AND visitor_id = $2`,
    [sessionId, visitorId],
  );
  return session ?? null;
}

/** Deletes an own session with its messages, trace events and images; false when it is not the visitor's. */
export async function deleteSession(db: Database, visitorId: string, sessionId: string): Promise<boolean> {
  const deleted = await db.queryAs(
    "visitor_rw",
    "DELETE FROM sessions WHERE id = $1 AND visitor_id = $2 RETURNING id",
    [sessionId, visitorId],
  );
  return deleted.length > 0;
}
