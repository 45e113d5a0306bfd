/** The shelves of the notes: categories and the series in them (§21.3). */
import { z } from "zod";
import { LIMITS } from "../../../../shared/limits";
import type { Database } from "../../database/pool";
import {
  deleteCategory,
  deleteSeries,
  listCategories,
  listSeries,
  upsertCategory,
  upsertSeries,
} from "../../stores/notes-admin";
import { changed, defineTool, expectedRevision, revision } from "../define-tool";
import { pageInput, pageOutput } from "../paging";
import { patchOf } from "../partial-update";
import { advised, noSuch } from "../store-advice";
import { unknownName } from "../tool-refusal";
import { dot, slug, sortOrder } from "./fields";

const category = z.object({ slug: z.string(), name: z.string(), dot: z.string(), sortOrder: z.int(), revision });
const series = z.object({
  slug: z.string(),
  categorySlug: z.string(),
  name: z.string(),
  description: z.string(),
  sortOrder: z.int(),
  revision,
});

const categoryFields = {
  name: z.string().max(LIMITS.noteCategoryNameChars).optional(),
  dot: dot.optional(),
  sortOrder: sortOrder.optional(),
};
const seriesFields = {
  categorySlug: slug.optional(),
  name: z.string().max(LIMITS.noteSeriesNameChars).optional(),
  description: z.string().max(LIMITS.noteDescriptionChars).nullable().optional(),
  sortOrder: sortOrder.optional(),
};

const categoriesList = defineTool({
  name: "notes_categories_list",
  title: "List the categories of notes",
  description:
    "Categories of notes in their order: categories (slug, name, dot: a colour, sortOrder, revision), total, nextCursor.",
  effect: "read",
  input: z.strictObject({ ...pageInput }),
  output: z.object({ categories: z.array(category), ...pageOutput }),
  async run({ db, page }) {
    const { rows: categories, ...rest } = page(await listCategories(db), (it) => it.slug);
    return { categories, ...rest };
  },
});

const categoryUpsert = defineTool({
  name: "notes_category_upsert",
  title: "Write a category of notes",
  description:
    "Creates a category, or changes the given fields of one. A new one needs name and dot. Returns category (slug, name, dot, sortOrder, revision) and changed.",
  effect: "set",
  input: z.strictObject({ slug, ...categoryFields, expectedRevision }),
  output: z.object({ category, changed }),
  summary: (args) => args.slug,
  async run({ db, args }) {
    const patch = patchOf(args, categoryFields);
    const written = await upsertCategory(db, { slug: args.slug, ...patch }, args);
    return { category: written.row, changed: written.changed };
  },
});

const categoryDelete = defineTool({
  name: "notes_category_delete",
  title: "Delete a category of notes",
  description:
    "Deletes a category that has no series; refused with the count while it has some. Returns category (the row that is gone) and changed.",
  effect: "destroy",
  input: z.strictObject({ slug, expectedRevision }),
  output: z.object({ category, changed }),
  summary: (args) => args.slug,
  async run({ db, args }) {
    const written = await advised(deleteCategory(db, args.slug, args), {
      ...noSuch("slug", "category of notes", () => categorySlugs(db)),
      in_use: () => ({
        cause: "This category still has series.",
        field: "slug",
        retry: "Move its series by notes_series_upsert, or delete them by notes_series_delete, then delete it.",
      }),
    });
    return { category: written.row, changed: written.changed };
  },
});

const seriesList = defineTool({
  name: "notes_series_list",
  title: "List the series of notes",
  description:
    "Series of notes, all or of one category, in the order of the pages: series (slug, categorySlug, name, description, sortOrder, revision), total, nextCursor.",
  effect: "read",
  input: z.strictObject({ categorySlug: slug.optional(), ...pageInput }),
  output: z.object({ series: z.array(series), ...pageOutput }),
  async run({ db, args, page }) {
    const rows = await listSeries(db, args.categorySlug);
    if (rows.length === 0 && args.categorySlug !== undefined) {
      const known = await categorySlugs(db);
      if (!known.includes(args.categorySlug)) throw unknownName("categorySlug", "category of notes", known);
    }
    const { rows: shown, ...rest } = page(rows, (it) => it.slug);
    return { series: shown, ...rest };
  },
});

const seriesUpsert = defineTool({
  name: "notes_series_upsert",
  title: "Write a series of notes",
  description:
    "Creates a series, or changes the given fields of one. A new one needs categorySlug and name. Null clears description. Returns series (slug, categorySlug, name, description, sortOrder, revision) and changed.",
  effect: "set",
  input: z.strictObject({ slug, ...seriesFields, expectedRevision }),
  output: z.object({ series, changed }),
  summary: (args) => args.slug,
  async run({ db, args }) {
    const { description, ...patch } = patchOf(args, seriesFields);
    const cleared = description === null ? "" : description;
    const written = await advised(upsertSeries(db, { slug: args.slug, ...patch, description: cleared }, args), {
      missing_reference: () => ({
        cause: "There is no category of that name.",
        retry: "Take one of the allowed, or create it by notes_category_upsert first.",
      }),
    });
    return { series: written.row, changed: written.changed };
  },
});

const seriesDelete = defineTool({
  name: "notes_series_delete",
  title: "Delete a series of notes",
  description:
    "Deletes a series and its pictures. While it has chapters it is refused with their count, unless cascade is true: then they go too, for good. Returns series (the row that is gone) and changed.",
  effect: "destroy",
  input: z.strictObject({
    slug,
    cascade: z.boolean().optional().describe("Delete its chapters too; false if absent."),
    expectedRevision,
  }),
  output: z.object({ series, changed }),
  summary: ({ slug, cascade }) => `${slug}${cascade ? " with its chapters" : ""}`,
  async run({ db, args }) {
    const written = await advised(deleteSeries(db, args.slug, args.cascade ?? false, args), {
      ...noSuch("slug", "series", () => seriesSlugs(db)),
      in_use: () => ({
        cause: "This series still has chapters.",
        field: "cascade",
        allowed: [true],
        retry: "If its chapters are to be lost, send the call with cascade true; else move or keep them.",
      }),
    });
    return { series: written.row, changed: written.changed };
  },
});

export const notesTools = [categoriesList, categoryUpsert, categoryDelete, seriesList, seriesUpsert, seriesDelete];

async function categorySlugs(db: Database): Promise<string[]> {
  return (await listCategories(db)).map((it) => it.slug);
}

export async function seriesSlugs(db: Database): Promise<string[]> {
  return (await listSeries(db)).map((it) => it.slug);
}
