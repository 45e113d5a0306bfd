/** The notes as their owner writes them: shelves and chapters, over the wire and read back (§21.3, 1–10). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "bun:test";
import { LIMITS } from "../../shared/limits";
import { oneLine } from "../../shared/text/clean";
import cases from "../cases/unicode.json";
import { type McpSite, startMcpSite } from "../support/mcp.mts";
import { START_MS } from "../support/site.mts";

let site: McpSite;
beforeAll(async () => {
  site = await startMcpSite({ provider: null });
}, START_MS);
afterAll(() => site.stop());

const CHAPTER = {
  seriesSlug: "essays",
  slug: "first",
  ordinal: 1,
  title: "First",
  contentMd: "# First\n\nTwo words 两词",
  publishedAt: "2026-01-31T08:00:00+01:00",
};

beforeEach(async () => {
  await site.sql("TRUNCATE notes_categories CASCADE");
  await site.mcp.ok("notes_category_upsert", { slug: "craft", name: "Craft", dot: "#112233" });
  await site.mcp.ok("notes_series_upsert", { slug: "essays", categorySlug: "craft", name: "Essays" });
});
const stored = () => site.dump().then((lines) => lines.filter((line) => line.startsWith("notes_")));
const chapter = async (slug = "first") =>
  (await site.mcp.ok("notes_chapter_get", { seriesSlug: "essays", slug })).chapter;

describe("a category", () => {
  it("is created, changed field by field, listed in its order, and deleted", async () => {
    const { category, changed } = await site.mcp.ok("notes_category_upsert", {
      slug: "art",
      name: "Art",
      dot: "#ABCDEF",
      sortOrder: 1,
    });
    expect([category, changed]).toEqual([
      { slug: "art", name: "Art", dot: "#ABCDEF", sortOrder: 1, revision: category.revision },
      true,
    ]);
    const moved = await site.mcp.ok("notes_category_upsert", { slug: "craft", sortOrder: 2 });
    expect(moved.category).toMatchObject({ slug: "craft", name: "Craft", dot: "#112233", sortOrder: 2 });
    const again = await site.mcp.ok("notes_category_upsert", { slug: "craft", sortOrder: 2 });
    expect([again.changed, again.category]).toEqual([false, moved.category]);
    const listed = await site.mcp.ok("notes_categories_list");
    expect(listed).toEqual({ categories: [category, moved.category], total: 2 });
    expect(await site.mcp.ok("notes_category_delete", { slug: "art" })).toEqual({ category, changed: true });
    expect((await site.mcp.ok("notes_categories_list")).categories).toEqual([moved.category]);
  });

  it("is kept while it has series, which are counted", async () => {
    expect(await site.mcp.refused("notes_category_delete", { slug: "craft" })).toEqual({
      error: "This category still has series.",
      field: "slug",
      count: 1,
      retry: expect.stringContaining("notes_series_delete"),
    });
    expect((await site.mcp.ok("notes_categories_list")).total).toBe(1);
  });

  it("that is not there is refused with those that are", async () => {
    expect(await site.mcp.refused("notes_category_delete", { slug: "other" })).toMatchObject({
      error: "There is no category of notes of that name.",
      field: "slug",
      existing: ["craft"],
    });
    expect(await site.mcp.refused("notes_series_list", { categorySlug: "other" })).toMatchObject({
      field: "categorySlug",
      existing: ["craft"],
    });
  });

  it.each([
    [{ slug: "new" }, "This write names no field to change.", undefined],
    [{ slug: "new", name: "New" }, "A new row needs this field.", "dot"],
    [{ slug: "New", name: "New", dot: "#112233" }, "This text has another form than is needed here.", "slug"],
    [{ slug: "new", name: "\u200b", dot: "#112233" }, "It is 1 to 64 characters on one line.", "name"],
    [{ slug: "new", name: "x".repeat(65), dot: "#112233" }, "The most possible here is 64 characters.", "name"],
    [{ slug: "new", name: "New", dot: "red" }, "This text has another form than is needed here.", "dot"],
    [{ slug: "new", name: "New", dot: "#112233", sortOrder: 10_000 }, "The most possible here is 9999.", "sortOrder"],
    [{ slug: "new", name: null, dot: "#112233" }, "A value of type string is needed here.", "name"],
  ])("is refused, and nothing is stored: %j", async (args, error, field) => {
    const before = await stored();
    const refusal = await site.mcp.refused("notes_category_upsert", args);
    expect([refusal.error, refusal.field]).toEqual([error, field]);
    expect(await stored()).toEqual(before);
  });
});

describe("a series", () => {
  it("is created, moved, cleared, listed by category, and deleted", async () => {
    await site.mcp.ok("notes_category_upsert", { slug: "art", name: "Art", dot: "#ABCDEF", sortOrder: 1 });
    const { series } = await site.mcp.ok("notes_series_upsert", {
      slug: "essays",
      categorySlug: "art",
      description: "On things.",
      sortOrder: 3,
    });
    expect(series).toEqual({
      slug: "essays",
      categorySlug: "art",
      name: "Essays",
      description: "On things.",
      sortOrder: 3,
      revision: series.revision,
    });
    expect(await site.mcp.ok("notes_series_list", { categorySlug: "craft" })).toEqual({ series: [], total: 0 });
    expect(await site.mcp.ok("notes_series_list", { categorySlug: "art" })).toEqual({ series: [series], total: 1 });
    const cleared = await site.mcp.ok("notes_series_upsert", { slug: "essays", description: null });
    expect([cleared.series.description, cleared.series.name]).toEqual(["", "Essays"]);
    expect((await site.mcp.ok("notes_series_delete", { slug: "essays" })).series).toEqual(cleared.series);
    expect(await site.mcp.ok("notes_series_list")).toEqual({ series: [], total: 0 });
  });

  it("of no category is refused with the categories there are and how to get another", async () => {
    const refusal = await site.mcp.refused("notes_series_upsert", { slug: "new", categorySlug: "none", name: "New" });
    expect(refusal).toEqual({
      error: "There is no category of that name.",
      field: "categorySlug",
      allowed: ["craft"],
      retry: expect.stringContaining("notes_category_upsert"),
    });
    expect((await site.mcp.ok("notes_series_list")).total).toBe(1);
  });

  it("with chapters goes only by cascade, and then they go with it", async () => {
    await site.mcp.ok("notes_chapter_upsert", CHAPTER);
    for (const cascade of [undefined, false]) {
      expect(await site.mcp.refused("notes_series_delete", { slug: "essays", cascade })).toMatchObject({
        error: "This series still has chapters.",
        field: "cascade",
        allowed: [true],
        count: 1,
      });
    }
    expect((await chapter()).title).toBe("First");
    await site.mcp.ok("notes_series_delete", { slug: "essays", cascade: true });
    expect(await site.sql("SELECT slug FROM notes_chapters")).toEqual([]);
    expect((await site.mcp.refused("notes_series_delete", { slug: "essays" })).existing).toEqual([]);
  });

  it("comes in pages that are the whole list, each once and in order", async () => {
    const slugs = Array.from({ length: 7 }, (_, index) => `part-${index}`);
    for (const slug of slugs) await site.mcp.ok("notes_series_upsert", { slug, categorySlug: "craft", name: slug });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { series, total, nextCursor } = await site.mcp.ok("notes_series_list", { limit: 3, cursor });
      expect([series.length <= 3, total]).toEqual([true, 8]);
      seen.push(...series.map((it: { slug: string }) => it.slug));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(["essays", ...slugs]);
  });
});

describe("a chapter", () => {
  it("is created with what is derived of its text, read, listed without it, and deleted", async () => {
    const written = await site.mcp.ok("notes_chapter_upsert", { ...CHAPTER, label: "01", pinned: true });
    expect(written).toMatchObject({
      changed: true,
      chapter: {
        seriesSlug: "essays",
        slug: "first",
        ordinal: 1,
        label: "01",
        pinned: true,
        title: "First",
        summary: "",
        sourceUrl: null,
        wordCount: 5,
        contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        publishedAt: "2026-01-31T07:00:00.000Z",
      },
    });
    const read = await site.mcp.ok("notes_chapter_get", { seriesSlug: "essays", slug: "first" });
    expect(read).toEqual({
      chapter: written.chapter,
      contentMd: CHAPTER.contentMd,
      totalChars: CHAPTER.contentMd.length,
    });
    const listed = await site.mcp.ok("notes_chapters_list", { seriesSlug: "essays" });
    expect(listed).toEqual({ chapters: [written.chapter], total: 1 });
    expect(JSON.stringify(listed)).not.toContain("Two words");
    const gone = await site.mcp.ok("notes_chapter_delete", { seriesSlug: "essays", slug: "first" });
    expect(gone).toEqual({ chapter: written.chapter, changed: true });
    expect((await site.mcp.ok("notes_chapters_list", { seriesSlug: "essays" })).total).toBe(0);
  });

  it("keeps what a write leaves out, clears what it sets to nothing, and stays as it is when nothing differs", async () => {
    const full = { ...CHAPTER, label: "01", summary: "Short.", sourceUrl: "https://example.com/a" };
    const first = await site.mcp.ok("notes_chapter_upsert", full);
    expect(await site.mcp.ok("notes_chapter_upsert", full)).toEqual({ chapter: first.chapter, changed: false });
    const named = { seriesSlug: "essays", slug: "first" };
    await site.mcp.ok("notes_chapter_upsert", { ...named, title: "Renamed" });
    expect(await chapter()).toMatchObject({ title: "Renamed", label: "01", summary: "Short.", wordCount: 5 });
    await site.mcp.ok("notes_chapter_upsert", { ...named, label: null, summary: "", sourceUrl: "" });
    expect(await chapter()).toMatchObject({ title: "Renamed", label: "", summary: "", sourceUrl: null });
    const { contentMd } = await site.mcp.ok("notes_chapter_get", named);
    expect(contentMd).toBe(CHAPTER.contentMd);
  });

  it.each([
    [{ seriesSlug: "essays", slug: "new" }, "This write names no field to change.", undefined],
    [{ ...CHAPTER, seriesSlug: "none" }, "There is no series of that name.", "seriesSlug"],
    [{ ...CHAPTER, title: undefined }, "A new row needs this field.", "title"],
    [{ ...CHAPTER, contentMd: undefined }, "A new row needs this field.", "contentMd"],
    [{ ...CHAPTER, publishedAt: "yesterday" }, expect.stringContaining("ISO 8601"), "publishedAt"],
    [{ ...CHAPTER, sourceUrl: "javascript:alert(1)" }, expect.stringContaining("http or https"), "sourceUrl"],
    [{ ...CHAPTER, ordinal: -1 }, "The least possible here is 0.", "ordinal"],
    [{ ...CHAPTER, ordinal: 1.5 }, expect.any(String), "ordinal"],
    [{ ...CHAPTER, contentMd: "a\0b" }, expect.stringContaining("no text"), "contentMd"],
    [{ ...CHAPTER, contentMd: "a\ud800b" }, expect.stringContaining("no text"), "contentMd"],
    [{ ...CHAPTER, contentMd: "字".repeat(349_526) }, "It is at most 1048576 bytes.", "contentMd"],
    [{ ...CHAPTER, wordCount: 3 }, "This tool has no such argument.", "wordCount"],
  ])("is refused, and nothing is stored: case %#", async (args, error, field) => {
    const before = await stored();
    const refusal = await site.mcp.refused("notes_chapter_upsert", args);
    expect([refusal.error, refusal.field]).toEqual([error, field]);
    expect(await stored()).toEqual(before);
  });

  it("that is not there is refused with those that are, and so is a series", async () => {
    await site.mcp.ok("notes_chapter_upsert", CHAPTER);
    for (const tool of ["notes_chapter_get", "notes_chapter_delete"]) {
      const inSeries = await site.mcp.refused(tool, { seriesSlug: "essays", slug: "none" });
      expect([inSeries.field, inSeries.existing]).toEqual(["slug", ["first"]]);
      const inNone = await site.mcp.refused(tool, { seriesSlug: "none", slug: "first" });
      expect([inNone.field, inNone.existing]).toEqual(["seriesSlug", ["essays"]]);
    }
    const list = await site.mcp.refused("notes_chapters_list", { seriesSlug: "none" });
    expect([list.field, list.existing]).toEqual(["seriesSlug", ["essays"]]);
  });

  it("as long as it may be comes in answers of at most 60 KB that are the whole text", async () => {
    const text = '字"😀\n'.repeat(LIMITS.noteContentBytes).slice(0, 466_000);
    await site.mcp.ok("notes_chapter_upsert", { ...CHAPTER, contentMd: text });
    let whole = "";
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const called = await site.mcp.call("notes_chapter_get", { seriesSlug: "essays", slug: "first", offset });
      expect(Buffer.byteLength(called.wire.body.result.content[0].text)).toBeLessThan(60_000);
      whole += called.result.contentMd;
      expect(called.result.totalChars).toBe(text.length);
      offset = called.result.nextOffset;
    }
    expect(whole === text).toBe(true);
  });

  it("has two writers of which the slower is told, and one writes", async () => {
    const { chapter: before } = await site.mcp.ok("notes_chapter_upsert", CHAPTER);
    const write = (contentMd: string) =>
      site.mcp.call("notes_chapter_upsert", {
        seriesSlug: "essays",
        slug: "first",
        contentMd,
        expectedRevision: before.revision,
      });
    const both = await Promise.all([write("one"), write("other")]);
    const won = both.find(({ isError }) => !isError)!;
    const lost = both.find(({ isError }) => isError)!;
    expect(lost.result).toMatchObject({ field: "expectedRevision", revision: won.result.chapter.revision });
    expect(await chapter()).toEqual(won.result.chapter);
    const stale = { seriesSlug: "essays", slug: "first", expectedRevision: before.revision };
    expect((await site.mcp.refused("notes_chapter_delete", stale)).field).toBe("expectedRevision");
    const unborn = { ...CHAPTER, slug: "unborn", expectedRevision: before.revision };
    expect((await site.mcp.refused("notes_chapter_upsert", unborn)).field).toBe("expectedRevision");
    expect((await site.mcp.ok("notes_chapters_list", { seriesSlug: "essays" })).total).toBe(1);
  });
});

describe("odd characters", () => {
  /** These groups are about where a title ends; here it ends at the bound. */
  const CUTS = ["first-line", "grapheme"];

  it("come out of lines as pages show them, or are refused; texts are kept to the byte, or refused", async () => {
    let texts = 0;
    for (const { id, group, input, must_not_contain } of cases.cases) {
      const called = await site.mcp.call("notes_chapter_upsert", { ...CHAPTER, slug: "odd", title: input });
      const line = oneLine(input);
      expect([id, called.isError]).toEqual([id, line.length === 0 || input.length > LIMITS.noteTitleChars]);
      if (!called.isError) {
        const { title } = await chapter("odd");
        expect([id, title]).toEqual([id, line]);
        const left = CUTS.includes(group) ? [] : must_not_contain.filter((part) => title.includes(part));
        expect([id, left]).toEqual([id, []]);
      }
      const isText = input.isWellFormed() && !input.includes("\0");
      const text = await site.mcp.call("notes_chapter_upsert", { ...CHAPTER, slug: "odd-text", contentMd: input });
      expect([id, text.isError]).toEqual([id, !isText]);
      if (!isText) continue;
      texts += 1;
      const read = await site.mcp.ok("notes_chapter_get", { seriesSlug: "essays", slug: "odd-text" });
      expect([id, read.contentMd]).toEqual([id, input]);
    }
    expect(texts).toBeGreaterThan(30);
  });
});

describe("the audit", () => {
  it("names what was written and holds no text", async () => {
    await site.sql("TRUNCATE mcp_audit");
    await site.mcp.ok("notes_chapter_upsert", { ...CHAPTER, contentMd: "planted-text", title: "planted-title" });
    await site.mcp.ok("notes_series_delete", { slug: "essays", cascade: true });
    const rows = await site.audit();
    expect(rows.map(({ tool, summary }) => [tool, summary])).toEqual([
      ["notes_chapter_upsert", "first in essays"],
      ["notes_series_delete", "essays with its chapters"],
    ]);
    expect(JSON.stringify(rows)).not.toContain("planted");
  });
});
