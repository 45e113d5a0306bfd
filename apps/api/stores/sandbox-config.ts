/** The bounds of script runs that the owner sets (§13.2): one row, which is always there. */
import type { Database } from "../database/pool";

export interface SandboxConfig {
  /** Runs a day of all visitors together; 0 is no limit. */
  dailyRunLimit: number;
  /** One run, its time in the runner's queue included. */
  totalTimeoutMs: number;
}

export async function readSandboxConfig(db: Database): Promise<SandboxConfig> {
  const [row] = await db.queryAs<SandboxConfig>(
    "config_ro",
    `SELECT daily_run_limit AS "dailyRunLimit", total_timeout_ms AS "totalTimeoutMs" FROM sandbox_config`,
  );
  if (!row) throw new Error("sandbox_config has lost its row");
  return row;
}
