/**
 * Which running processes read this clone's packages and its built pages, whatever state folder they belong to. Both
 * are replaced only while nobody reads them: a page without its style sheet, or a server that loads half of another
 * version, is worse than a command that refuses. Imports no package, since it is asked before those are replaced.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readJson, writeJson } from "./files.mts";
import { isOurs, type ProcessRecord } from "./processes.mts";
import { Refusal } from "./refusal.mts";

export interface Use {
  record: ProcessRecord;
  /** What it is called in a sentence, such as "web". */
  name: string;
  /** Whoever runs reads the packages; some read the built pages too. */
  pages: boolean;
}

/** Notes that the process reads them until it ends. In a clone that cannot be written nothing can be replaced either. */
export function noteUse(root: string, use: Use): void {
  try {
    writeJson(join(folderOf(root), `${use.record.pid}.json`), use);
  } catch (error) {
    if (!["EROFS", "EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** The living ones, in the order of their pids; notes of processes that are gone are removed. */
export function usesOf(root: string): Use[] {
  const folder = folderOf(root);
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  const living = files.flatMap((name) => {
    const use = readJson<Use>(join(folder, name));
    if (isOurs(use?.record)) return [use!];
    rmSync(join(folder, name), { force: true });
    return [];
  });
  return living.toSorted((a, b) => a.record.pid - b.record.pid);
}

/** `except` is the asking process itself, which may replace what only it reads. */
export function refuseWhileUsed(root: string, what: "packages" | "pages", except = process.pid): void {
  const users = usesOf(root).filter((use) => use.record.pid !== except && (what === "packages" || use.pages));
  if (users.length === 0) return;
  const names = users.map(({ name, record }) => `${name} (pid ${record.pid})`).join(", ");
  throw new Refusal(
    `The ${what} of this folder have changed, and what runs still reads the earlier ones: ${names}.`,
    "Stop it first (a site: ./xray down), then run this again.",
  );
}

function folderOf(root: string): string {
  return join(root, ".xray/in-use");
}
