/** What a feed of the notes is made from: the newest chapters with the places they stand in (§16.2). */
import { LIMITS } from "../../../shared/limits";
import type { Database } from "../database/pool";

export interface FeedSource {
  /** Name of the category; absent in the feed of all. */
  category?: string;
  /** Newest first, at most thirty. */
  chapters: {
    seriesSlug: string;
    seriesName: string;
    slug: string;
    title: string;
    summary: string;
    /** ISO 8601 */
    publishedAt: string;
  }[];
}

/** The newest chapters of all categories, or of one; null when there is no such category. */
export async function newestChapters(db: Database, categorySlug?: string): Promise<FeedSource | null> {
  return db.asRole("content_ro", async (tx) => {
    const [[category], chapters] = await Promise.all([
      tx.query<{ name: string }>("SELECT name FROM notes_categories WHERE slug = $1", [categorySlug ?? null]),
      tx.query<FeedSource["chapters"][number]>(
        `SELECT s.slug AS "seriesSlug", s.name AS "seriesName", c.slug, c.title, c.summary,
           c.published_at AS "publishedAt"
         FROM notes_chapters c JOIN notes_series s ON s.slug = c.series_slug
         WHERE $1::text IS NULL OR s.category_slug = $1
         ORDER BY c.published_at DESC, c.id DESC LIMIT $2`,
        [categorySlug ?? null, LIMITS.feedChapters],
      ),
    ]);
    if (categorySlug === undefined) return { chapters };
    return category ? { category: category.name, chapters } : null;
  });
}
