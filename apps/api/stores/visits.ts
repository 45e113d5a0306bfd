/** Writes page views (§22). What comes in here is of closed sets already, but for names of pages: those are looked up. */
import type { Database, Tx } from "../database/pool";

/** A path by its shape. A name in it is a slug, and may be none of this site's. */
export type Page =
  | { kind: "fixed"; path: string }
  | { kind: "series"; series: string }
  | { kind: "chapter"; series: string; chapter: string }
  | { kind: "skill"; name: string }
  | { kind: "other" };

export interface Visit {
  /** `YYYY-MM-DD`, as the quotas count days. */
  day: string;
  page: Page;
  /** 32 hex digits. */
  visitor: string;
  ua: string;
}

/** Where every view of a page that does not exist is counted. */
export const NO_PAGE = "/*";

/** Counts one view: a new row, or one more hit on the visitor's row of that page and day. */
export async function addVisit(db: Database, { day, page, visitor, ua }: Visit): Promise<void> {
  await db.asRole("metrics_w", async (tx) => {
    await tx.query(
      `INSERT INTO visits AS v (day, path, visitor, ua, hits) VALUES ($1, $2, $3, $4, 1)
       ON CONFLICT (day, path, visitor) DO UPDATE SET hits = v.hits + 1, last_at = now()`,
      [day, await pathOf(tx, page), visitor, ua],
    );
  });
}

async function pathOf(tx: Tx, page: Page): Promise<string> {
  switch (page.kind) {
    case "fixed":
      return page.path;
    case "series": {
      const known = await tx.query("SELECT FROM notes_series WHERE slug = $1", [page.series]);
      return known.length > 0 ? `/notes/${page.series}` : NO_PAGE;
    }
    case "chapter": {
      const { series, chapter } = page;
      const known = await tx.query("SELECT FROM notes_chapters WHERE (series_slug, slug) = ($1, $2)", [
        series,
        chapter,
      ]);
      return known.length > 0 ? `/notes/${series}/${chapter}` : NO_PAGE;
    }
    case "skill": {
      const known = await tx.query("SELECT FROM skills WHERE name = $1", [page.name]);
      return known.length > 0 ? `/skills/${page.name}` : NO_PAGE;
    }
    case "other":
      return NO_PAGE;
  }
}
