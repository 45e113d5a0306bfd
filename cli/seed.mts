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
import { upsertCategory, upsertChapter, upsertSeries } from "../apps/api/stores/notes-admin.ts";

const SAMPLES = fileURLToPath(new URL("../samples/notes/", import.meta.url));

export interface SeedInput {
  db: Database;
  log(line: string): void;
  /** Folder of the notes; the samples of this repository when absent. */
  directory?: string;
}

/** Returns how many chapters were written: 0 when the library was not empty. Throws on a malformed file, naming it. */
export async function seed({ db, log, directory = SAMPLES }: SeedInput): Promise<{ chapters: number }> {
  const { categories } = await notesIndex(db);
  if (categories.length > 0) {
    log("The library has notes already; the samples stay out.");
    return { chapters: 0 };
  }
  let chapters = 0;
  for (const category of await foldersIn(directory)) {
    const folder = join(directory, category);
    const about = await jsonIn(folder, "category.json");
    await upsertCategory(db, {
      slug: category,
      name: text(about, "name"),
      dot: text(about, "dot"),
      sortOrder: number(about, "order"),
    });
    for (const series of await foldersIn(folder))
      chapters += await seedSeries(db, category, series, join(folder, series));
  }
  log(`Sample notes: ${chapters} chapters.`);
  return { chapters };
}

async function seedSeries(db: Database, category: string, series: string, folder: string): Promise<number> {
  const about = await jsonIn(folder, "series.json");
  await upsertSeries(db, {
    slug: series,
    categorySlug: category,
    name: text(about, "name"),
    description: text(about, "description"),
    sortOrder: number(about, "order"),
  });
  const files = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
  for (const file of files) {
    const name = /^(\d{2})-([a-z0-9][a-z0-9-]*)\.md$/.exec(file);
    if (!name) throw new Error(`${join(folder, file)}: a chapter is named <nn>-<slug>.md`);
    const { fields, body } = parseChapter(await readFile(join(folder, file), "utf8"), join(folder, file));
    await upsertChapter(db, {
      seriesSlug: series,
      slug: name[2]!,
      ordinal: Number(name[1]),
      label: fields.label ?? "",
      pinned: fields.pinned === "true",
      title: text(fields, "title"),
      summary: fields.summary ?? "",
      contentMd: body,
      sourceUrl: fields.source ?? null,
      publishedAt: new Date(text(fields, "published")).toISOString(),
    });
  }
  return files.length;
}

/** Fields are `key: value` lines; quotes around a value are optional. Everything after the second `---` is the text. */
export function parseChapter(raw: string, name: string): { fields: Record<string, string>; body: string } {
  const parts = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(raw.replaceAll("\r\n", "\n"));
  if (!parts) throw new Error(`${name}: no front matter`);
  const fields: Record<string, string> = {};
  for (const line of parts[1]!.split("\n")) {
    const field = /^([a-z]+):\s*(.*)$/.exec(line);
    if (!field) throw new Error(`${name}: cannot read the line "${line}"`);
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

async function jsonIn(folder: string, name: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(folder, name), "utf8")) as Record<string, unknown>;
}

function text(fields: Record<string, unknown>, key: string): string {
  const value = fields[key];
  if (typeof value !== "string" || value === "") throw new Error(`sample notes: "${key}" is missing`);
  return value;
}

function number(fields: Record<string, unknown>, key: string): number {
  const value = fields[key];
  if (typeof value !== "number") throw new Error(`sample notes: "${key}" is not a number`);
  return value;
}
