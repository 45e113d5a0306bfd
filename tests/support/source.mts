/** Snapshots for tests: the manifest of texts, and a whole publication by the three steps. */
import { createHash } from "node:crypto";
import type { Database } from "../../apps/api/database/pool.ts";
import {
  beginSnapshot,
  commitSnapshot,
  type ManifestFile,
  putSourceFiles,
} from "../../apps/api/stores/source-publish.ts";
import { countLines } from "../../shared/text/lines.ts";

/** Path to text. */
export type Texts = Record<string, string>;

export function manifestOf(texts: Texts): ManifestFile[] {
  return Object.entries(texts).map(([path, content]) => ({
    path,
    sha256: createHash("sha256").update(content).digest("hex"),
    bytes: Buffer.byteLength(content),
    lines: countLines(content),
  }));
}

/** `texts` as the files of one batch, in the order of `paths`. */
export function batchOf(texts: Texts, paths: readonly string[] = Object.keys(texts)) {
  return paths.map((path) => ({ path, content: texts[path]! }));
}

/** A commit's name made of one letter. */
export const shaOf = (letter: string) => letter.repeat(40);

/** Publishes `texts` as the commit `sha`. */
export async function publish(db: Database, sha: string, texts: Texts): Promise<void> {
  const { missing } = await beginSnapshot(db, sha, manifestOf(texts));
  for (let at = 0; at < missing.length; at += 100) {
    await putSourceFiles(db, sha, batchOf(texts, missing.slice(at, at + 100)));
  }
  await commitSnapshot(db, sha);
}
