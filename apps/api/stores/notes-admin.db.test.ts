/** The owner's side of the library: what a write changes, what it is refused for, and two writers of one row. */
import { beforeAll, describe, expect, test } from "bun:test";
import { LIMITS } from "../../../shared/limits";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";
import { deleteCategory, deleteSeries, listCategories, listSeries, upsertCategory, upsertSeries } from "./notes-admin";
import { type ChapterWrite, deleteChapter, getChapter, listChapters, upsertChapter } from "./notes-chapters-admin";

const opened = databaseForFile();

const chapter = (slug: string, more: Partial<ChapterWrite> = {}): ChapterWrite => ({
  seriesSlug: "kernel",
  slug,
  ordinal: 1,
  title: "A title",
  contentMd: "three words 内核",
  publishedAt: "2026-01-01T00:00:00Z",
  ...more,
});

beforeAll(async () => {
  const { db } = opened;
  await upsertCategory(db, { slug: "first", name: "First", dot: "#ff0000", sortOrder: 1 });
  await upsertSeries(db, { slug: "kernel", categorySlug: "first", name: "内核" });
  await upsertSeries(db, { slug: "empty", categorySlug: "first", name: "Empty", sortOrder: 2 });
});

describe("shelves", () => {
  test("are made with what they need, and the rest has its default", async () => {
    const { db } = opened;
    const made = await upsertCategory(db, { slug: "made", name: " Made\u200b\n here ", dot: "#AbCdEf" });
    expect(made).toEqual({
      changed: true,
      row: {
        slug: "made",
        name: "Made here",
        dot: "#AbCdEf",
        sortOrder: 0,
        revision: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    });
    expect(await deleteCategory(db, "made")).toEqual(made);
    expect((await listCategories(db)).map(({ slug }) => slug)).toEqual(["first"]);
    for (const write of [{ slug: "x" }, { slug: "x", name: "X" }, { slug: "x", dot: "#000000" }]) {
      await expect(upsertCategory(db, write)).rejects.toMatchObject({ code: "required" });
    }
    await expect(upsertSeries(db, { slug: "x", name: "X" })).rejects.toMatchObject({
      code: "required",
      facts: { field: "categorySlug" },
    });
  });

  test("keep what a write does not name", async () => {
    const { db } = opened;
    const before = (await listSeries(db, "first")).find(({ slug }) => slug === "empty")!;
    const { row, changed } = await upsertSeries(db, { slug: "empty", description: "Now with words." });
    expect(changed).toBe(true);
    expect(row).toEqual({ ...before, description: "Now with words.", revision: row.revision });
    expect(row.revision).not.toBe(before.revision);
    expect(await upsertSeries(db, { slug: "empty", description: "" })).toEqual({ row: before, changed: true });
    expect(await upsertSeries(db, { slug: "empty", description: "" })).toEqual({ row: before, changed: false });
  });

  test("are listed by category, in the pages' order", async () => {
    const { db } = opened;
    await upsertCategory(db, { slug: "zero", name: "Zero", dot: "#000000", sortOrder: 0 });
    await upsertSeries(db, { slug: "other", categorySlug: "zero", name: "Other" });
    expect((await listSeries(db)).map(({ slug }) => slug)).toEqual(["other", "kernel", "empty"]);
    expect((await listSeries(db, "zero")).map(({ slug }) => slug)).toEqual(["other"]);
    expect(await listSeries(db, "none")).toEqual([]);
  });

  test("that hold something are not deleted, and it is said how much they hold", async () => {
    const { db } = opened;
    await upsertSeries(db, { slug: "full", categorySlug: "first", name: "Full" });
    await upsertChapter(db, chapter("one", { seriesSlug: "full" }));
    await upsertChapter(db, chapter("two", { seriesSlug: "full" }));
    await expect(deleteCategory(db, "first")).rejects.toMatchObject({ code: "in_use", facts: { count: 3 } });
    await expect(deleteSeries(db, "full", false)).rejects.toMatchObject({ code: "in_use", facts: { count: 2 } });
    expect(await listChapters(db, "full")).toHaveLength(2);
    expect(await deleteSeries(db, "full", true)).toMatchObject({ row: { slug: "full" }, changed: true });
    expect(await listChapters(db, "full")).toBeNull();
    await expect(deleteSeries(db, "full", true)).rejects.toMatchObject({ code: "not_found" });
    await expect(deleteCategory(db, "none")).rejects.toMatchObject({ code: "not_found" });
  });

  test("a chapter that arrives while its series is deleted is never deleted unseen", async () => {
    const { db } = opened;
    for (let round = 0; round < 10; round++) {
      await upsertSeries(db, { slug: "race", categorySlug: "first", name: "Race" });
      const [written, deleted] = await Promise.allSettled([
        upsertChapter(db, chapter("late", { seriesSlug: "race" })),
        deleteSeries(db, "race", false),
      ]);
      const ends = [written, deleted].map((end) => (end.status === "fulfilled" ? "done" : end.reason.code));
      expect([
        ["done", "in_use"],
        ["missing_reference", "done"],
      ]).toContainEqual(ends);
      if (deleted.status === "rejected") await deleteSeries(db, "race", true);
    }
  });
});

describe("a chapter", () => {
  test("is stored with what follows from its text, and read back to the byte", async () => {
    const { db } = opened;
    const text = "# 标题\r\n\n<script>1</script>\u200b\t😀";
    const { row } = await upsertChapter(db, chapter("whole", { contentMd: text }));
    expect(row).toEqual({
      seriesSlug: "kernel",
      slug: "whole",
      ordinal: 1,
      label: "",
      pinned: false,
      title: "A title",
      summary: "",
      sourceUrl: null,
      wordCount: 5,
      contentHash: new Bun.CryptoHasher("sha256").update(text).digest("hex"),
      publishedAt: "2026-01-01T00:00:00.000Z",
      updatedAt: expect.any(String),
      revision: expect.any(String),
    });
    expect(await getChapter(db, "kernel", "whole")).toEqual({ ...row, contentMd: text });
    expect(await listChapters(db, "kernel")).toEqual([row]);
    expect(await deleteChapter(db, "kernel", "whole")).toEqual({ row, changed: true });
    expect(await getChapter(db, "kernel", "whole")).toBeNull();
  });

  test("written again as it is keeps its hash, its revision and the time of its last change", async () => {
    const { db } = opened;
    const first = await upsertChapter(db, chapter("again"));
    expect(first.changed).toBe(true);
    expect(await upsertChapter(db, chapter("again", { publishedAt: "2026-01-01T08:00:00+08:00" }))).toEqual({
      row: first.row,
      changed: false,
    });
    const second = await upsertChapter(db, { seriesSlug: "kernel", slug: "again", title: "New title" });
    expect(second.row.contentHash).toBe(first.row.contentHash);
    expect(second.row.updatedAt > first.row.updatedAt).toBe(true);
    expect((await getChapter(db, "kernel", "again"))!.contentMd).toBe("three words 内核");
    const cleared = await upsertChapter(db, { seriesSlug: "kernel", slug: "again", label: "", sourceUrl: null });
    expect(cleared).toEqual({ row: second.row, changed: false });
  });

  test.each<[string, Partial<ChapterWrite>, object]>([
    ["a text too long", { contentMd: "x".repeat(LIMITS.noteContentBytes + 1) }, { facts: { field: "contentMd" } }],
    ["a text with a NUL", { contentMd: "a\0b" }, { facts: { field: "contentMd" } }],
    ["a text with half a pair", { contentMd: "a\ud800" }, { facts: { field: "contentMd" } }],
    ["a title too long", { title: "x".repeat(257) }, { facts: { field: "title" } }],
    ["a title in which nothing shows", { title: "\u200b\n" }, { facts: { field: "title" } }],
    ["a slug that is none", { slug: "Bad Slug" }, { facts: { field: "slug" } }],
    ["an ordinal below zero", { ordinal: -1 }, { facts: { field: "ordinal" } }],
    ["an ordinal of two and a half", { ordinal: 2.5 }, { facts: { field: "ordinal" } }],
    ["an address that reads backwards", { sourceUrl: "https://a.example/\u202e" }, { facts: { field: "sourceUrl" } }],
    ["a script for an address", { sourceUrl: "javascript:alert(1)" }, { facts: { field: "sourceUrl" } }],
    ...["yesterday", "2026-01-31", "2026-02-30T00:00:00Z", "2026-01-31T08:00", "2026-01-31T08:00:00+99:00"]
      .concat("0000-06-01T00:00:00Z", "9999-12-31T23:59:59-12:00", "2026-01-31T08:00:00Z\n")
      .map((publishedAt): [string, Partial<ChapterWrite>, object] => [
        `a date that is none: ${JSON.stringify(publishedAt)}`,
        { publishedAt },
        { facts: { field: "publishedAt" } },
      ]),
    [
      "a series that is not there",
      { seriesSlug: "none" },
      { code: "missing_reference", facts: { field: "seriesSlug", allowed: expect.arrayContaining(["kernel"]) } },
    ],
    ["no text", { contentMd: undefined }, { code: "required", facts: { field: "contentMd" } }],
  ])("with %s is refused and leaves nothing", async (_what, more, refusal) => {
    const write = chapter("refused", more);
    await expect(upsertChapter(opened.db, write)).rejects.toMatchObject({ code: "invalid", ...refusal });
    expect(await getChapter(opened.db, write.seriesSlug, write.slug)).toBeNull();
  });

  test("a full megabyte fits", async () => {
    const contentMd = "x".repeat(LIMITS.noteContentBytes);
    expect((await upsertChapter(opened.db, chapter("large", { contentMd }))).changed).toBe(true);
  });
});

describe("two writers of one row", () => {
  test("that read the same revision: one writes, the other is told what there is now", async () => {
    const { db } = opened;
    const { row } = await upsertChapter(db, chapter("shared"));
    const expected = { expectedRevision: row.revision };
    const ends = await Promise.allSettled(
      ["A", "B", "C"].map((title) => upsertChapter(db, { seriesSlug: "kernel", slug: "shared", title }, expected)),
    );
    const [won, ...others] = ends.filter(({ status }) => status === "fulfilled");
    expect(others).toEqual([]);
    const now = (won as PromiseFulfilledResult<{ row: { revision: string; title: string } }>).value.row;
    for (const end of ends.filter(({ status }) => status === "rejected")) {
      expect((end as PromiseRejectedResult).reason).toMatchObject({ code: "stale_revision", current: now.revision });
    }
    expect((await getChapter(db, "kernel", "shared"))!.title).toBe(now.title);
  });

  test("without a revision both write, one after the other, also when there is no row yet", async () => {
    const { db } = opened;
    const titles = ["A", "B", "C", "D"];
    const ends = await Promise.all(titles.map((title) => upsertChapter(db, chapter("new", { title }))));
    expect(ends.map(({ changed }) => changed)).toEqual([true, true, true, true]);
    expect(titles).toContain((await getChapter(db, "kernel", "new"))!.title);
  });

  test("a revision of a row that is gone is stale, for a write and for a deletion", async () => {
    const { db } = opened;
    const { row } = await upsertCategory(db, { slug: "gone", name: "Gone", dot: "#000000" });
    await deleteCategory(db, "gone", { expectedRevision: row.revision });
    const stale = { code: "stale_revision", current: null };
    const expected = { expectedRevision: row.revision };
    await expect(upsertCategory(db, { slug: "gone", name: "G", dot: "#000000" }, expected)).rejects.toMatchObject(
      stale,
    );
    await expect(deleteCategory(db, "gone", expected)).rejects.toMatchObject(stale);
    expect((await listCategories(db)).map(({ slug }) => slug)).not.toContain("gone");
  });

  test("a deletion that expects what is no longer there deletes nothing", async () => {
    const { db } = opened;
    const { row } = await upsertSeries(db, { slug: "kept", categorySlug: "first", name: "Kept" });
    const now = await upsertSeries(db, { slug: "kept", name: "Changed" });
    await expect(deleteSeries(db, "kept", true, { expectedRevision: row.revision })).rejects.toMatchObject({
      code: "stale_revision",
      current: now.row.revision,
    });
    await deleteSeries(db, "kept", false, { expectedRevision: now.row.revision });
  });
});
