/** A lock as a file that names its holder. The lock of a process that is gone is taken over, not waited for. */
import { openSync, closeSync, rmSync, writeSync } from "node:fs";
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
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const file = openSync(path, "wx", 0o600);
      writeSync(file, JSON.stringify(recordOf(process.pid)));
      closeSync(file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (lockHolder(path)) return false;
      rmSync(path, { force: true });
    }
  }
  return false;
}

export function dropLock(path: string): void {
  const holder = readJson<ProcessRecord>(path);
  if (holder?.pid === process.pid) rmSync(path, { force: true });
}
