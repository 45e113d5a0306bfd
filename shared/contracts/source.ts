/** Contracts of the site's own source, at the one published commit (§15.5). */
import { z } from "zod";
import { LIMITS } from "../limits";
import { contract } from "./contract";

/** NUL is in no file and cannot be asked of the database. */
const text = z.string().refine((value) => !value.includes("\0"));

export const SOURCE_FILE_KINDS = [
  "markdown",
  "typescript",
  "javascript",
  "python",
  "shell",
  "powershell",
  "sql",
  "json",
  "yaml",
  "toml",
  "css",
  "dockerfile",
  "text",
] as const;
export type SourceFileKind = (typeof SOURCE_FILE_KINDS)[number];

export const sourceEntry = z.object({
  path: z.string(),
  kind: z.enum(SOURCE_FILE_KINDS),
  bytes: z.number().int(),
  lines: z.number().int(),
});
export type SourceEntry = z.infer<typeof sourceEntry>;

/** Of a commit's name, as many characters as people read. */
export const SHORT_SHA_CHARS = 7;

export const sourceSnapshot = z.object({
  sha: z.string(),
  shortSha: z.string(),
  publishedAt: z.iso.datetime(),
  fileCount: z.number().int(),
  totalBytes: z.number().int(),
  /** `owner/repo` and its address, where the owner named one. */
  repo: z.string().nullable(),
  repoUrl: z.string().nullable(),
});

export const sourceIndex = z.object({ snapshot: sourceSnapshot, files: z.array(sourceEntry) });
export type SourceIndex = z.infer<typeof sourceIndex>;

export const sourceFile = sourceEntry.extend({ sha: z.string(), content: z.string() });
export type SourceFile = z.infer<typeof sourceFile>;

export const sourceIndexContract = contract({
  method: "GET",
  path: "/source",
  summary: "The published commit and the list of its files.",
  answer: sourceIndex,
  refusals: ["not_found", "internal"],
});

export const sourceFileContract = contract({
  method: "GET",
  path: "/source/file",
  summary: "One file of the published commit.",
  query: z.object({ path: text.min(1).max(LIMITS.sourcePathChars) }),
  answer: sourceFile,
  refusals: ["bad_request", "not_found", "internal"],
});

/** One line that holds the query, and where. */
export const sourceHits = z.object({
  hits: z.array(z.object({ path: z.string(), line: z.number().int(), text: z.string() })),
  /** More lines matched than are listed. */
  more: z.boolean(),
});
export type SourceHits = z.infer<typeof sourceHits>;

export const sourceSearchContract = contract({
  method: "GET",
  path: "/source/search",
  summary: "Lines of the published commit that hold the query, whatever its case.",
  query: z.object({
    query: text.min(LIMITS.sourceQueryMinChars).max(LIMITS.sourceQueryChars),
    prefix: text.max(LIMITS.sourcePathChars).optional(),
  }),
  answer: sourceHits,
  refusals: ["bad_request", "not_found", "internal"],
});
