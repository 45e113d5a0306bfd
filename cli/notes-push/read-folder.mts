/**
 * Reads a folder of notes whole, or says everything that is wrong with it. A folder is a category, a folder in it a
 * series; `category.json` and `series.json` name them; `<nn>-<slug>.md` is a chapter, and the pictures of a series lie
 * beside its chapters. Nothing is passed over but names that begin with a dot and a README.md at the top; no link is
 * followed, so nothing from outside can come along.
 */
import { type Dirent, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pictureOf } from "../../apps/api/stores/notes-assets.ts";
import { colourField, integerField, lineField, slugField } from "../../apps/api/stores/owner-fields.ts";
import { LIMITS } from "../../shared/limits.ts";
import { pictureTypeOfName } from "../../shared/picture-type.ts";
import { Refusal } from "../refusal.mts";
import { CHAPTER_NAME, type Chapter, readChapter } from "./chapter-file.mts";
import { type Fault, Faults } from "./fault.mts";

export interface Category {
  slug: string;
  name: string;
  dot: string;
  sortOrder: number;
}
export interface Series {
  slug: string;
  categorySlug: string;
  name: string;
  description: string;
  sortOrder: number;
}
export interface Picture {
  seriesSlug: string;
  name: string;
  contentType: string;
  bytes: Uint8Array;
}
export interface Notes {
  categories: Category[];
  series: Series[];
  chapters: Chapter[];
  pictures: Picture[];
}

/** Room for the fields of a chapter beside its text. */
const HEAD_BYTES = 16_384;
const SETTINGS_BYTES = 16_384;

export function readNotesFolder(directory: string): { notes: Notes; faults: Fault[] } {
  const faults = new Faults();
  const notes: Notes = { categories: [], series: [], chapters: [], pictures: [] };
  /** Series are named once on a site, whatever their category. */
  const seriesFiles = new Map<string, string>();

  for (const category of entriesOf(directory, "", faults)) {
    if (category.isFile() && category.name === "README.md") continue;
    if (!isFolder(category, category.name, "a category", faults)) continue;
    const about = settings(directory, category.name, "category.json", ["name", "dot", "order"], faults);
    const own = about && {
      slug: category.name,
      name: about.line("name", LIMITS.noteCategoryNameChars, 1),
      dot: about.rule("dot", (value) => colourField("dot", typeof value === "string" ? value : "")),
      sortOrder: about.order(),
    };
    if (own) notes.categories.push(own as Category);

    for (const series of entriesOf(directory, category.name, faults)) {
      const path = `${category.name}/${series.name}`;
      if (series.isFile() && series.name === "category.json") continue;
      if (!isFolder(series, path, "a series", faults)) continue;
      const earlier = seriesFiles.get(series.name);
      if (earlier) faults.add(path, 1, `A series of this name is in ${earlier} already.`);
      seriesFiles.set(series.name, category.name);
      readSeries(directory, category.name, series.name, notes, faults);
    }
  }
  if (notes.categories.length === 0 && faults.all.length === 0) {
    throw new Refusal(`There are no notes in ${directory}.`, "docs/operations.md shows how such a folder is laid out.");
  }
  return { notes, faults: faults.inOrder() };
}

function readSeries(directory: string, category: string, slug: string, notes: Notes, faults: Faults): void {
  const folder = `${category}/${slug}`;
  const about = settings(directory, folder, "series.json", ["name", "description", "order"], faults);
  const own = about && {
    slug,
    categorySlug: category,
    name: about.line("name", LIMITS.noteSeriesNameChars, 1),
    description: about.line("description", LIMITS.noteDescriptionChars),
    sortOrder: about.order(),
  };
  if (own) notes.series.push(own as Series);

  const files = entriesOf(directory, folder, faults).filter((entry) => {
    const isKnown =
      entry.isFile() && (entry.name === "series.json" || entry.name.endsWith(".md") || isPicture(entry.name));
    if (!isKnown)
      faults.add(
        `${folder}/${entry.name}`,
        1,
        "This is neither a chapter (.md) nor a picture (.png, .jpg, .webp, .gif).",
      );
    return isKnown;
  });
  const pictures = new Set(files.map(({ name }) => name).filter(isPicture));
  for (const name of pictures) {
    const picture = readPicture(directory, `${folder}/${name}`, slug, name, faults);
    if (picture) notes.pictures.push(picture);
  }
  const slugs = new Map<string, string>();
  for (const { name } of files.filter((entry) => entry.name.endsWith(".md"))) {
    const file = `${folder}/${name}`;
    const [, , chapterSlug] = CHAPTER_NAME.exec(name) ?? [];
    if (chapterSlug === undefined) {
      faults.add(file, 1, "A chapter is named <nn>-<slug>.md: two digits or more, then a-z, 0-9 and -.");
      continue;
    }
    const earlier = slugs.get(chapterSlug);
    if (earlier) faults.add(file, 1, `${earlier} has the same slug.`);
    slugs.set(chapterSlug, name);
    const raw = readText(directory, file, LIMITS.noteContentBytes + HEAD_BYTES, faults);
    const chapter =
      raw === undefined ? undefined : readChapter(raw, { file, name, seriesSlug: slug, pictures }, faults);
    if (chapter) notes.chapters.push(chapter);
  }
}

