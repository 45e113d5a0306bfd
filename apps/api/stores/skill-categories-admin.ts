/** The owner's side of the categories of skills (§12.1, §21.3). Refusals are `StoreRefusal`s. */
import { LIMITS } from "../../../shared/limits";
import type { Database, Tx } from "../database/pool";
import { colourField, integerField, lineField, needed, slugField } from "./owner-fields";
import { changeRow, deleteRow, type Expected, patched, type Written } from "./owner-write";
import { type Revised, revised, revisionOf } from "./revision";
import { StoreRefusal } from "./store-refusal";

export interface SkillCategoryRow {
  slug: string;
  name: string;
  /** `#RRGGBB` */
  dot: string;
  sortOrder: number;
}
/** A new category needs its name and its dot. */
export type SkillCategoryWrite = Pick<SkillCategoryRow, "slug"> & Partial<SkillCategoryRow>;

const CATEGORY = `SELECT slug, name, dot, sort_order AS "sortOrder" FROM skills_categories`;

export async function listSkillCategories(db: Database): Promise<Revised<SkillCategoryRow>[]> {
  return (await db.queryAs<SkillCategoryRow>("admin_rw", `${CATEGORY} ORDER BY sort_order, slug`)).map(revised);
}

export async function upsertSkillCategory(
  db: Database,
  { slug, ...patch }: SkillCategoryWrite,
  expected: Expected = {},
): Promise<Written<SkillCategoryRow>> {
  return changeRow<SkillCategoryRow>(db, {
    ...expected,
    key: ["skills_categories", slug],
    read: (tx) => readCategory(tx, slug),
    async write(tx, current) {
      const row = patched(current ?? newCategory(slug, patch), patch);
      row.name = lineField("name", row.name, LIMITS.skillCategoryNameChars, 1);
      colourField("dot", row.dot);
      integerField("sortOrder", row.sortOrder, LIMITS.skillSortOrder);
      if (current && revisionOf(current) === revisionOf(row)) return false;
      await tx.query(
        `INSERT INTO skills_categories (slug, name, dot, sort_order) VALUES ($1, $2, $3, $4)
         ON CONFLICT (slug) DO UPDATE SET name = excluded.name, dot = excluded.dot, sort_order = excluded.sort_order`,
        [slug, row.name, row.dot, row.sortOrder],
      );
      return true;
    },
  });
}

function newCategory(slug: string, patch: Partial<SkillCategoryRow>): SkillCategoryRow {
  return {
    slug: slugField("slug", slug),
    name: needed("name", patch.name),
    dot: needed("dot", patch.dot),
    sortOrder: 0,
  };
}

/** Refused with `in_use` while it has skills. */
export async function deleteSkillCategory(
  db: Database,
  slug: string,
  expected: Expected = {},
): Promise<Written<SkillCategoryRow>> {
  return deleteRow<SkillCategoryRow>(db, {
    ...expected,
    key: ["skills_categories", slug],
    read: (tx) => readCategory(tx, slug),
    async remove(tx) {
      await tx.query("SELECT FROM skills_categories WHERE slug = $1 FOR UPDATE", [slug]);
      const [used] = await tx.query<{ count: number }>(
        "SELECT count(*) AS count FROM skills WHERE category_slug = $1",
        [slug],
      );
      if (used!.count > 0) throw new StoreRefusal("in_use", { count: used!.count });
      await tx.query("DELETE FROM skills_categories WHERE slug = $1", [slug]);
    },
  });
}

async function readCategory(tx: Tx, slug: string): Promise<SkillCategoryRow | null> {
  const [row] = await tx.query<SkillCategoryRow>(`${CATEGORY} WHERE slug = $1`, [slug]);
  return row ?? null;
}
