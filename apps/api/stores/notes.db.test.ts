/** The library: written by the owner, shown on the pages, searched by the agent. */
import { beforeAll, describe, expect, test } from "bun:test";
import { chapterView, notesIndex as notesIndexShape, seriesView } from "../../../shared/contracts/notes";
import { LIMITS } from "../../../shared/limits";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import { notesIndex, readChapter, readSeries } from "./notes";
import { upsertCategory, upsertSeries } from "./notes-admin";
import { type ChapterWrite, upsertChapter } from "./notes-chapters-admin";
import { getChapter, listChapters, listSeries, searchNotes } from "./notes-agent";

const opened = databaseForFile();

const chapter = (slug: string, more: Partial<ChapterWrite> = {}): ChapterWrite => ({
  seriesSlug: "kernel",
  slug,
  ordinal: 0,
  label: "",
  pinned: false,
  title: `Title of ${slug}`,
  summary: "",
  contentMd: "",
  sourceUrl: null,
  publishedAt: "2026-01-01T00:00:00.000Z",
  ...more,
});

beforeAll(async () => {
  const { db } = opened;
  await upsertCategory(db, { slug: "second", name: "Second", dot: "#00ff00", sortOrder: 2 });
  await upsertCategory(db, { slug: "first", name: "第一", dot: "#ff0000", sortOrder: 1 });
  await upsertSeries(db, { slug: "kernel", categorySlug: "first", name: "内核", description: "d", sortOrder: 1 });
  await upsertSeries(db, { slug: "empty", categorySlug: "first", name: "Empty", description: "", sortOrder: 2 });
  await upsertSeries(db, { slug: "other", categorySlug: "second", name: "Other", description: "", sortOrder: 1 });
  const written = [
    chapter("four", { ordinal: 4, publishedAt: "2026-01-04T00:00:00.000Z", contentMd: "内核怎样说不：veto 一次。" }),
    chapter("two", {
      ordinal: 2,
      publishedAt: "2026-01-02T00:00:00.000Z",
      contentMd: "Exactly 50% of a_b and C:\\dir",
    }),
    chapter("preface", { ordinal: 9, pinned: true, publishedAt: "2026-02-01T00:00:00.000Z", title: "前言" }),
    chapter("one", {
      ordinal: 1,
      summary: "About VETO",
      contentMd: `${"x".repeat(1_000)} needle ${"y".repeat(1_000)}`,
    }),
    chapter("three", {
      ordinal: 3,
      publishedAt: "2026-01-03T00:00:00.000Z",
      title: "How to veto",
      contentMd: "axb 50 percent",
    }),
  ];
  for (const one of written) await upsertChapter(db, one);
});

describe("the pages", () => {
  test("show categories and series in the owner's order, with the three latest chapters that are not pinned", async () => {
    const index = await notesIndex(opened.db);
    expect(notesIndexShape.parse(index)).toEqual(index);
    const shape = index.categories.map(({ slug, series }) => [
      slug,
      series.map((one) => [one.slug, one.chapterCount, one.latest.map((card) => card.slug)]),
    ]);
    expect(shape).toEqual([
      [
        "first",
        [
          ["kernel", 4, ["four", "three", "two"]],
          ["empty", 0, []],
        ],
      ],
      ["second", [["other", 0, []]]],
    ]);
  });

  test("show a series with its category and its chapters, pinned ones first", async () => {
    const series = await readSeries(opened.db, "kernel");
    expect(seriesView.parse(series)).toEqual(series!);
    expect(series!.category).toEqual({ slug: "first", name: "第一", dot: "#ff0000" });
    expect(series!.chapters.map(({ slug }) => slug)).toEqual(["preface", "one", "two", "three", "four"]);
    expect(await readSeries(opened.db, "none")).toBeNull();
  });

  test("show a chapter with its neighbours in that order", async () => {
    const neighbours = async (slug: string) => {
      const view = await readChapter(opened.db, "kernel", slug);
      expect(chapterView.parse(view)).toEqual(view!);
      return [view!.previous?.slug ?? null, view!.next?.slug ?? null];
    };
    expect(await neighbours("preface")).toEqual([null, "one"]);
    expect(await neighbours("two")).toEqual(["one", "three"]);
    expect(await neighbours("four")).toEqual(["three", null]);
    expect(await readChapter(opened.db, "other", "two")).toBeNull();
    expect(await readChapter(opened.db, "kernel", "none")).toBeNull();
  });
});

