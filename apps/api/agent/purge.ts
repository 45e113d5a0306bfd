/**
 * The hourly purge (§20). Best effort: a failure is logged and the next hour tries again; it blocks no request and
 * does not keep the process alive.
 */
import { log } from "../lib/log";
import { purgeExpired } from "../stores/purge";
import { db, limits } from "./db";

/** Called once per process, with its start. */
export function schedulePurge(delayMs: number = limits.purgeFirstMs): void {
  setTimeout(purge, delayMs).unref();
}

async function purge(): Promise<void> {
  try {
    const purged = await purgeExpired(db);
    if (Object.values(purged).some((rows) => rows > 0)) log.info("What is past its time was deleted.", { ...purged });
  } catch (error) {
    log.error("The purge failed; it runs again in an hour.", error);
  }
  schedulePurge(limits.purgeEveryMs);
}
