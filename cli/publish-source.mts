/**
 * Publishes one commit of this repository in three steps (§15.3): the list of its files, the texts that the site lacks,
 * the commit that shows them. Reads git's objects and never the working tree. The same again changes nothing, and what
 * was cut off goes on where it stopped.
 */
import { LIMITS } from "../shared/limits.ts";
import type { AdminSite } from "./mcp-client.mts";
import { type PackedSourceFile, packCommit } from "./source-pack.mts";

export interface Published {
  sha: string;
  files: number;
  /** Texts that had to be sent. */
  sent: number;
  /** The commit was published already. */
  unchanged: boolean;
}
interface Begun {
  missing: string[];
  /** More are missing than `missing` has room for. */
  truncated: boolean;
  alreadyCurrent: boolean;
}

/** Throws a `Refusal` that names the file or the step; readers then see the commit they saw before. */
export async function publishSource(site: AdminSite, root: string, sha: string): Promise<Published> {
  const files = await packCommit(root, sha);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const manifest = files.map(({ content: _, ...file }) => file);
  let sent = 0;
  for (;;) {
    const begun = await site.call<Begun>("source_snapshot_begin", { sha, files: manifest });
    if (begun.alreadyCurrent) return { sha, files: files.length, sent, unchanged: true };
    const lacking = begun.missing.flatMap((path) => byPath.get(path) ?? []);
    for (const batch of batchesOf(lacking)) {
      const texts = batch.map(({ path, content }) => ({ path, content }));
      await site.call("source_files_put", { sha, files: texts });
      sent += batch.length;
    }
    if (!begun.truncated || lacking.length === 0) break;
  }
  await site.call("source_snapshot_commit", { sha });
  return { sha, files: files.length, sent, unchanged: false };
}

/** In their order, each as many as one call takes. */
export function batchesOf(files: readonly PackedSourceFile[]): PackedSourceFile[][] {
  const batches: PackedSourceFile[][] = [];
  let room = 0;
  for (const file of files) {
    const last = batches.at(-1);
    if (last && last.length < LIMITS.sourceBatchFiles && file.bytes <= room) {
      last.push(file);
    } else {
      batches.push([file]);
      room = LIMITS.sourceBatchBytes;
    }
    room -= file.bytes;
  }
  return batches;
}
