/**
 * Publishing the site's own source, one commit at a time (§15.3, §21.3): begin with the list of its files, put the texts
 * that are missing, commit. A program does this rather than a model; the answers are as small as a model's all the same.
 */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import { siteOrigin } from "../../lib/env";
import {
  beginSnapshot,
  commitSnapshot,
  deleteSnapshot,
  listSnapshots,
  putSourceFiles,
} from "../../stores/source-publish";
import { defineTool } from "../define-tool";
import { pageInput, pageOutput } from "../paging";
import { advised } from "../store-advice";
import { leading } from "./leading";

const sha = z
  .string()
  .regex(/^[0-9a-f]{40}$/)
  .describe("Name of the commit, in full.");
const path = z.string().min(1).max(LIMITS.sourcePathChars);

const begin = defineTool({
  name: "source_snapshot_begin",
  title: "Begin to publish a commit",
  description:
    "Starts or resumes the upload of a commit by the list of its files. Returns sha, total, reused, missing (paths to put next by source_files_put), truncated (more are missing: put these, then begin again), alreadyCurrent, status. Readers see nothing of it before the commit.",
  effect: "set",
  input: z.strictObject({
    sha,
    files: z
      .array(
        z.strictObject({
          path,
          sha256: z.string().regex(/^[0-9a-f]{64}$/),
          bytes: z.int().min(0).max(LIMITS.sourceFileBytes),
          lines: z
            .int()
            .min(0)
            .max(LIMITS.sourceFileBytes)
            .describe("Line feeds, and one more for a last line without."),
        }),
      )
      .min(1)
      .max(LIMITS.sourceFiles),
  }),
  output: z.object({
    sha: z.string(),
    total: z.int(),
    reused: z.int(),
    missing: z.array(z.string()),
    truncated: z.boolean(),
    alreadyCurrent: z.boolean(),
    status: z.enum(["staging", "current"]),
  }),
  summary: ({ sha, files }) => `${short(sha)}, ${files.length} files`,
  async run({ db, args }) {
    const { missing, ...begun } = await beginSnapshot(db, args.sha, args.files);
    const told = leading(missing);
    return { ...begun, missing: told, truncated: told.length < missing.length };
  },
});

const put = defineTool({
  name: "source_files_put",
  title: "Put files of a commit",
  description:
    "Stores texts of an open upload, all of them or none. Each must be exactly what the list given to source_snapshot_begin says, and not be there yet. Returns sha, stored, pending: how many files are still missing; at 0, source_snapshot_commit publishes.",
  effect: "set",
  input: z.strictObject({
    sha,
    files: z
      .array(z.strictObject({ path, content: z.string().max(LIMITS.sourceFileBytes) }))
      .min(1)
      .max(LIMITS.sourceBatchFiles)
      .describe(`At most ${LIMITS.sourceBatchBytes} bytes of text together.`),
  }),
  output: z.object({ sha: z.string(), stored: z.int(), pending: z.int() }),
  summary: ({ sha, files }) => `${short(sha)}, ${files.length} files`,
  run({ db, args }) {
    return advised(putSourceFiles(db, args.sha, args.files), {
      not_found: () => ({ retry: BEGIN_FIRST }),
      invalid: () => ({ retry: "Nothing of this batch was stored. source_snapshot_begin tells what is missing now." }),
    });
  },
});

const commit = defineTool({
  name: "source_snapshot_commit",
  title: "Publish a commit",
  description:
    "Makes a whole upload the published commit; the one before it and every other upload are deleted. Refused while files are missing. Returns sha, fileCount, totalBytes, publishedAt, replaced: the commit before or null, unchanged: it was published already, status, url.",
  effect: "destroy",
  input: z.strictObject({ sha }),
  output: z.object({
    sha: z.string(),
    fileCount: z.int(),
    totalBytes: z.int(),
    publishedAt: z.string(),
    replaced: z.string().nullable(),
    unchanged: z.boolean(),
    status: z.enum(["staging", "current"]),
    url: z.string(),
  }),
  summary: ({ sha }) => short(sha),
  async run({ db, args }) {
    const committed = await advised(commitSnapshot(db, args.sha), {
      not_found: () => ({ retry: BEGIN_FIRST }),
      invalid: () => ({
        retry: "source_snapshot_begin with the same list tells what is missing; put it, then commit.",
      }),
    });
    return { ...committed, url: `${siteOrigin()}/source` };
  },
});

const list = defineTool({
  name: "source_snapshots_list",
  title: "List the commits of the source",
  description:
    "The published commit first, then open uploads: snapshots (sha, status current|staging, fileCount, totalBytes, pending: files that have not arrived, createdAt, publishedAt or null), total, nextCursor.",
  effect: "read",
  input: z.strictObject({ ...pageInput }),
  output: z.object({
    snapshots: z.array(
      z.object({
        sha: z.string(),
        status: z.enum(["staging", "current"]),
        fileCount: z.int(),
        totalBytes: z.int(),
        pending: z.int(),
        createdAt: z.string(),
        publishedAt: z.string().nullable(),
      }),
    ),
    ...pageOutput,
  }),
  async run({ db, page }) {
    const { rows: snapshots, ...rest } = page(await listSnapshots(db), (it) => it.sha);
    return { snapshots, ...rest };
  },
});

const remove = defineTool({
  name: "source_snapshot_delete",
  title: "Delete an upload of a commit",
  description: "Deletes an open upload with what was put. The published commit cannot be deleted. Returns sha.",
  effect: "destroy",
  input: z.strictObject({ sha }),
  output: z.object({ sha: z.string() }),
  summary: ({ sha }) => short(sha),
  async run({ db, args }) {
    await advised(deleteSnapshot(db, args.sha), {
      not_found: async () => ({
        existing: leading((await listSnapshots(db)).flatMap((it) => (it.status === "staging" ? [it.sha] : []))),
      }),
      in_use: () => ({ retry: "Publish another commit in its place; this one goes with that." }),
    });
    return { sha: args.sha };
  },
});

export const sourceTools = [begin, put, commit, list, remove];

const BEGIN_FIRST = "Call source_snapshot_begin with this sha and the list of its files first.";

function short(sha: string): string {
  return sha.slice(0, 7);
}
