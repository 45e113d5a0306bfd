/**
 * A skill as a zip archive: `<name>/<path>` for each of its files, in the pack's order. The same pack gives the same
 * bytes on every machine and every day, so an archive can be compared and kept by its hash.
 */
import { type Zippable, zipSync } from "fflate";

export interface ArchivedFile {
  path: string;
  content: string;
}

export function skillArchive(name: string, files: readonly ArchivedFile[]): Buffer {
  const entries: Zippable = {};
  for (const { path, content } of files) entries[`${name}/${path}`] = Buffer.from(content);
  // A zip holds local time: the parts of a local date are the same in every zone.
  return Buffer.from(zipSync(entries, { level: 9, mtime: new Date(2020, 0, 1) }));
}
