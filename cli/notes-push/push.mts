/**
 * Brings a site's notes to what a folder holds, over the admin endpoint: only what differs is written, and a row that
 * somebody else changed meanwhile is left alone, since each write names the revision it was read at. Shelves come before
 * what stands on them and pictures before the chapters that show them. What only the site has is named, and deleted
 * when that was asked for.
 */
import { createHash } from "node:crypto";
import type { AdminSite } from "../mcp-client.mts";
import type { Chapter } from "./chapter-file.mts";
import type { Notes, Picture } from "./read-folder.mts";

type What = "category" | "series" | "chapter" | "picture";
export type Change = "created" | "updated" | "unchanged" | "deleted" | "only on the site";
export interface Step {
  change: Change;
  what: What;
  /** A slug, or two divided by a slash. */
  name: string;
  /** The call that does it; absent where there is nothing to do. */
  call?: [tool: string, args: Record<string, unknown>];
}

/** What has to be done, in its order. Reads and writes nothing else. */
export async function planPush(site: AdminSite, notes: Notes, prune: boolean): Promise<Step[]> {
  const [categories, series] = [
    await site.list<SiteRow>("notes_categories_list", "categories"),
    await site.list<SiteRow>("notes_series_list", "series"),
  ];
  const [chapters, pictures]: [SiteRow[], SiteRow[]] = [[], []];
  for (const { slug } of series.filter((row) => notes.series.some((own) => own.slug === row.slug))) {
    const of = { seriesSlug: slug };
    chapters.push(...(await site.list<SiteRow>("notes_chapters_list", "chapters", of)));
    pictures.push(...(await site.list<SiteRow>("notes_assets_list", "assets", of)));
  }
  const shelves = [
    compared("category", notes.categories, categories, (row) => `${row.slug}`, plainFields, "notes_category"),
    compared("series", notes.series, series, (row) => `${row.slug}`, plainFields, "notes_series"),
    compared(
      "picture",
      notes.pictures,
      pictures,
      (row) => `${row.seriesSlug}/${row.name}`,
      pictureFields,
      "notes_asset",
    ),
    compared(
      "chapter",
      notes.chapters,
      chapters,
      (row) => `${row.seriesSlug}/${row.slug}`,
      chapterFields,
      "notes_chapter",
    ),
  ];
  const extra = shelves.toReversed().flatMap(({ extra }) => extra);
  return [
    ...shelves.flatMap(({ steps }) => steps),
    ...extra.map((step): Step => (prune ? step : { change: "only on the site", what: step.what, name: step.name })),
  ];
}

/** Does the steps one after the other, and tells each when it is done. Throws the refusal at which it stopped. */
export async function doSteps(site: AdminSite, steps: readonly Step[], done: (step: Step) => void): Promise<void> {
  for (const step of steps) {
    if (step.call) await site.call(...step.call);
    done(step);
  }
}

/** A row as a list of the site shows it. */
interface SiteRow {
  slug?: string;
  seriesSlug?: string;
  name?: string;
  revision: string;
  [field: string]: unknown;
}
interface Fields {
  /** What is compared, by the names that the site's rows have. */
  shown: Record<string, unknown>;
  /** What is sent. */
  sent: Record<string, unknown>;
}

function compared<Own extends object>(
  what: What,
  own: readonly Own[],
  site: readonly SiteRow[],
  nameOf: (row: { slug?: string; seriesSlug?: string; name?: string }) => string,
  fieldsOf: (row: Own) => Fields,
  tool: string,
): { steps: Step[]; extra: Step[] } {
  const there = new Map(site.map((row) => [nameOf(row), row]));
  const steps = own.map((row): Step => {
    const name = nameOf(row);
    const { shown, sent } = fieldsOf(row);
    const current = there.get(name);
    const isSame = current && Object.entries(shown).every(([field, value]) => current[field] === value);
    if (isSame) return { change: "unchanged", what, name };
    const expected = current && { expectedRevision: current.revision };
    const write = tool === "notes_asset" ? "put" : "upsert";
    return {
      change: current ? "updated" : "created",
      what,
      name,
      call: [`${tool}_${write}`, { ...sent, ...expected }],
    };
  });
  const names = new Set(own.map(nameOf));
  const extra = site
    .filter((row) => !names.has(nameOf(row)))
    .map((row): Step => {
      const key = what === "picture" ? { seriesSlug: row.seriesSlug, name: row.name } : keyOf(row);
      const args = { ...key, expectedRevision: row.revision, ...(what === "series" && { cascade: true }) };
      return { change: "deleted", what, name: nameOf(row), call: [`${tool}_delete`, args] };
    });
  return { steps, extra };
}

function keyOf({ seriesSlug, slug }: SiteRow): Record<string, unknown> {
  return seriesSlug === undefined ? { slug } : { seriesSlug, slug };
}

function plainFields(row: object): Fields {
  const fields = { ...row } as Record<string, unknown>;
  return { shown: fields, sent: fields };
}

function chapterFields(chapter: Chapter): Fields {
  const { contentMd, ...shown } = chapter;
  return { shown: { ...shown, contentHash: sha256(contentMd) }, sent: { ...chapter } };
}

function pictureFields({ seriesSlug, name, contentType, bytes }: Picture): Fields {
  const dataBase64 = Buffer.from(bytes).toString("base64");
  return { shown: { contentType, etag: sha256(bytes) }, sent: { seriesSlug, name, contentType, dataBase64 } };
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
