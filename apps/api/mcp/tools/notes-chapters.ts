/** The chapters of a series (§21.3). Lists carry no texts; a text is read in pieces. */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import type { Database } from "../../database/pool";
import { deleteChapter, getChapter, listChapters, upsertChapter } from "../../stores/notes-chapters-admin";
import { changed, defineTool, expectedRevision, revision } from "../define-tool";
import { pageInput, pageOutput, pieceInput, pieceOf, pieceOutput } from "../paging";
import { patchOf } from "../partial-update";
import { advised } from "../store-advice";
import { type ToolRefusal, unknownName } from "../tool-refusal";
import { slug } from "./fields";
import { seriesSlugs } from "./notes";

const chapter = z.object({
  seriesSlug: z.string(),
  slug: z.string(),
  ordinal: z.int(),
  label: z.string(),
  pinned: z.boolean(),
  title: z.string(),
  summary: z.string(),
  sourceUrl: z.string().nullable(),
  wordCount: z.int(),
  contentHash: z.string(),
  publishedAt: z.string(),
  updatedAt: z.string(),
  revision,
});

const chapterFields = {
  ordinal: z.int().min(0).max(LIMITS.noteOrdinal).optional().describe("Place in the series, ascending."),
  label: z.string().max(LIMITS.noteLabelChars).nullable().optional().describe("Short mark, such as 01."),
  pinned: z.boolean().optional().describe("Stands before the others and is not counted."),
  title: z.string().max(LIMITS.noteTitleChars).optional(),
  summary: z.string().max(LIMITS.noteSummaryChars).nullable().optional(),
  contentMd: z.string().max(LIMITS.noteContentBytes).optional().describe("The whole text in Markdown."),
  sourceUrl: z.string().max(LIMITS.noteSourceUrlChars).nullable().optional().describe("http or https."),
  publishedAt: z.string().max(40).optional().describe("ISO 8601, such as 2026-01-31T08:00:00Z."),
};

const list = defineTool({
  name: "notes_chapters_list",
  title: "List the chapters of a series",
  description:
    "Chapters of a series in reading order, without their texts: chapters (slug, ordinal, label, pinned, title, summary, sourceUrl, wordCount, contentHash: SHA-256 of the text, publishedAt, updatedAt, revision), total, nextCursor.",
  effect: "read",
  input: z.strictObject({ seriesSlug: slug, ...pageInput }),
  output: z.object({ chapters: z.array(chapter), ...pageOutput }),
  async run({ db, args, page }) {
    const rows = await listChapters(db, args.seriesSlug);
    if (rows === null) throw await noSeries(db);
    const { rows: chapters, ...rest } = page(rows, (it) => it.slug);
    return { chapters, ...rest };
  },
});

const get = defineTool({
  name: "notes_chapter_get",
  title: "Read a chapter",
  description:
    "One chapter with its text: chapter (as notes_chapters_list gives it), contentMd, totalChars. A long text comes in pieces: while there is a nextOffset, call again with it as offset.",
  effect: "read",
  input: z.strictObject({ seriesSlug: slug, slug, ...pieceInput }),
  output: z.object({ chapter, contentMd: z.string(), ...pieceOutput }),
  async run({ db, args }) {
    const found = await getChapter(db, args.seriesSlug, args.slug);
    if (found === null) throw await noChapter(db, args.seriesSlug);
    const { contentMd, ...row } = found;
    const { text, ...piece } = pieceOf(contentMd, args.offset);
    return { chapter: row, contentMd: text, ...piece };
  },
});

const upsert = defineTool({
  name: "notes_chapter_upsert",
  title: "Write a chapter",
  description:
    "Creates a chapter, or changes the given fields of one. A new one needs ordinal, title, contentMd and publishedAt. Null clears label, summary and sourceUrl. Its page is /notes/<seriesSlug>/<slug>. Returns chapter (as notes_chapters_list gives it) and changed.",
  effect: "set",
  input: z.strictObject({ seriesSlug: slug, slug, ...chapterFields, expectedRevision }),
  output: z.object({ chapter, changed }),
  summary: ({ seriesSlug, slug }) => `${slug} in ${seriesSlug}`,
  async run({ db, args }) {
    const { seriesSlug, slug } = args;
    const { label, summary, sourceUrl, ...patch } = patchOf(args, chapterFields);
    const cleared = {
      label: label === null ? "" : label,
      summary: summary === null ? "" : summary,
      sourceUrl: sourceUrl === "" ? null : sourceUrl,
    };
    const written = await advised(upsertChapter(db, { seriesSlug, slug, ...patch, ...cleared }, args), {
      missing_reference: () => ({
        cause: "There is no series of that name.",
        retry: "Take one of the allowed, or create it by notes_series_upsert first.",
      }),
    });
    return { chapter: written.row, changed: written.changed };
  },
});

const remove = defineTool({
  name: "notes_chapter_delete",
  title: "Delete a chapter",
  description: "Deletes a chapter for good. Returns chapter (the row that is gone, without its text) and changed.",
  effect: "destroy",
  input: z.strictObject({ seriesSlug: slug, slug, expectedRevision }),
  output: z.object({ chapter, changed }),
  summary: ({ seriesSlug, slug }) => `${slug} in ${seriesSlug}`,
  async run({ db, args: { seriesSlug, slug, expectedRevision } }) {
    const written = await advised(deleteChapter(db, seriesSlug, slug, { expectedRevision }), {
      not_found: async () => (await noChapter(db, seriesSlug)).facts,
    });
    return { chapter: written.row, changed: written.changed };
  },
});

export const notesChapterTools = [list, get, upsert, remove];

export async function noSeries(db: Database): Promise<ToolRefusal> {
  return unknownName("seriesSlug", "series", await seriesSlugs(db));
}

/** The series is not there, or the chapter is not in it. */
async function noChapter(db: Database, seriesSlug: string): Promise<ToolRefusal> {
  const rows = await listChapters(db, seriesSlug);
  if (rows === null) return noSeries(db);
  return unknownName(
    "slug",
    "chapter",
    rows.map((it) => it.slug),
  );
}
