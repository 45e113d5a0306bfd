/**
 * The owner's side of the library's shelves: categories and the series in them (§16.1, §21.3). A write changes what it
 * names and leaves the rest; equal content leaves the row as it was. Refusals are `StoreRefusal`s.
 */
import { LIMITS } from "../../../shared/limits";
import type { Database, Tx } from "../database/pool";
import { colourField, integerField, lineField, needed, parentField, slugField } from "./owner-fields";
import { changeRow, deleteRow, type Expected, patched, type Written } from "./owner-write";
import { type Revised, revised, revisionOf } from "./revision";
import { StoreRefusal } from "./store-refusal";

export interface CategoryRow {
  slug: string;
  name: string;
  /** `#RRGGBB` */
  dot: string;
  sortOrder: number;
}
/** A new category needs its name and its dot. */
export type CategoryWrite = Pick<CategoryRow, "slug"> & Partial<CategoryRow>;

export interface SeriesRow {
  slug: string;
  categorySlug: string;
  name: string;
  description: string;
  sortOrder: number;
}
/** A new series needs its category and its name. */
export type SeriesWrite = Pick<SeriesRow, "slug"> & Partial<SeriesRow>;

const CATEGORY = `SELECT slug, name, dot, sort_order AS "sortOrder" FROM notes_categories`;
const SERIES = `SELECT slug, category_slug AS "categorySlug", name, description, sort_order AS "sortOrder" FROM notes_series`;

export async function listCategories(db: Database): Promise<Revised<CategoryRow>[]> {
  return (await db.queryAs<CategoryRow>("admin_rw", `${CATEGORY} ORDER BY sort_order, slug`)).map(revised);
}

/** All series, or those of one category, in the order of the pages. */
export async function listSeries(db: Database, categorySlug?: string): Promise<Revised<SeriesRow>[]> {
  const rows = await db.queryAs<SeriesRow>(
    "admin_rw",
    `SELECT s.* FROM (${SERIES}) s JOIN notes_categories c ON c.slug = s."categorySlug"
     WHERE $1::text IS NULL OR c.slug = $1 ORDER BY c.sort_order, c.slug, s."sortOrder", s.slug`,
    [categorySlug ?? null],
  );
  return rows.map(revised);
}

export async function upsertCategory(
  db: Database,
  { slug, ...patch }: CategoryWrite,
  expected: Expected = {},
): Promise<Written<CategoryRow>> {
  return changeRow<CategoryRow>(db, {
    ...expected,
    key: ["notes_categories", slug],
    read: (tx) => readOne(tx, CATEGORY, slug),
    async write(tx, current) {
      const row = patched(current ?? newCategory(slug, patch), patch);
      row.name = lineField("name", row.name, LIMITS.noteCategoryNameChars, 1);
      colourField("dot", row.dot);
      integerField("sortOrder", row.sortOrder, LIMITS.noteSortOrder);
      if (current && revisionOf(current) === revisionOf(row)) return false;
      await tx.query(
        `INSERT INTO notes_categories (slug, name, dot, sort_order) VALUES ($1, $2, $3, $4)
         ON CONFLICT (slug) DO UPDATE SET name = excluded.name, dot = excluded.dot, sort_order = excluded.sort_order`,
        [slug, row.name, row.dot, row.sortOrder],
      );
      return true;
    },
  });
}

function newCategory(slug: string, patch: Partial<CategoryRow>): CategoryRow {
  return {
    slug: slugField("slug", slug),
    name: needed("name", patch.name),
    dot: needed("dot", patch.dot),
    sortOrder: 0,
  };
}

/** Refused with `in_use` while it has series. */
export async function deleteCategory(
  db: Database,
  slug: string,
  expected: Expected = {},
): Promise<Written<CategoryRow>> {
  return deleteRow<CategoryRow>(db, {
    ...expected,
    key: ["notes_categories", slug],
    read: (tx) => readOne(tx, CATEGORY, slug),
    async remove(tx) {
      await tx.query("SELECT FROM notes_categories WHERE slug = $1 FOR UPDATE", [slug]);
      await refuseUsed(tx, "SELECT count(*) AS count FROM notes_series WHERE category_slug = $1", slug);
      await tx.query("DELETE FROM notes_categories WHERE slug = $1", [slug]);
    },
  });
}

export async function upsertSeries(
  db: Database,
  { slug, ...patch }: SeriesWrite,
  expected: Expected = {},
): Promise<Written<SeriesRow>> {
  return changeRow<SeriesRow>(db, {
    ...expected,
    key: ["notes_series", slug],
    read: (tx) => readOne(tx, SERIES, slug),
    async write(tx, current) {
      const row = patched(current ?? newSeries(slug, patch), patch);
      row.name = lineField("name", row.name, LIMITS.noteSeriesNameChars, 1);
      row.description = lineField("description", row.description, LIMITS.noteDescriptionChars);
      integerField("sortOrder", row.sortOrder, LIMITS.noteSortOrder);
      if (current && revisionOf(current) === revisionOf(row)) return false;
      await parentField(tx, "categorySlug", "notes_categories", row.categorySlug);
      await tx.query(
        `INSERT INTO notes_series (slug, category_slug, name, description, sort_order) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (slug) DO UPDATE SET category_slug = excluded.category_slug, name = excluded.name,
           description = excluded.description, sort_order = excluded.sort_order`,
        [slug, row.categorySlug, row.name, row.description, row.sortOrder],
      );
      return true;
    },
  });
}

function newSeries(slug: string, patch: Partial<SeriesRow>): SeriesRow {
  return {
    slug: slugField("slug", slug),
    categorySlug: needed("categorySlug", patch.categorySlug),
    name: needed("name", patch.name),
    description: "",
    sortOrder: 0,
  };
}

/** With `cascade` its chapters and pictures go too; without, it is refused with `in_use` while it has chapters. */
export async function deleteSeries(
  db: Database,
  slug: string,
  cascade: boolean,
  expected: Expected = {},
): Promise<Written<SeriesRow>> {
  return deleteRow<SeriesRow>(db, {
    ...expected,
    key: ["notes_series", slug],
    read: (tx) => readOne(tx, SERIES, slug),
    async remove(tx) {
      // Keeps new chapters out before they are counted: one that came in between would be deleted uncounted.
      await tx.query("SELECT FROM notes_series WHERE slug = $1 FOR UPDATE", [slug]);
      if (!cascade) {
        await refuseUsed(tx, "SELECT count(*) AS count FROM notes_chapters WHERE series_slug = $1", slug);
      }
      await tx.query("DELETE FROM notes_series WHERE slug = $1", [slug]);
    },
  });
}

async function readOne<Row>(tx: Tx, select: string, slug: string): Promise<Row | null> {
  const [row] = await tx.query<Row>(`${select} WHERE slug = $1`, [slug]);
  return row ?? null;
}

async function refuseUsed(tx: Tx, counting: string, slug: string): Promise<void> {
  const [{ count }] = (await tx.query<{ count: number }>(counting, [slug])) as [{ count: number }];
  if (count > 0) throw new StoreRefusal("in_use", { count });
}
