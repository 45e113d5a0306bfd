/** The bounds of script runs that the owner sets (§13.2): one row, which is always there. */
import { LIMITS } from "../../../shared/limits";
import type { Database } from "../database/pool";
import { integerField } from "./owner-fields";
import { changeRow, type Expected, patched, type Written } from "./owner-write";
import { revisionOf } from "./revision";

export interface SandboxConfig {
  /** Runs a day of all visitors together; 0 is no limit. */
  dailyRunLimit: number;
  /** One run, its time in the runner's queue included. */
  totalTimeoutMs: number;
}

const ROW = `SELECT daily_run_limit AS "dailyRunLimit", total_timeout_ms AS "totalTimeoutMs" FROM sandbox_config`;

export async function readSandboxConfig(db: Database): Promise<SandboxConfig> {
  const [row] = await db.queryAs<SandboxConfig>("config_ro", ROW);
  if (!row) throw new Error("sandbox_config has lost its row");
  return row;
}

/** Changes the given bounds, from the next session that is built on. Throws a `StoreRefusal`. */
export function writeSandboxConfig(
  db: Database,
  { expectedRevision, ...fields }: Partial<SandboxConfig> & Expected,
): Promise<Written<SandboxConfig>> {
  return changeRow<SandboxConfig>(db, {
    key: ["sandbox_config"],
    expectedRevision,
    async read(tx) {
      const [row] = await tx.query<SandboxConfig>(ROW);
      return row ?? null;
    },
    async write(tx, current) {
      const row = patched(current!, fields);
      integerField("dailyRunLimit", row.dailyRunLimit, LIMITS.dailyCalls);
      integerField("totalTimeoutMs", row.totalTimeoutMs, LIMITS.scriptTimeoutMaxMs, LIMITS.scriptTimeoutMinMs);
      if (revisionOf(row) === revisionOf(current!)) return false;
      await tx.query("UPDATE sandbox_config SET daily_run_limit = $1, total_timeout_ms = $2, updated_at = now()", [
        row.dailyRunLimit,
        row.totalTimeoutMs,
      ]);
      return true;
    },
  });
}
