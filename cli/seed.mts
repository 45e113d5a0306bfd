/**
 * Fills an empty library with the sample notes of `samples/notes`, so that a new installation has something to read.
 * A library that holds anything belongs to its owner and is left alone. Says what it did through `log` and nowhere else.
 *
 * A folder is a category, a folder in it a series, `<nn>-<slug>.md` a chapter: `nn` is its place, the lines between the
 * two `---` are its fields.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Database } from "../apps/api/database/pool.ts";
import { notesIndex } from "../apps/api/stores/notes.ts";
import { type CategoryWrite, type SeriesWrite, upsertCategory, upsertSeries } from "../apps/api/stores/notes-admin.ts";
import { type ChapterWrite, upsertChapter } from "../apps/api/stores/notes-chapters-admin.ts";

const SAMPLES = fileURLToPath(new URL("../samples/notes/", import.meta.url));

export interface SeedInput {
  db: Database;
  log(line: string): void;
  /** Folder of the notes; the samples of this repository when absent. */
  directory?: string;
}

/**
 * Returns how many chapters were written: 0 when the library was not empty. Throws on a malformed file, naming it, and
 * on a database error; then nothing was written.
 */
export async function seed({ db, log, directory = SAMPLES }: SeedInput): Promise<{ chapters: number }> {
  if ((await notesIndex(db)).categories.length > 0) {
    log("The library has notes already; the samples stay out.");
    return { chapters: 0 };
  }
  const notes = await readNotes(directory);
  await db.asRole("admin_rw", async (tx) => {
    // The stores' writes, inside one transaction: half a library would pass for the owner's at the next start.
    const together: Database = { ...db, asRole: (_role, work) => work(tx) };
    for (const category of notes.categories) await upsertCategory(together, category);
    for (const series of notes.series) await upsertSeries(together, series);
    for (const chapter of notes.chapters) await upsertChapter(together, chapter);
  });
  log(`Sample notes: ${notes.chapters.length} chapters.`);
  return { chapters: notes.chapters.length };
}

interface Notes {
  categories: CategoryWrite[];
  series: SeriesWrite[];
  chapters: ChapterWrite[];
}

async function readNotes(directory: string): Promise<Notes> {
  const notes: Notes = { categories: [], series: [], chapters: [] };
  for (const category of await foldersIn(directory)) {
    const folder = join(directory, category);
    const about = await fieldsOf(join(folder, "category.json"));
    notes.categories.push({
      slug: category,
      name: about("name"),
      dot: about("dot"),
      sortOrder: Number(about("order")),
    });
    for (const series of await foldersIn(folder)) {
      const own = await fieldsOf(join(folder, series, "series.json"));
      notes.series.push({
        slug: series,
        categorySlug: category,
        name: own("name"),
        description: own("description"),
        sortOrder: Number(own("order")),
      });
      const files = (await readdir(join(folder, series))).filter((name) => name.endsWith(".md")).sort();
      for (const file of files) notes.chapters.push(await readChapter(series, join(folder, series), file));
    }
  }
  return notes;
}

async function readChapter(seriesSlug: string, folder: string, file: string): Promise<ChapterWrite> {
  const path = join(folder, file);
  const [, place, slug] = /^(\d{2})-([a-z0-9][a-z0-9-]*)\.md$/.exec(file) ?? [];
  if (!place || !slug) throw new Error(`${path}: a chapter is named <nn>-<slug>.md`);
  const { fields, body } = parseChapter(await readFile(path, "utf8"), path);
  const published = new Date(required(fields, "published", path));
  if (Number.isNaN(published.getTime())) throw new Error(`${path}: "published" is not a date`);
  return {
    seriesSlug,
    slug,
    ordinal: Number(place),
    label: fields.label ?? "",
    pinned: fields.pinned === "true",
    title: required(fields, "title", path),
    summary: fields.summary ?? "",
    contentMd: body,
    sourceUrl: fields.source ?? null,
    publishedAt: published.toISOString(),
  };
}

/** Fields are `key: value` lines; quotes around a value are optional. Everything after the second `---` is the text. */
export function parseChapter(raw: string, path: string): { fields: Record<string, string>; body: string } {
  const parts = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(raw.replaceAll("\r\n", "\n"));
  if (!parts) throw new Error(`${path}: no front matter`);
  const fields: Record<string, string> = {};
  for (const line of parts[1]!.split("\n")) {
    const field = /^([a-z]+):\s*(.*)$/.exec(line);
    if (!field) throw new Error(`${path}: cannot read the line "${line}"`);
    fields[field[1]!] = field[2]!.replace(/^"(.*)"$/, "$1");
  }
  return { fields, body: parts[2]!.trim() };
}

async function foldersIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Reads a JSON file and returns the accessor of its fields. */
async function fieldsOf(path: string): Promise<(key: string) => string> {
  const fields = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
  return (key) => required(fields, key, path);
}

function required(fields: Record<string, unknown>, key: string, path: string): string {
  const value = fields[key];
  if (value === undefined || value === "") throw new Error(`${path}: "${key}" is missing`);
  return String(value);
}
