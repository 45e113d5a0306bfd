/**
 * The owner's writes to the library (§16.1, §21.3). Equal content leaves a row as it was, its `updated_at` too, so that
 * publishing a folder again changes only what changed.
 */
import { createHash } from "node:crypto";
import type { Database } from "../database/pool";

export interface CategoryWrite {
  slug: string;
  name: string;
  /** `#RRGGBB` */
  dot: string;
  sortOrder: number;
}
export interface SeriesWrite {
  slug: string;
  categorySlug: string;
  name: string;
  description: string;
  sortOrder: number;
}
export interface ChapterWrite {
  seriesSlug: string;
  slug: string;
  ordinal: number;
  label: string;
  pinned: boolean;
  title: string;
  summary: string;
  contentMd: string;
  sourceUrl: string | null;
  /** ISO 8601 */
  publishedAt: string;
}

export async function upsertCategory(db: Database, row: CategoryWrite): Promise<void> {
  await db.queryAs(
    "admin_rw",
    `INSERT INTO notes_categories (slug, name, dot, sort_order) VALUES ($1, $2, $3, $4)
     ON CONFLICT (slug) DO UPDATE SET name = excluded.name, dot = excluded.dot, sort_order = excluded.sort_order`,
    [row.slug, row.name, row.dot, row.sortOrder],
  );
}

/** Throws `missing_reference` when the category does not exist. */
export async function upsertSeries(db: Database, row: SeriesWrite): Promise<void> {
  await db.queryAs(
    "admin_rw",
    `INSERT INTO notes_series (slug, category_slug, name, description, sort_order) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (slug) DO UPDATE SET category_slug = excluded.category_slug, name = excluded.name,
       description = excluded.description, sort_order = excluded.sort_order`,
    [row.slug, row.categorySlug, row.name, row.description, row.sortOrder],
  );
}

/**
 * Writes a chapter; its word count and content hash are derived from the text. Returns whether anything changed. Throws
 * `missing_reference` when the series does not exist, `check_failed` when a value is out of bounds.
 */
export async function upsertChapter(db: Database, row: ChapterWrite): Promise<{ changed: boolean }> {
  const written = await db.queryAs(
    "admin_rw",
    `INSERT INTO notes_chapters AS c (series_slug, slug, ordinal, label, pinned, title, summary, content_md, source_url,
       published_at, word_count, content_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     ON CONFLICT (series_slug, slug) DO UPDATE SET ordinal = excluded.ordinal, label = excluded.label,
       pinned = excluded.pinned, title = excluded.title, summary = excluded.summary, content_md = excluded.content_md,
       source_url = excluded.source_url, published_at = excluded.published_at, word_count = excluded.word_count,
       content_hash = excluded.content_hash, updated_at = now()
     WHERE (c.ordinal, c.label, c.pinned, c.title, c.summary, c.source_url, c.published_at, c.word_count, c.content_hash)
       IS DISTINCT FROM (excluded.ordinal, excluded.label, excluded.pinned, excluded.title, excluded.summary,
         excluded.source_url, excluded.published_at, excluded.word_count, excluded.content_hash)
     RETURNING c.id`,
    [
      row.seriesSlug,
      row.slug,
      row.ordinal,
      row.label,
      row.pinned,
      row.title,
      row.summary,
      row.contentMd,
      row.sourceUrl,
      row.publishedAt,
      countWords(row.contentMd),
      createHash("sha256").update(row.contentMd).digest("hex"),
    ],
  );
  return { changed: written.length > 0 };
}

/** Words of a mixed text: each Chinese or Japanese character is one, any other run of letters and digits is one. */
export function countWords(text: string): number {
  const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
  const characters = text.match(cjk)?.length ?? 0;
  const words = text.replace(cjk, " ").match(/[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
  return characters + words;
}
