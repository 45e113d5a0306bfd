/**
 * Messages of a session: the visitor's at even seqs, each reply right after its question. A reply has one place and is
 * written once, however often it is tried; its tokens count once with it (§4.3, §8).
 */
import {
  type MessageView,
  type Outcome,
  type ToolCallView,
  type TurnView,
  turnView,
} from "../../../shared/contracts/agent";
import { LIMITS } from "../../../shared/limits";
import { derivedTitle } from "../../../shared/text/clean";
import type { Database } from "../database/pool";
import { addTurnUsage, wholeCount } from "./quota";
import { storableJson, storableText } from "./storable";

/** A finished turn, as the kernel hands it over. */
export interface FinishedTurn {
  /** Seq of the visitor's message. */
  turnSeq: number;
  content: string;
  outcome: Outcome;
  modelRoundTrips: number;
  turnMs: number;
  toolCalls: readonly ToolCallView[];
  usage: { totalTokens: number; costMicros: number };
}

/**
 * Stores what the visitor said at the next even seq and gives a session without a title one from it (§7). Null when the
 * session is not the visitor's.
 */
export function appendVisitorMessage(
  db: Database,
  visitorId: string,
  sessionId: string,
  prompt: string,
): Promise<{ turnSeq: number } | null> {
  return db.asRole("visitor_rw", async (tx) => {
    // The update locks the session; the insert after it sees every message stored before.
    const touched = tx.query(
      `UPDATE sessions SET last_active_at = now(), title = CASE title WHEN '' THEN $3 ELSE title END
       WHERE id = $1 AND visitor_id = $2`,
      [sessionId, visitorId, derivedTitle(prompt)],
    );
    const inserted = tx.query<{ turnSeq: number }>(
      `INSERT INTO messages (session_id, seq, role, content)
       SELECT s.id, (SELECT coalesce(max(seq) / 2 * 2 + 2, 0) FROM messages m WHERE m.session_id = s.id), 'user', $3
       FROM sessions s WHERE s.id = $1 AND s.visitor_id = $2 RETURNING seq AS "turnSeq"`,
      [sessionId, visitorId, prompt],
    );
    const [, [message]] = await Promise.all([touched, inserted]);
    return message ?? null;
  });
}

/**
 * Takes back a visitor's message whose turn could not start, and the title that a first message gave. One that has a
 * reply stays.
 */
export async function withdrawVisitorMessage(db: Database, sessionId: string, turnSeq: number): Promise<void> {
  await db.queryAs(
    "visitor_rw",
    `WITH withdrawn AS (
       DELETE FROM messages WHERE session_id = $1 AND seq = $2 AND role = 'user'
       AND NOT EXISTS (SELECT FROM messages WHERE session_id = $1 AND seq = $2 + 1) RETURNING session_id
     )
     UPDATE sessions s SET title = '' FROM withdrawn w
     WHERE s.id = w.session_id AND title_source = 'derived'
       AND NOT EXISTS (SELECT FROM messages m WHERE m.session_id = s.id AND m.seq <> $2)`,
    [sessionId, turnSeq],
  );
}

/** An own session's messages, oldest first; none when it is not the visitor's. */
export async function listMessages(db: Database, visitorId: string, sessionId: string): Promise<MessageView[]> {
  const rows = await db.queryAs<MessageView & { outcome: Outcome | null; payload: unknown }>(
    "visitor_rw",
    `SELECT m.seq, m.role, m.content, m.created_at AS "createdAt", m.outcome, m.payload
     FROM messages m JOIN sessions s ON s.id = m.session_id
     WHERE s.id = $1 AND s.visitor_id = $2 AND m.role IN ('user', 'assistant') ORDER BY m.seq`,
    [sessionId, visitorId],
  );
  return rows.map(({ outcome, payload, ...message }) => ({
    ...message,
    ...(outcome && { outcome }),
    ...(payload !== null && { turn: turnOf(payload) }),
  }));
}

/** The whole conversation for rebuilding a session in memory, oldest first. */
export function readHistory(
  db: Database,
  sessionId: string,
): Promise<{ role: "user" | "assistant"; content: string }[]> {
  return db.queryAs(
    "visitor_rw",
    "SELECT role, content FROM messages WHERE session_id = $1 AND role IN ('user', 'assistant') ORDER BY seq",
    [sessionId],
  );
}

/**
 * Stores a turn's reply at `turnSeq + 1` and adds its usage to the session and the day; a repeated call changes nothing.
 * Returns the session's token total. The day's usage is best effort and never fails the turn. `at` is when the turn
 * ended. Throws `missing_reference` when the session is gone.
 */
export async function storeTurn(
  db: Database,
  sessionId: string,
  turn: FinishedTurn,
  at: Date = new Date(),
): Promise<{ totalTokens: number }> {
  const [stored] = await db.queryAs<{ fresh: boolean; totalTokens: number }>(
    "visitor_rw",
    `WITH reply AS (
       INSERT INTO messages (session_id, seq, role, content, outcome, payload)
       VALUES ($1, $2, 'assistant', $3, $4, $5) ON CONFLICT DO NOTHING RETURNING seq
     )
     UPDATE sessions SET
       total_tokens = CASE WHEN EXISTS (SELECT FROM reply) THEN least(total_tokens, $7::bigint - $6::bigint) + $6::bigint ELSE total_tokens END,
       last_active_at = CASE WHEN EXISTS (SELECT FROM reply) THEN now() ELSE last_active_at END
     WHERE id = $1 RETURNING EXISTS (SELECT FROM reply) AS fresh, least(total_tokens, $7::bigint) AS "totalTokens"`,
    [
      sessionId,
      turn.turnSeq + 1,
      storableText(turn.content),
      turn.outcome,
      payloadOf(turn),
      wholeCount(turn.usage.totalTokens, LIMITS.turnTokens),
      Number.MAX_SAFE_INTEGER,
    ],
  );
  if (stored!.fresh) {
    await addTurnUsage(db, turn.usage, at).catch((error) => db.log.error("the day's usage was not recorded", error));
  }
  return { totalTokens: stored!.totalTokens };
}

/**
 * Gives every visitor's message without a reply an interrupted one and returns how many there were. For the start of
 * the process, when no turn can be running.
 */
export async function closeInterruptedTurns(db: Database): Promise<number> {
  const closed = await db.queryAs(
    "visitor_rw",
    `INSERT INTO messages (session_id, seq, role, content, outcome)
     SELECT q.session_id, q.seq + 1, 'assistant', '', 'interrupted' FROM messages q
     WHERE q.role = 'user'
       AND NOT EXISTS (SELECT FROM messages r WHERE r.session_id = q.session_id AND r.seq = q.seq + 1)
     ON CONFLICT DO NOTHING RETURNING seq`,
  );
  return closed.length;
}

/** Null when no tool was called, so that the row has no payload. */
function payloadOf({ modelRoundTrips, turnMs, toolCalls }: FinishedTurn): string | null {
  if (toolCalls.length === 0) return null;
  return storableJson({ v: 1, modelRoundTrips, turnMs, toolCalls });
}

/** The stored turn field by field; whatever else the payload may hold stays in the database (§4.4). */
function turnOf(payload: unknown): TurnView {
  return turnView.parse(payload);
}
