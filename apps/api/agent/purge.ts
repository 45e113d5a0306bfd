/** The hourly purge (§20). Best effort: a failure is logged and the next hour tries again; it blocks no request. */
import type { Kernel } from "../kernel/kernel-types";
import { log } from "../lib/log";
import { repeat } from "../lib/repeat";
import { purgeExpired } from "../stores/purge";
import { db, limits } from "./db";

/** Called once per process, with its start. `kernel` gives the one that holds this process's sessions. */
export function schedulePurge(kernel: () => Promise<Kernel>): void {
  const times = { firstMs: limits.purgeFirstMs, everyMs: limits.purgeEveryMs };
  repeat(
    () => purge(kernel),
    times,
    (cause) => log.error("The purge failed; it runs again in an hour.", cause),
  );
}

async function purge(kernel: () => Promise<Kernel>): Promise<void> {
  const purged = await purgeExpired(db, async (ids) => leaveMemory(await kernel(), ids));
  if (Object.values(purged).some((rows) => rows > 0)) log.info("What is past its time was deleted.", { ...purged });
}

/**
 * Idle sessions in memory are disposed, so that no row is written for one that is gone. Whatever is not in memory goes
 * unasked: claiming its slot would push somebody else's session out.
 */
async function leaveMemory(kernel: Kernel, sessionIds: readonly string[]): Promise<string[]> {
  const free: string[] = [];
  for (const id of sessionIds) if (!kernel.isResident(id) || (await disposed(kernel, id))) free.push(id);
  return free;
}

async function disposed(kernel: Kernel, sessionId: string): Promise<boolean> {
  const claim = kernel.claim(sessionId);
  if (typeof claim === "string") return false;
  await claim.release({ dispose: true });
  return true;
}
