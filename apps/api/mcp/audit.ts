/** Writes audit rows. A row that cannot be written is a log line: the write it tells of has happened (§21.2). */
import { LIMITS } from "../../../shared/limits";
import { oneLine } from "../../../shared/text/clean";
import { redactText } from "../../../shared/text/redact";
import type { Database } from "../database/pool";
import type { Log } from "../lib/log";
import { type AuditWrite, addAuditRow } from "../stores/mcp-audit";

export type Audit = (row: Omit<AuditWrite, "remote">) => Promise<void>;

/** For one caller. Never throws, and makes nobody wait long. */
export function auditFor(db: Database, log: Log, remote: string): Audit {
  return async (row) => {
    const summary = cut(redactText(oneLine(row.summary)), LIMITS.mcpSummaryChars);
    // A cause may name a path, and so may hold what was put in the place of one.
    const detail = row.detail && mapValues(row.detail, (it) => (typeof it === "string" ? redactText(it) : it));
    try {
      await addAuditRow(db, { ...row, summary, remote, detail }, LIMITS.mcpAuditWaitMs);
    } catch (error) {
      log.error("an audit row could not be written", error, { outcome: row.outcome, tool: row.tool ?? "" });
    }
  };
}

function mapValues<T>(of: Record<string, T>, map: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, map(value)]));
}

function cut(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars - 1).toWellFormed()}…` : text;
}
