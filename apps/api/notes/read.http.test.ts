/** The notes' read side over real HTTP (§16.2): exactly the contract's fields, and 404 for what is not there. */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { openDatabase } from "../database/pool";
import { upsertCategory, upsertSeries } from "../stores/notes-admin";
import { upsertChapter } from "../stores/notes-chapters-admin";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";

let site: Site;
beforeAll(async () => {
  site = await startSite({ provider: null });
  const db = openDatabase(site.database.appUrl);
  await upsertCategory(db, { slug: "kernel", name: "Kernel", dot: "#123456", sortOrder: 1 });
  await upsertSeries(db, {
    slug: "turns",
    categorySlug: "kernel",
    name: "Turns",
    description: "What a turn is.",
    sortOrder: 1,
  });
  const chapter = { seriesSlug: "turns", label: "1", pinned: false, summary: "s", sourceUrl: null };
  await upsertChapter(db, {
    ...chapter,
    slug: "one",
    ordinal: 1,
    title: "One",
    contentMd: "# One\n\n<script>1</script>",
    publishedAt: "2026-01-01T00:00:00Z",
  });
  await upsertChapter(db, {
    ...chapter,
    slug: "two",
    ordinal: 2,
    title: "二",
    contentMd: "两个字",
    publishedAt: "2026-01-02T00:00:00Z",
  });
  await db.close();
}, START_MS);
afterAll(() => site.stop());

const card = (slug: string, title: string, wordCount: number, day: number) => ({
  slug,
  label: "1",
  title,
  summary: "s",
  pinned: false,
  wordCount,
  publishedAt: `2026-01-0${day}T00:00:00.000Z`,
});

describe("the notes", () => {
  it("have an index of categories, series and their latest chapters", async () => {
    const { status, body } = await site.visitor().json("/notes/series");
    expect(status).toBe(200);
    expect(body).toEqual({
      categories: [
        {
          slug: "kernel",
          name: "Kernel",
          dot: "#123456",
          series: [
            {
              slug: "turns",
              name: "Turns",
              description: "What a turn is.",
              chapterCount: 2,
              latest: [card("two", "二", 3, 2), card("one", "One", 4, 1)],
            },
          ],
        },
      ],
    });
  });

  it("have series with their chapters in order", async () => {
    const { body } = await site.visitor().json("/notes/series/turns");
    expect(body).toEqual({
      slug: "turns",
      name: "Turns",
      description: "What a turn is.",
      category: { slug: "kernel", name: "Kernel", dot: "#123456" },
      chapters: [card("one", "One", 4, 1), card("two", "二", 3, 2)],
    });
  });

  it("have chapters as they were written, with their neighbours", async () => {
    const { body } = await site.visitor().json("/notes/series/turns/chapters/one");
    expect(body).toEqual({
      ...card("one", "One", 4, 1),
      contentMd: "# One\n\n<script>1</script>",
      sourceUrl: null,
      updatedAt: expect.any(String),
      series: { slug: "turns", name: "Turns" },
      previous: null,
      next: { slug: "two", title: "二" },
    });
  });

  it.each([
    ["/notes/series/none", 404, "not_found"],
    ["/notes/series/turns/chapters/none", 404, "not_found"],
    ["/notes/series/none/chapters/one", 404, "not_found"],
    ["/notes/series/UPPER", 400, "bad_request"],
    ["/notes/series/a%00b", 400, "bad_request"],
    ["/notes/series/..%2f..%2fetc", 400, "bad_request"],
    [`/notes/series/${"a".repeat(65)}`, 400, "bad_request"],
  ])("answer %s with %i", async (path, status, code) => {
    const answer = await site.visitor().json(path);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it("answer a broken percent-encoding with a 4xx, never a 500", async () => {
    const { status } = await site.visitor().request("/notes/series/%E0%A4%A");
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
});
