/** The library as the pages show it (§16.2). Public content, the same for everyone. */
import type { ChapterCard, ChapterView, NotesIndex, SeriesView } from "../../../shared/contracts/notes";
import { LIMITS } from "../../../shared/limits";
import { isWebUrl } from "../../../shared/text/web-url";
import type { Database } from "../database/pool";

const CARD = `slug, label, title, summary, pinned, word_count AS "wordCount", published_at AS "publishedAt"`;
/** Pinned chapters first, then as the owner numbered them. */
const READING_ORDER = "pinned DESC, ordinal, slug";

/** Every category with its series, each with its latest chapters that are not pinned. */
export async function notesIndex(db: Database): Promise<NotesIndex> {
  const { categories, series, latest } = await db.asRole("content_ro", async (tx) => {
    const [categories, series, latest] = await Promise.all([
      tx.query<Omit<NotesIndex["categories"][number], "series">>(
        "SELECT slug, name, dot FROM notes_categories ORDER BY sort_order, slug",
      ),
      tx.query<{ category: string; slug: string; name: string; description: string; chapterCount: number }>(
        `SELECT s.category_slug AS category, s.slug, s.name, s.description,
           (SELECT count(*) FROM notes_chapters c WHERE c.series_slug = s.slug AND NOT c.pinned) AS "chapterCount"
         FROM notes_series s ORDER BY s.sort_order, s.slug`,
      ),
      tx.query<ChapterCard & { series: string }>(
        `SELECT series_slug AS series, ${CARD} FROM (
           SELECT *, row_number() OVER (PARTITION BY series_slug ORDER BY published_at DESC, ordinal DESC) AS place
           FROM notes_chapters WHERE NOT pinned
         ) ranked WHERE place <= $1 ORDER BY place`,
        [LIMITS.notesLatestChapters],
      ),
    ]);
    return { categories, series, latest };
  });
  return {
    categories: categories.map((category) => ({
      ...category,
      series: series
        .filter((one) => one.category === category.slug)
        .map(({ category: _, ...one }) => ({
          ...one,
          latest: latest.filter((card) => card.series === one.slug).map(({ series: _, ...card }) => card),
        })),
    })),
  };
}

/** One series with its chapters in reading order; null when there is none. */
export async function readSeries(db: Database, slug: string): Promise<SeriesView | null> {
  return db.asRole("content_ro", async (tx) => {
    const [[series], chapters] = await Promise.all([
      tx.query<Omit<SeriesView, "chapters">>(
        `SELECT s.slug, s.name, s.description, json_build_object('slug', c.slug, 'name', c.name, 'dot', c.dot) AS category
         FROM notes_series s JOIN notes_categories c ON c.slug = s.category_slug WHERE s.slug = $1`,
        [slug],
      ),
      tx.query<ChapterCard>(`SELECT ${CARD} FROM notes_chapters WHERE series_slug = $1 ORDER BY ${READING_ORDER}`, [
        slug,
      ]),
    ]);
    return series ? { ...series, chapters } : null;
  });
}

/** One chapter with its neighbours in reading order; null when there is none. */
export async function readChapter(db: Database, series: string, chapter: string): Promise<ChapterView | null> {
  const [view] = await db.queryAs<ChapterView>(
    "content_ro",
    `WITH ordered AS (
       SELECT id,
         lag(json_build_object('slug', slug, 'title', title)) OVER reading AS previous,
         lead(json_build_object('slug', slug, 'title', title)) OVER reading AS next
       FROM notes_chapters WHERE series_slug = $1 WINDOW reading AS (ORDER BY ${READING_ORDER})
     )
     SELECT c.slug, c.label, c.title, c.summary, c.pinned, c.word_count AS "wordCount",
       c.published_at AS "publishedAt", c.content_md AS "contentMd", c.source_url AS "sourceUrl",
       c.updated_at AS "updatedAt", json_build_object('slug', s.slug, 'name', s.name) AS series,
       o.previous, o.next
     FROM notes_chapters c JOIN notes_series s ON s.slug = c.series_slug JOIN ordered o ON o.id = c.id
     WHERE c.series_slug = $1 AND c.slug = $2`,
    [series, chapter],
  );
  return view
    ? { ...view, sourceUrl: view.sourceUrl !== null && isWebUrl(view.sourceUrl) ? view.sourceUrl : null }
    : null;
}
