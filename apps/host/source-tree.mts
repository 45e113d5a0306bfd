/**
 * The files that Encore's parser would read: every `.ts` file below the application's root, minus the names it skips.
 * Host discovery and layout guard walk with this one function, so that they see what Encore sees.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

const SKIPPED_NAMES = new Set(["node_modules", "encore.gen", "__tests__"]);
const SKIPPED_FILE = /\.(test|spec)\.(ts|js)$/;

export interface SourceFile {
  /** Absolute. */
  path: string;
  /** Relative to the root, with `/`. */
  name: string;
  text: string;
}

/** Every parsed file, sorted by name within its directory. Symbolic links are not followed. */
export function readSources(root: string): SourceFile[] {
  return filesBelow(root).map((path) => ({ path, name: nameBelow(root, path), text: readFileSync(path, "utf8") }));
}

export function nameBelow(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

function filesBelow(directory: string): string[] {
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    if (entry.name.startsWith(".") || SKIPPED_NAMES.has(entry.name) || SKIPPED_FILE.test(entry.name)) return [];
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() && entry.name.endsWith(".ts") ? [path] : [];
  });
}
