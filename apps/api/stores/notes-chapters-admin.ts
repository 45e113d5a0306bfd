/**
 * The owner's side of chapters (§16.1, §21.3). Word count and content hash are derived from the text. A write changes
 * what it names and leaves the rest; equal content leaves the row as it was, its `updatedAt` too, so that publishing a
 * folder again changes only what changed. Refusals are `StoreRefusal`s.
 */
import { createHash } from "node:crypto";
import { LIMITS } from "../../../shared/limits";
import type { Database, Tx } from "../database/pool";
import {
  integerField,
  lineField,
  momentField,
  needed,
  parentField,
  slugField,
  textField,
  urlField,
} from "./owner-fields";
import { changeRow, deleteRow, type Expected, patched, type Written } from "./owner-write";
import { type Revised, revised, revisionOf } from "./revision";

/** A chapter without its text, which `contentHash` stands for. */
export interface ChapterRow {
  seriesSlug: string;
  slug: string;
  ordinal: number;
  label: string;
  pinned: boolean;
  title: string;
  summary: string;
  sourceUrl: string | null;
  wordCount: number;
  /** SHA-256 of the text, in hex. */
  contentHash: string;
  /** ISO 8601 */
  publishedAt: string;
  updatedAt: string;
}

/** A new chapter needs its ordinal, title, text and date of publication. */
export type ChapterWrite = Pick<ChapterRow, "seriesSlug" | "slug"> &
  Partial<Omit<ChapterRow, "wordCount" | "contentHash" | "updatedAt">> & { contentMd?: string };

const CHAPTER = `SELECT series_slug AS "seriesSlug", slug, ordinal, label, pinned, title, summary,
  source_url AS "sourceUrl", word_count AS "wordCount", content_hash AS "contentHash",
  published_at AS "publishedAt", updated_at AS "updatedAt" FROM notes_chapters`;

/** The chapters of a series in reading order; null when there is no such series. */
export async function listChapters(db: Database, seriesSlug: string): Promise<Revised<ChapterRow>[] | null> {
  return db.asRole("admin_rw", async (tx) => {
    const [[series], rows] = await Promise.all([
      tx.query("SELECT slug FROM notes_series WHERE slug = $1", [seriesSlug]),
      tx.query<ChapterRow>(`${CHAPTER} WHERE series_slug = $1 ORDER BY pinned DESC, ordinal, slug`, [seriesSlug]),
    ]);
    return series ? rows.map(revised) : null;
  });
}

/** One chapter with its text; null when there is none. */
export async function getChapter(
  db: Database,
  seriesSlug: string,
  slug: string,
): Promise<(Revised<ChapterRow> & { contentMd: string }) | null> {
  const [found] = await db.queryAs<ChapterRow & { contentMd: string }>(
    "admin_rw",
    `SELECT chapter.*, c.content_md AS "contentMd" FROM notes_chapters c
     JOIN (${CHAPTER}) chapter ON chapter."seriesSlug" = c.series_slug AND chapter.slug = c.slug
     WHERE c.series_slug = $1 AND c.slug = $2`,
    [seriesSlug, slug],
  );
  if (found === undefined) return null;
  const { contentMd, ...row } = found;
  return { ...revised(row), contentMd };
}

export async function upsertChapter(
  db: Database,
  { seriesSlug, slug, contentMd, ...patch }: ChapterWrite,
  expected: Expected = {},
): Promise<Written<ChapterRow>> {
  return changeRow<ChapterRow>(db, {
    ...expected,
    key: ["notes_chapters", seriesSlug, slug],
    read: (tx) => readChapter(tx, seriesSlug, slug),
    async write(tx, current) {
      if (current === null) await parentField(tx, "seriesSlug", "notes_series", seriesSlug);
      const row = checked(patched(current ?? newChapter(seriesSlug, slug, patch), patch));
      if (current === null) needed("contentMd", contentMd);
      if (contentMd !== undefined) {
        textField("contentMd", contentMd, LIMITS.noteContentBytes);
        row.wordCount = countWords(contentMd);
        row.contentHash = createHash("sha256").update(contentMd).digest("hex");
      }
      if (current && revisionOf(current) === revisionOf(row)) return false;
      const text = current?.contentHash === row.contentHash ? null : contentMd;
      await tx.query(current === null ? INSERT : UPDATE, [
        seriesSlug,
        slug,
        row.ordinal,
        row.label,
        row.pinned,
        row.title,
        row.summary,
        row.sourceUrl,
        row.publishedAt,
        row.wordCount,
        row.contentHash,
        text,
      ]);
      return true;
    },
  });
}

const INSERT = `INSERT INTO notes_chapters (series_slug, slug, ordinal, label, pinned, title, summary, source_url,
    published_at, word_count, content_hash, content_md)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;
const UPDATE = `UPDATE notes_chapters SET ordinal = $3, label = $4, pinned = $5, title = $6, summary = $7,
    source_url = $8, published_at = $9, word_count = $10, content_hash = $11,
    content_md = coalesce($12, content_md), updated_at = now()
  WHERE series_slug = $1 AND slug = $2`;

export async function deleteChapter(
  db: Database,
  seriesSlug: string,
  slug: string,
  expected: Expected = {},
): Promise<Written<ChapterRow>> {
  return deleteRow<ChapterRow>(db, {
    ...expected,
    key: ["notes_chapters", seriesSlug, slug],
    read: (tx) => readChapter(tx, seriesSlug, slug),
    async remove(tx) {
      await tx.query("DELETE FROM notes_chapters WHERE series_slug = $1 AND slug = $2", [seriesSlug, slug]);
    },
  });
}

async function readChapter(tx: Tx, seriesSlug: string, slug: string): Promise<ChapterRow | null> {
  const [row] = await tx.query<ChapterRow>(`${CHAPTER} WHERE series_slug = $1 AND slug = $2`, [seriesSlug, slug]);
  return row ?? null;
}

function newChapter(seriesSlug: string, slug: string, patch: Partial<ChapterRow>): ChapterRow {
  return {
    seriesSlug,
    slug: slugField("slug", slug),
    ordinal: needed("ordinal", patch.ordinal),
    label: "",
    pinned: false,
    title: needed("title", patch.title),
    summary: "",
    sourceUrl: null,
    wordCount: 0,
    contentHash: "",
    publishedAt: needed("publishedAt", patch.publishedAt),
    updatedAt: "",
  };
}

function checked(row: ChapterRow): ChapterRow {
  return {
    ...row,
    ordinal: integerField("ordinal", row.ordinal, LIMITS.noteOrdinal),
    label: lineField("label", row.label, LIMITS.noteLabelChars),
    title: lineField("title", row.title, LIMITS.noteTitleChars, 1),
    summary: lineField("summary", row.summary, LIMITS.noteSummaryChars),
    sourceUrl: row.sourceUrl === null ? null : urlField("sourceUrl", row.sourceUrl, LIMITS.noteSourceUrlChars),
    publishedAt: momentField("publishedAt", row.publishedAt),
  };
}

/** Words of a mixed text: each Chinese or Japanese character is one, any other run of letters and digits is one. */
export function countWords(text: string): number {
  const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
  const characters = text.match(cjk)?.length ?? 0;
  const words = text.replace(cjk, " ").match(/[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
  return characters + words;
}
