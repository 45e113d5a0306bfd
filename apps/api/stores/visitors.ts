/**
 * Visitors: who a browser is, by the SHA-256 of its cookie (§6.1). `expires_at` in the future is the only thing that
 * makes a token valid, and every use moves it 24 hours ahead.
 */
import { LIMITS } from "../../../shared/limits";
import type { Database } from "../database/pool";

/** The visitor of a living token, renewed; null for an unknown or expired one. `tokenHash` is 64 hex digits. */
export async function adoptVisitor(db: Database, tokenHash: string): Promise<string | null> {
  const [visitor] = await db.queryAs<{ id: string }>(
    "visitor_rw",
    `UPDATE visitors SET last_seen_at = now(), expires_at = now() + $2 * interval '1 ms'
     WHERE token_hash = $1 AND expires_at > now() RETURNING id`,
    [tokenHash, LIMITS.visitorLifetimeMs],
  );
  return visitor?.id ?? null;
}

/** A new visitor for a new token; returns its id. */
export async function createVisitor(db: Database, tokenHash: string): Promise<string> {
  const [visitor] = await db.queryAs<{ id: string }>(
    "visitor_rw",
    "INSERT INTO visitors (token_hash, expires_at) VALUES ($1, now() + $2 * interval '1 ms') RETURNING id",
    [tokenHash, LIMITS.visitorLifetimeMs],
  );
  return visitor!.id;
}
