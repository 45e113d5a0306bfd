/** Files: the private ones of the state folder (0700, 0600, written whole or not at all), and those of a tree. */
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

export function privateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

export function writePrivate(path: string, text: string): void {
  privateFolder(dirname(path));
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Undefined when there is no such file, or no longer: whoever made it may take it away at any moment. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The parsed file, or undefined when it is absent or is not JSON (a half-written file of a dead process). */
export function readJson<T>(path: string): T | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

export function writeJson(path: string, value: unknown): void {
  writePrivate(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Every file below `folder`, as `folder/…`, sorted within its directory. Names that match `ignored` are not entered. */
export function filesBelow(folder: string, ignored: RegExp): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    if (ignored.test(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path, ignored) : entry.isFile() ? [path] : [];
  });
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