/** By name; links are faults, and hidden names are passed over. */
function entriesOf(directory: string, folder: string, faults: Faults): Dirent[] {
  const entries = readdirSync(join(directory, folder), { withFileTypes: true });
  return entries
    .filter((entry) => {
      if (entry.name.startsWith(".")) return false;
      if (!entry.isSymbolicLink()) return true;
      faults.add(join(folder, entry.name), 1, "This is a link, and links are not followed.");
      return false;
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isFolder(entry: Dirent, path: string, what: string, faults: Faults): boolean {
  if (!entry.isDirectory()) faults.add(path, 1, `This has no place here: ${what} is a folder.`);
  else return faults.checked(path, 1, "Its name", () => slugField("slug", entry.name)) !== undefined;
  return false;
}

function isPicture(name: string): boolean {
  return pictureTypeOfName(name) !== null;
}

function readPicture(
  directory: string,
  file: string,
  seriesSlug: string,
  name: string,
  faults: Faults,
): Picture | undefined {
  const path = join(directory, file);
  const contentType = pictureTypeOfName(name)!;
  // A file that is far too large is not read to be told so.
  const isTooLarge = lstatSync(path).size > LIMITS.noteAssetBytes;
  const picture = {
    seriesSlug,
    name,
    contentType,
    bytes: isTooLarge ? new Uint8Array(LIMITS.noteAssetBytes + 1) : readFileSync(path),
  };
  return faults.checked(file, 1, "This picture", () => pictureOf(picture));
}

function readText(directory: string, file: string, maxBytes: number, faults: Faults): string | undefined {
  const path = join(directory, file);
  if (lstatSync(path).size > maxBytes) {
    faults.add(file, 1, `It is larger than ${maxBytes} bytes.`);
    return undefined;
  }
  const bytes = readFileSync(path);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    faults.add(file, firstBadLine(bytes), "It is not UTF-8.");
    return undefined;
  }
}

/** The line on which the text stops being UTF-8. */
function firstBadLine(bytes: Uint8Array): number {
  const lines = Buffer.from(bytes).toString("utf8").split("\n");
  const original = Buffer.from(bytes).toString("latin1").split("\n");
  const bad = lines.findIndex((line, at) => Buffer.from(line).toString("latin1") !== original[at]);
  return Math.max(0, bad) + 1;
}

interface Settings {
  rule<T>(field: string, check: (value: unknown) => T): T | undefined;
  line(field: string, max: number, min?: number): string | undefined;
  order(): number | undefined;
}

/** A JSON object with these fields and no others; undefined, with a fault, when it is none. */
function settings(
  directory: string,
  folder: string,
  name: string,
  known: string[],
  faults: Faults,
): Settings | undefined {
  const file = `${folder}/${name}`;
  const entry = lstatSync(join(directory, file), { throwIfNoEntry: false });
  if (!entry?.isFile()) {
    faults.add(file, 1, "This file is missing.");
    return undefined;
  }
  const raw = readText(directory, file, SETTINGS_BYTES, faults);
  if (raw === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    value = undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    faults.add(file, 1, `This is no JSON object with ${known.join(", ")}.`);
    return undefined;
  }
  const fields = value as Record<string, unknown>;
  const lineOf = (field: string) => {
    const at = raw.split("\n").findIndex((line) => line.includes(JSON.stringify(field)));
    return Math.max(0, at) + 1;
  };
  for (const field of Object.keys(fields)) {
    if (!known.includes(field))
      faults.add(file, lineOf(field), `There is no field "${field}". They are: ${known.join(", ")}.`);
  }
  const rule: Settings["rule"] = (field, check) =>
    faults.checked(file, lineOf(field), field, () => check(fields[field]));
  return {
    rule,
    line(field, max, min = 0) {
      if (fields[field] === undefined && min === 0) return "";
      if (typeof fields[field] === "string") return rule(field, (text) => lineField(field, text as string, max, min));
      faults.add(file, lineOf(field), fields[field] === undefined ? `"${field}" is missing.` : `"${field}" is a text.`);
      return undefined;
    },
    order: () => rule("order", (order) => integerField("order", (order ?? 0) as number, LIMITS.noteSortOrder)),
  };
}
