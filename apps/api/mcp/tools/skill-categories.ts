/** The categories of the skills library (§12.1, §21.3). */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import { deleteSkillCategory, listSkillCategories, upsertSkillCategory } from "../../stores/skill-categories-admin";
import { changed, defineTool, expectedRevision, revision } from "../define-tool";
import { pageInput, pageOutput } from "../paging";
import { patchOf } from "../partial-update";
import { advised, noSuch } from "../store-advice";
import { dot, slug, sortOrder } from "./fields";

const category = z.object({ slug: z.string(), name: z.string(), dot: z.string(), sortOrder: z.int(), revision });

const fields = {
  name: z.string().max(LIMITS.skillCategoryNameChars).optional(),
  dot: dot.optional(),
  sortOrder: sortOrder.optional(),
};

const list = defineTool({
  name: "skills_categories_list",
  title: "List the categories of skills",
  description:
    "Categories of skills in their order: categories (slug, name, dot: a colour, sortOrder, revision), total, nextCursor.",
  effect: "read",
  input: z.strictObject({ ...pageInput }),
  output: z.object({ categories: z.array(category), ...pageOutput }),
  async run({ db, page }) {
    const { rows: categories, ...rest } = page(await listSkillCategories(db), (it) => it.slug);
    return { categories, ...rest };
  },
});

const upsert = defineTool({
  name: "skills_category_upsert",
  title: "Write a category of skills",
  description:
    "Creates a category, or changes the given fields of one. A new one needs name and dot. Returns category (slug, name, dot, sortOrder, revision) and changed.",
  effect: "set",
  input: z.strictObject({ slug, ...fields, expectedRevision }),
  output: z.object({ category, changed }),
  summary: (args) => args.slug,
  async run({ db, args }) {
    const written = await upsertSkillCategory(db, { slug: args.slug, ...patchOf(args, fields) }, args);
    return { category: written.row, changed: written.changed };
  },
});

const remove = defineTool({
  name: "skills_category_delete",
  title: "Delete a category of skills",
  description:
    "Deletes a category that has no skills; refused with the count while it has some. Returns category (the row that is gone) and changed.",
  effect: "destroy",
  input: z.strictObject({ slug, expectedRevision }),
  output: z.object({ category, changed }),
  summary: (args) => args.slug,
  async run({ db, args }) {
    const written = await advised(deleteSkillCategory(db, args.slug, args), {
      ...noSuch("slug", "category of skills", async () => (await listSkillCategories(db)).map((it) => it.slug)),
      in_use: () => ({
        cause: "This category still has skills.",
        field: "slug",
        retry: "Move its skills by skills_upsert with another categorySlug, or delete them, then delete it.",
      }),
    });
    return { category: written.row, changed: written.changed };
  },
});

export const skillCategoryTools = [list, upsert, remove];
