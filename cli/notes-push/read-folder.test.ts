/** What a folder of notes may be: each fault by file, line and sentence, and what a good one becomes. */
import { afterAll, describe, expect, it } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LIMITS } from "../../shared/limits";
import { faultText } from "./fault.mts";
import { readNotesFolder } from "./read-folder.mts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

type Files = Record<string, string | Uint8Array | undefined>;
const PNG = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1");
const CHAPTER = "---\ntitle: T\npublished: 2026-11-01\n---\ntext";
const GOOD: Files = {
  "cat/category.json": '{ "name": "C", "dot": "#112233", "order": 1 }',
  "cat/ser/series.json": '{ "name": "S", "description": "D", "order": 2 }',
  "cat/ser/01-one.md": CHAPTER,
};

/** The good folder with these files instead; undefined leaves one out. */
function folderWith(files: Files): string {
  const root = mkdtempSync(join(tmpdir(), "xray-notes-"));
  folders.push(root);
  for (const [path, content] of Object.entries({ ...GOOD, ...files })) {
    if (content === undefined) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}
const faultsOf = (root: string) => readNotesFolder(root).faults.map(faultText);

it("a folder becomes categories, series, chapters and pictures", () => {
  const text =
    '---\r\ntitle: "A: b"\r\nlabel: 1\r\n\r\npinned: true\r\nsource: https://example.org/a\r\npublished: 2026-11-01T08:00:00+08:00\r\n---\r\n\r\n![x](flow.png)\r\n';
  const root = folderWith({
    "README.md": "not a category",
    ".git/config": "",
    "cat/ser/.DS_Store": "",
    "cat/ser/10-two.md": text,
    "cat/ser/flow.png": PNG,
  });
  expect(readNotesFolder(root)).toEqual({
    faults: [],
    notes: {
      categories: [{ slug: "cat", name: "C", dot: "#112233", sortOrder: 1 }],
      series: [{ slug: "ser", categorySlug: "cat", name: "S", description: "D", sortOrder: 2 }],
      pictures: [{ seriesSlug: "ser", name: "flow.png", contentType: "image/png", bytes: PNG }],
      chapters: [
        {
          seriesSlug: "ser",
          slug: "one",
          ordinal: 1,
          label: "",
          pinned: false,
          title: "T",
          summary: "",
          sourceUrl: null,
          contentMd: "text",
          publishedAt: "2026-11-01T00:00:00.000Z",
        },
        {
          seriesSlug: "ser",
          slug: "two",
          ordinal: 10,
          label: "1",
          pinned: true,
          title: "A: b",
          summary: "",
          sourceUrl: "https://example.org/a",
          contentMd: "![x](/notes/ser/flow.png)",
          publishedAt: "2026-11-01T00:00:00.000Z",
        },
      ],
    },
  });
});

describe("a fault is told by file and line:", () => {
  const one = (content: string | Uint8Array): Files => ({ "cat/ser/01-one.md": content });
  const head = (lines: string) => one(`---\n${lines}\n---\ntext`);
  it.each<[string, Files, string[]]>([
    [
      "no front matter",
      one("# Title\n"),
      ["cat/ser/01-one.md:1: It has no front matter: its first line is ---, then come its fields, then another ---."],
    ],
    [
      "a head without an end",
      one("---\ntitle: T\n\ntext"),
      ["cat/ser/01-one.md:1: It has no front matter: its first line is ---, then come its fields, then another ---."],
    ],
    [
      "missing fields",
      head("label: 1"),
      ['cat/ser/01-one.md:1: "title" is missing.', 'cat/ser/01-one.md:1: "published" is missing.'],
    ],
    [
      "a line that is no field",
      head("title: T\npublished: 2026-11-01\ntitle T"),
      ["cat/ser/01-one.md:4: This line is no field: a field is `key: value`."],
    ],
    [
      "an unknown field and one twice",
      head("title: T\npublished: 2026-11-01\ntags: x\ntitle: U"),
      [
        'cat/ser/01-one.md:4: There is no field "tags". They are: title, label, summary, published, source, pinned.',
        'cat/ser/01-one.md:5: "title" is there twice.',
      ],
    ],
    [
      "a day that does not exist",
      head("title: T\npublished: 2026-02-31"),
      ['cat/ser/01-one.md:3: "published" is a date such as 2026-01-31, or a moment such as 2026-01-31T08:00:00Z.'],
    ],
    [
      "a title of nothing",
      head("title:\npublished: 2026-11-01"),
      ["cat/ser/01-one.md:2: title: It is 1 to 256 characters on one line."],
    ],
    [
      "a source that is no web address",
      head("title: T\nsource: javascript:alert(1)\npublished: 2026-11-01"),
      ["cat/ser/01-one.md:3: source: It is an http or https address of at most 1024 characters."],
    ],
    [
      "pinned that is neither",
      head("title: T\npinned: yes\npublished: 2026-11-01"),
      ['cat/ser/01-one.md:3: "pinned" is true or false.'],
    ],
    [
      "a picture that is not there",
      one("---\ntitle: T\npublished: 2026-11-01\n---\n\ntext\n![x](flow.png)"),
      ['cat/ser/01-one.md:7: There is no picture "flow.png" beside it.'],
    ],
    [
      "a name that is no chapter's",
      { "cat/ser/intro.md": CHAPTER, "cat/ser/01-One.md": CHAPTER },
      [
        "cat/ser/01-One.md:1: A chapter is named <nn>-<slug>.md: two digits or more, then a-z, 0-9 and -.",
        "cat/ser/intro.md:1: A chapter is named <nn>-<slug>.md: two digits or more, then a-z, 0-9 and -.",
      ],
    ],
    ["one slug twice", { "cat/ser/02-one.md": CHAPTER }, ["cat/ser/02-one.md:1: 01-one.md has the same slug."]],
    [
      "one series in two categories",
      { "dog/category.json": GOOD["cat/category.json"], "dog/ser/series.json": GOOD["cat/ser/series.json"] },
      ["dog/ser:1: A series of this name is in cat already."],
    ],
    [
      "a folder that is no slug",
      { "Dog/category.json": GOOD["cat/category.json"] },
      ["Dog:1: Its name: It is 1 to 64 of a-z, 0-9 and -, and does not begin with -."],
    ],
    [
      "files without a place",
      { LICENSE: "", "cat/notes.md": CHAPTER, "cat/ser/run.sh": "" },
      [
        "LICENSE:1: This has no place here: a category is a folder.",
        "cat/notes.md:1: This has no place here: a series is a folder.",
        "cat/ser/run.sh:1: This is neither a chapter (.md) nor a picture (.png, .jpg, .webp, .gif).",
      ],
    ],
    [
      "settings that are missing, and none",
      { "cat/category.json": undefined, "cat/ser/series.json": "[1]" },
      [
        "cat/category.json:1: This file is missing.",
        "cat/ser/series.json:1: This is no JSON object with name, description, order.",
      ],
    ],
    [
      "settings of another kind",
      { "cat/category.json": '{\n"name": 1,\n"dot": "red",\n"order": "1",\n"color": 2 }' },
      [
        'cat/category.json:2: "name" is a text.',
        "cat/category.json:3: dot: It is a colour as #RRGGBB.",
        "cat/category.json:4: order: It is a whole number from 0 to 9999.",
        'cat/category.json:5: There is no field "color". They are: name, dot, order.',
      ],
    ],
    [
      "text that is not UTF-8",
      one(Buffer.concat([Buffer.from("---\ntitle: "), Buffer.of(0xe9), Buffer.from("\n---\n")])),
      ["cat/ser/01-one.md:2: It is not UTF-8."],
    ],
    [
      "a NUL",
      one(`${CHAPTER}\0`),
      ["cat/ser/01-one.md:5: its text: It holds a character that is no text: NUL, or half of a surrogate pair."],
    ],
    [
      "a text past its bound",
      one(`${CHAPTER}${"x".repeat(LIMITS.noteContentBytes)}`),
      ["cat/ser/01-one.md:5: its text: It is at most 1048576 bytes."],
    ],
    [
      "an SVG that calls itself a PNG",
      { "cat/ser/a.png": "<svg onload='x'/>" },
      ["cat/ser/a.png:1: This picture: They do not begin as a picture of the declared type does."],
    ],
    [
      "an SVG",
      { "cat/ser/a.svg": "<svg/>" },
      ["cat/ser/a.svg:1: This is neither a chapter (.md) nor a picture (.png, .jpg, .webp, .gif)."],
    ],
    [
      "a PNG that calls itself a JPEG",
      { "cat/ser/a.jpg": PNG },
      ["cat/ser/a.jpg:1: This picture: They do not begin as a picture of the declared type does."],
    ],
    [
      "a picture's name",
      { "cat/ser/A.png": PNG },
      ["cat/ser/A.png:1: This picture: It is 1 to 96 of a-z, 0-9, ., _ and -, and begins with a letter or digit."],
    ],
    [
      "4 MiB and a byte",
      { "cat/ser/a.png": Buffer.concat([PNG, Buffer.alloc(LIMITS.noteAssetBytes - PNG.length + 1)]) },
      ["cat/ser/a.png:1: This picture: A picture is 1 to 4194304 bytes."],
    ],
  ])("%s", (_case, files, faults) => {
    expect(faultsOf(folderWith(files))).toEqual(faults);
  });

  it("a picture of exactly 4 MiB is none", () => {
    expect(
      faultsOf(folderWith({ "cat/ser/a.png": Buffer.concat([PNG, Buffer.alloc(LIMITS.noteAssetBytes - PNG.length)]) })),
    ).toEqual([]);
  });

  it("a link, whether it leads out of the folder or not", () => {
    const root = folderWith({});
    const outside = folderWith({ "secret.png": PNG });
    symlinkSync(join(outside, "secret.png"), join(root, "cat/ser/a.png"));
    symlinkSync("01-one.md", join(root, "cat/ser/02-two.md"));
    symlinkSync(outside, join(root, "dog"));
    expect(faultsOf(root)).toEqual([
      "cat/ser/02-two.md:1: This is a link, and links are not followed.",
      "cat/ser/a.png:1: This is a link, and links are not followed.",
      "dog:1: This is a link, and links are not followed.",
    ]);
  });

  it("settings that are a link", () => {
    const root = folderWith({ "cat/category.json": undefined });
    symlinkSync("ser/series.json", join(root, "cat/category.json"));
    expect(faultsOf(root)).toEqual([
      "cat/category.json:1: This file is missing.",
      "cat/category.json:1: This is a link, and links are not followed.",
    ]);
  });
});

it("an empty folder is refused: nobody means to publish nothing", () => {
  const root = mkdtempSync(join(tmpdir(), "xray-notes-"));
  folders.push(root);
  expect(() => readNotesFolder(root)).toThrow("There are no notes in");
});
