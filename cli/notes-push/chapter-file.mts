/**
 * One chapter as a file: between two lines `---` its fields, a `key: value` each; after them its text in Markdown.
 * Pure. Whatever cannot be read is a fault of its line, never a field left out without a word.
 */
import { integerField, lineField, textField, urlField } from "../../apps/api/stores/owner-fields.ts";
import { LIMITS } from "../../shared/limits.ts";
import type { Faults } from "./fault.mts";
import { linkPictures } from "./link-pictures.mts";

export interface Chapter {
  seriesSlug: string;
  slug: string;
  ordinal: number;
  label: string;
  pinned: boolean;
  title: string;
  summary: string;
  sourceUrl: string | null;
  contentMd: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
}

export const CHAPTER_NAME = /^(\d{2,6})-([a-z0-9][a-z0-9-]{0,63})\.md$/;
const FIELDS = ["title", "label", "summary", "published", "source", "pinned"] as const;
type Field = (typeof FIELDS)[number];

/** `name` fits `CHAPTER_NAME`; `pictures` are the names that lie beside the file. Undefined when there were faults. */
export function readChapter(
  raw: string,
  {
    file,
    name,
    seriesSlug,
    pictures,
  }: { file: string; name: string; seriesSlug: string; pictures: ReadonlySet<string> },
  faults: Faults,
): Chapter | undefined {
  const before = faults.all.length;
  const parts = /^---\n([\s\S]*?)\n---(?:\n([\s\S]*))?$/.exec(raw.replaceAll("\r\n", "\n"));
  if (!parts) {
    faults.add(file, 1, "It has no front matter: its first line is ---, then come its fields, then another ---.");
    return undefined;
  }
  const [, head = "", rest = ""] = parts;
  const fields = readFields(head, file, faults);
  const [, place = "", slug = ""] = CHAPTER_NAME.exec(name)!;
  const textLine = head.split("\n").length + 3 + (/^\s*/.exec(rest)![0].match(/\n/g)?.length ?? 0);

  const value = (field: Field) => fields.get(field)?.value ?? "";
  const line = (field: Field) => fields.get(field)?.line ?? 1;
  const rule = <T,>(field: Field, check: (text: string) => T) =>
    faults.checked(file, line(field), field, () => check(value(field)));

  for (const field of ["title", "published"] as const) {
    if (!fields.has(field)) faults.add(file, 1, `"${field}" is missing.`);
  }
  const chapter = {
    seriesSlug,
    slug,
    ordinal: faults.checked(file, 1, "its number", () => integerField("ordinal", Number(place), LIMITS.noteOrdinal)),
    label: rule("label", (text) => lineField("label", text, LIMITS.noteLabelChars)),
    pinned: value("pinned") === "true",
    title: fields.has("title")
      ? rule("title", (text) => lineField("title", text, LIMITS.noteTitleChars, 1))
      : undefined,
    summary: rule("summary", (text) => lineField("summary", text, LIMITS.noteSummaryChars)),
    sourceUrl: fields.has("source")
      ? rule("source", (text) => urlField("source", text, LIMITS.noteSourceUrlChars))
      : null,
    contentMd: faults.checked(file, textLine, "its text", () =>
      textField(
        "text",
        linkPictures(rest.trim(), seriesSlug, pictures, (at, sentence) => faults.add(file, textLine + at, sentence)),
        LIMITS.noteContentBytes,
      ),
    ),
    publishedAt: fields.has("published") ? moment(value("published")) : undefined,
  };
  if (fields.has("published") && chapter.publishedAt === undefined) {
    faults.add(
      file,
      line("published"),
      '"published" is a date such as 2026-01-31, or a moment such as 2026-01-31T08:00:00Z.',
    );
  }
  if (fields.has("pinned") && !/^(true|false)$/.test(value("pinned"))) {
    faults.add(file, line("pinned"), '"pinned" is true or false.');
  }
  return faults.all.length > before ? undefined : (chapter as Chapter);
}

function readFields(head: string, file: string, faults: Faults): Map<Field, { value: string; line: number }> {
  const fields = new Map<Field, { value: string; line: number }>();
  for (const [index, text] of head.split("\n").entries()) {
    const line = index + 2;
    if (text.trim() === "") continue;
    const [, key, value = ""] = /^([A-Za-z]+):\s*(.*?)\s*$/.exec(text) ?? [];
    const field = FIELDS.find((one) => one === key);
    if (key === undefined) faults.add(file, line, "This line is no field: a field is `key: value`.");
    else if (field === undefined) faults.add(file, line, `There is no field "${key}". They are: ${FIELDS.join(", ")}.`);
    else if (fields.has(field)) faults.add(file, line, `"${field}" is there twice.`);
    else fields.set(field, { value: value.replace(/^"(.*)"$/, "$1"), line });
  }
  return fields;
}

/** A day begins at midnight UTC. Undefined for what is no moment, such as the 31st of February. */
function moment(text: string): string | undefined {
  const [day] = /^\d{4}-\d{2}-\d{2}(?=$|T)/.exec(text) ?? [];
  const [whole, start] = [new Date(text), new Date(`${day}T00:00:00Z`)];
  if (day === undefined || Number.isNaN(whole.getTime()) || Number.isNaN(start.getTime())) return undefined;
  return start.toISOString().startsWith(day) ? whole.toISOString() : undefined;
}
