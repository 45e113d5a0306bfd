/** A lock as a file that names its holder. The lock of a process that is gone is taken over, not waited for. */
import { linkSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { privateFolder, readJson } from "./files.mts";
import { isOurs, type ProcessRecord, recordOf } from "./processes.mts";

/** The living holder, if any. */
export function lockHolder(path: string): ProcessRecord | undefined {
  const holder = readJson<ProcessRecord>(path);
  return holder && isOurs(holder) ? holder : undefined;
}

/** Takes the lock, or returns false when somebody alive has it. */
export function takeLock(path: string): boolean {
  privateFolder(dirname(path));
  // Written first and linked into place, so that a lock is never seen without its holder.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(recordOf(process.pid)), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        linkSync(draft, path);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        if (lockHolder(path)) return false;
        rmSync(path, { force: true });
      }
    }
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

export function dropLock(path: string): void {
  const holder = readJson<ProcessRecord>(path);
  if (holder?.pid === process.pid) rmSync(path, { force: true });
}
