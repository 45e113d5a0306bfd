/** Stops a site: every recorded process that is still ours, in the reverse order of their start. Strangers stay. */
import { LIMITS } from "../shared/limits.ts";
import type { Paths } from "./paths.mts";
import { stateOfRecord, stopProcess } from "./processes.mts";
import { clearRunning, PROCESS_NAMES, type ProcessName, type Running } from "./running.mts";

export interface Stopped {
  stopped: ProcessName[];
  /** Recorded pids that now belong to somebody else; they were not touched. */
  strangers: { name: ProcessName; pid: number }[];
}

export async function stopSite(paths: Paths, running: Running): Promise<Stopped> {
  const result: Stopped = { stopped: [], strangers: [] };
  for (const name of PROCESS_NAMES.toReversed()) {
    const record = running.processes[name];
    if (!record) continue;
    if (stateOfRecord(record) === "stranger") result.strangers.push({ name, pid: record.pid });
    // Postgres takes SIGINT as "disconnect everybody, write a checkpoint, end".
    const stopped =
      name === "postgres"
        ? await stopProcess(record, "SIGINT", LIMITS.databaseStopWaitMs)
        : await stopProcess(record, "SIGTERM", LIMITS.stopWaitMs);
    if (stopped) result.stopped.push(name);
  }
  clearRunning(paths.running);
  return result;
}
