/** The audit of the admin endpoint (§21.2): rows are added and read, and retention alone removes them. */
import type { Database } from "../database/pool";

export const AUDIT_OUTCOMES = ["ok", "denied", "error"] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

export interface AuditWrite {
  outcome: AuditOutcome;
  /** Of the protocol, such as `tools/call`; `http` where the request never got that far. */
  method: string;
  tool?: string | undefined;
  /** Name of the token; absent for whoever had none. */
  principal?: string | undefined;
  /** At most 500 characters of fixed words, names and counts. */
  summary: string;
  /** The caller's address as the trusted proxy saw it. */
  remote: string;
  detail?: Record<string, string | number | boolean> | undefined;
}
export interface AuditRow extends Omit<AuditWrite, "tool" | "principal" | "detail"> {
  id: number;
  /** ISO 8601 */
  at: string;
  tool: string | null;
  principal: string | null;
  detail: Record<string, string | number | boolean> | null;
}
export interface AuditFilter {
  outcome?: AuditOutcome | undefined;
  tool?: string | undefined;
  principal?: string | undefined;
}

/** Waits for the table at most `timeoutMs`: what is audited has happened already, and its caller waits. */
export async function addAuditRow(db: Database, row: AuditWrite, timeoutMs: number): Promise<void> {
  await db.asRole(
    "admin_rw",
    (tx) =>
      tx.query(
        `INSERT INTO mcp_audit (outcome, method, tool, principal, summary, remote, detail)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [
          row.outcome,
          row.method,
          row.tool ?? null,
          row.principal ?? null,
          row.summary,
          row.remote,
          row.detail ? JSON.stringify(row.detail) : null,
        ],
      ),
    { timeoutMs },
  );
}

/** Newest first, from below `beforeId`; and how many rows the filter finds in all. */
export async function listAudit(
  db: Database,
  filter: AuditFilter,
  limit: number,
  beforeId?: number,
): Promise<{ rows: AuditRow[]; total: number }> {
  const where = `($1::text IS NULL OR outcome = $1) AND ($2::text IS NULL OR tool = $2)
    AND ($3::text IS NULL OR principal = $3)`;
  const values = [filter.outcome ?? null, filter.tool ?? null, filter.principal ?? null];
  return db.asRole("admin_rw", async (tx) => {
    const rows = await tx.query<AuditRow>(
      `SELECT id, at, outcome, method, tool, principal, summary, remote, detail FROM mcp_audit
       WHERE ${where} AND ($4::bigint IS NULL OR id < $4) ORDER BY id DESC LIMIT $5`,
      [...values, beforeId ?? null, limit],
    );
    const [count] = await tx.query<{ total: number }>(`SELECT count(*) AS total FROM mcp_audit WHERE ${where}`, values);
    return { rows, total: count!.total };
  });
}
