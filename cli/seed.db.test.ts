import { beforeAll, describe, expect, it } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { notesIndex, readChapter, readSeries } from "../apps/api/stores/notes";
import { upsertCategory } from "../apps/api/stores/notes-admin";
import { databaseForFile } from "../tests/support/database-for-file.mts";
import { seed } from "./seed.mts";

const opened = databaseForFile();

describe("a malformed folder", () => {
  async function folderWith(name: string, content: string): Promise<string> {
    const root = await mkdtemp(join(tmpdir(), "xray-notes-"));
    await mkdir(join(root, "cat", "ser"), { recursive: true });
    await writeFile(join(root, "cat", "category.json"), '{"name":"C","dot":"#112233","order":1}');
    await writeFile(join(root, "cat", "ser", "series.json"), '{"name":"S","description":"D","order":1}');
    await writeFile(join(root, "cat", "ser", name), content);
    return root;
  }
  const table: [string, string, RegExp][] = [
    ["no-number.md", "---\ntitle: T\npublished: 2026-11-01\n---\nx", /^cat\/ser\/no-number\.md:1: A chapter is named/],
    ["01-odd.md", "---\ntitle T\n---\nx", /^cat\/ser\/01-odd\.md:2: This line is no field/m],
  ];
  for (const [name, content, message] of table) {
    it(`is refused with the file's name: ${name}`, async () => {
      const directory = await folderWith(name, content);
      await expect(seed({ db: opened.db, directory, log: () => {} })).rejects.toThrow(message);
      expect((await notesIndex(opened.db)).categories).toEqual([]);
      await rm(directory, { recursive: true });
    });
  }
});

describe("the sample notes", () => {
  const lines: string[] = [];

  beforeAll(async () => {
    await seed({ db: opened.db, log: (line) => lines.push(line) });
  });

  it("fill an empty library", async () => {
    const { categories } = await notesIndex(opened.db);
    expect(categories.map(({ slug, series }) => [slug, series.map((each) => [each.slug, each.chapterCount])])).toEqual([
      [
        "kernel",
        [
          ["events", 6],
          ["first-word", 3],
        ],
      ],
      ["walls", [["walls", 4]]],
    ]);
    expect(lines).toEqual(["Sample notes: 13 chapters."]);
  });

  it("read in order, each with its fields and without its front matter", async () => {
    const series = await readSeries(opened.db, "events");
    expect(series?.chapters.map(({ slug, label, title }) => [slug, label, title])).toEqual([
      ["one-turn", "1", "一轮的一生"],
      ["four-modes", "2", "四种模式"],
      ["saying-no", "3", "说不"],
      ["clean-at-the-source", "4", "在源头清洗"],
      ["reading-a-trace", "5", "读一段轨迹"],
      ["reading-its-own-source", "6", "读自己的源码"],
    ]);
    const chapter = await readChapter(opened.db, "events", "saying-no");
    expect(chapter?.publishedAt).toBe("2026-11-19T00:00:00.000Z");
    expect(chapter?.contentMd).toStartWith("一个 Agent 能做什么，取决于它有哪些工具");
  });

  it("are left alone by a second run, and so is whatever the owner wrote", async () => {
    await upsertCategory(opened.db, { slug: "walls", name: "Mine", dot: "#000000", sortOrder: 0 });
    const before = await notesIndex(opened.db);
    expect(await seed({ db: opened.db, log: (line) => lines.push(line) })).toEqual({ chapters: 0 });
    expect(await notesIndex(opened.db)).toEqual(before);
    expect(lines.at(-1)).toBe("The library has notes already; the samples stay out.");
  });

  it("link only to chapters that exist", async () => {
    const links: string[] = [];
    for (const { series } of (await notesIndex(opened.db)).categories) {
      for (const { slug } of series) {
        for (const chapter of (await readSeries(opened.db, slug))?.chapters ?? []) {
          const text = (await readChapter(opened.db, slug, chapter.slug))?.contentMd ?? "";
          for (const match of text.matchAll(/\]\(\/notes\/([^)]*)\)/g)) links.push(match[1]!);
        }
      }
    }
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) {
      const [series = "", chapter = ""] = link.split("/");
      expect([link, (await readChapter(opened.db, series, chapter)) !== null]).toEqual([link, true]);
    }
  });
});