test("a source that came in by SQL and is no web address is not shown", async () => {
  const sourceOf = async (url: string) => {
    await opened.admin.query("UPDATE notes_chapters SET source_url = $1 WHERE slug = 'one'", [url]);
    return (await readChapter(opened.db, "kernel", "one"))?.sourceUrl;
  };
  expect(await sourceOf("https://example.com/a")).toBe("https://example.com/a");
  expect(await sourceOf("javascript:alert(1)")).toBeNull();
  await opened.admin.query("UPDATE notes_chapters SET source_url = NULL");
});

describe("the agent", () => {
  const found = async (query: string, limit = 20) =>
    (await searchNotes(opened.db, query, limit)).rows.map(({ slug }) => slug);

  test("finds a substring in title, summary and text, in that order, letter case aside", async () => {
    expect(await found("veto")).toEqual(["three", "one", "four"]);
    expect(await found("VeTo")).toEqual(["three", "one", "four"]);
  });

  test("finds Chinese inside a sentence", async () => {
    expect(await found("怎样说")).toEqual(["four"]);
    expect(await found("前言")).toEqual(["preface"]);
  });

  test("takes wildcards, quotes and backslashes literally", async () => {
    expect(await found("50%")).toEqual(["two"]);
    expect(await found("a_b")).toEqual(["two"]);
    expect(await found("C:\\dir")).toEqual(["two"]);
    expect(await found("%")).toEqual(["two"]);
    expect(await found("'; DROP TABLE notes_chapters; --")).toEqual([]);
    expect(await found("four")).toEqual(["four"]);
  });

  test("sees the text around the hit, within the limit, and whether there is more", async () => {
    const { rows, more } = await searchNotes(opened.db, "needle", 5);
    expect(more).toBe(false);
    expect(rows[0]!.snippet).toMatch(/^x+ needle y+$/);
    expect(rows[0]!.snippet.length).toBeLessThanOrEqual(LIMITS.notesSnippetChars);
    expect((await searchNotes(opened.db, "title", 2)).more).toBe(true);
    expect((await searchNotes(opened.db, "title", 3)).more).toBe(false);
  });

  test("lists series narrowed by slug or name, and chapters of one", async () => {
    const slugs = async (filter?: Parameters<typeof listSeries>[1]) =>
      (await listSeries(opened.db, filter)).rows.map(({ slug }) => slug);
    expect(await slugs()).toEqual(["kernel", "empty", "other"]);
    expect(await slugs({ category: "第一" })).toEqual(["kernel", "empty"]);
    expect(await slugs({ category: "second" })).toEqual(["other"]);
    expect(await slugs({ series: "内核" })).toEqual(["kernel"]);
    expect(await slugs({ category: "second", series: "kernel" })).toEqual([]);
    const { rows } = await listChapters(opened.db, "kernel");
    expect(rows.map(({ slug }) => slug)).toEqual(["preface", "one", "two", "three", "four"]);
  });

  test("is told when the list is longer than it may be", async () => {
    const many = Array.from({ length: LIMITS.notesListRows }, (_, n) => `many-${n}`);
    const values = many.map((slug) => `('${slug}', 'second', '${slug}')`).join(",");
    await opened.admin.query(`INSERT INTO notes_series (slug, category_slug, name) VALUES ${values}`);
    const all = await listSeries(opened.db);
    expect([all.rows.length, all.more]).toEqual([LIMITS.notesListRows, true]);
    await opened.admin.query("DELETE FROM notes_series WHERE slug LIKE 'many-%'");
  });

  test("reads a chapter by slug or by title", async () => {
    expect(await getChapter(opened.db, "kernel", "four")).toMatchObject({ title: "Title of four" });
    expect(await getChapter(opened.db, "内核", "How to veto")).toMatchObject({ slug: "three" });
    expect(await getChapter(opened.db, "kernel", "none")).toBeNull();
  });
});
