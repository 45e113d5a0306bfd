/**
 * The library as the agent's tools read it (§2.7), under the role that can read nothing else. A series is named by its
 * slug or its exact name, a chapter by its slug or its exact title: models use both. Lists end with whether there is more.
 */
import { LIMITS } from "../../../shared/limits";
import type { Database } from "../database/pool";

export interface SeriesRow {
  category: string;
  slug: string;
  name: string;
  description: string;
  chapterCount: number;
}
export interface ChapterRow {
  series: string;
  slug: string;
  title: string;
  summary: string;
}
export interface ChapterText extends ChapterRow {
  contentMd: string;
}
export interface SearchHit extends ChapterRow {
  /** Text around the first place where the query stands, or the summary when it stands in title or summary only. */
  snippet: string;
}

/** Series in the library's order; `category` and `series` narrow the list. At most 50. */
export async function listSeries(
  db: Database,
  filter: { category?: string; series?: string } = {},
): Promise<{ rows: SeriesRow[]; more: boolean }> {
  const rows = await db.queryAs<SeriesRow>(
    "agent_ro",
    `SELECT c.slug AS category, s.slug, s.name, s.description,
       (SELECT count(*) FROM notes_chapters n WHERE n.series_slug = s.slug) AS "chapterCount"
     FROM notes_series s JOIN notes_categories c ON c.slug = s.category_slug
     WHERE ($1::text IS NULL OR $1 IN (c.slug, c.name)) AND ($2::text IS NULL OR $2 IN (s.slug, s.name))
     ORDER BY c.sort_order, c.slug, s.sort_order, s.slug LIMIT $3`,
    [filter.category ?? null, filter.series ?? null, LIMITS.notesListRows + 1],
  );
  return cut(rows, LIMITS.notesListRows);
}

/** Chapters of one series in reading order, at most 50; empty for an unknown series. */
export async function listChapters(db: Database, series: string): Promise<{ rows: ChapterRow[]; more: boolean }> {
  const rows = await db.queryAs<ChapterRow>(
    "agent_ro",
    `SELECT s.slug AS series, n.slug, n.title, n.summary
     FROM notes_chapters n JOIN notes_series s ON s.slug = n.series_slug
     WHERE $1 IN (s.slug, s.name) ORDER BY n.pinned DESC, n.ordinal, n.slug LIMIT $2`,
    [series, LIMITS.notesListRows + 1],
  );
  return cut(rows, LIMITS.notesListRows);
}

/** One chapter with its whole text; null when there is none. */
export async function getChapter(db: Database, series: string, chapter: string): Promise<ChapterText | null> {
  const [found] = await db.queryAs<ChapterText>(
    "agent_ro",
    `SELECT s.slug AS series, n.slug, n.title, n.summary, n.content_md AS "contentMd"
     FROM notes_chapters n JOIN notes_series s ON s.slug = n.series_slug
     WHERE $1 IN (s.slug, s.name) AND $2 IN (n.slug, n.title)
     ORDER BY n.slug = $2 DESC, s.slug = $1 DESC LIMIT 1`,
    [series, chapter],
  );
  return found ?? null;
}

/**
 * Chapters that contain `query` literally, letter case aside, at most `limit`: those with it in the title first, then in
 * the summary, then in the text. `%` and `_` mean themselves; Chinese needs no word boundaries.
 */
export async function searchNotes(
  db: Database,
  query: string,
  limit: number,
): Promise<{ rows: SearchHit[]; more: boolean }> {
  const chars = LIMITS.notesSnippetChars;
  // Texts are looked through one after the other in the order of the result, and only as far as hits are wanted: OFFSET 0
  // keeps the filter from being made before the order.
  const rows = await db.queryAs<ChapterRow & { found: string | null }>(
    "agent_ro",
    `WITH needle AS MATERIALIZED (SELECT lower($1) AS needle),
       heads AS MATERIALIZED (
         SELECT id, series_slug, ordinal, slug, strpos(lower(title), needle) > 0 AS in_title,
           strpos(lower(title), needle) > 0 OR strpos(lower(summary), needle) > 0 AS in_head
         FROM notes_chapters, needle
       ),
       hits AS (
         (SELECT id, in_title, in_head, series_slug, ordinal, slug FROM heads WHERE in_head
           ORDER BY NOT in_title, series_slug, ordinal, slug LIMIT $2)
         UNION ALL
         (SELECT id, in_title, in_head, series_slug, ordinal, slug FROM (
             SELECT heads.*, folded FROM heads JOIN notes_chapters USING (id) WHERE NOT in_head
             ORDER BY heads.series_slug, heads.ordinal, heads.slug OFFSET 0
           ) texts, needle
           WHERE strpos(folded, needle) > 0 LIMIT $2)
         LIMIT $2
       )
     SELECT n.series_slug AS series, n.slug, title, summary,
       CASE WHEN strpos(folded, needle) > 0
         THEN substr(content_md, greatest(1, strpos(folded, needle) - $3), $4) END AS found
     FROM hits JOIN notes_chapters n USING (id), needle
     ORDER BY NOT in_title, NOT in_head, hits.series_slug, hits.ordinal, hits.slug`,
    [query, limit + 1, Math.floor(chars / 3), chars],
  );
  const { rows: hits, more } = cut(rows, limit);
  return { more, rows: hits.map(({ found, ...hit }) => ({ ...hit, snippet: snippet(found ?? hit.summary, chars) })) };
}

/** One row more than asked for was read, to know whether there is more. */
function cut<R>(rows: R[], limit: number): { rows: R[]; more: boolean } {
  return { rows: rows.slice(0, limit), more: rows.length > limit };
}

/** On one line, at most `chars` UTF-16 units, no half of a surrogate pair at its end. */
function snippet(text: string, chars: number): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, chars)
    .replace(/[\ud800-\udbff]$/, "");
}
