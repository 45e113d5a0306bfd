/**
 * What the library gives out as files, over real HTTP: feeds, pictures and archives of skills (§12.3, §16.2), beside the
 * pages' own reads of skills, the owner's card and the tabs. One site serves all of it.
 */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { unzipSync } from "fflate";
import { openDatabase } from "../database/pool";
import { setAbout } from "../stores/about";
import { upsertCategory, upsertSeries } from "../stores/notes-admin";
import { putAsset } from "../stores/notes-assets";
import { upsertChapter } from "../stores/notes-chapters-admin";
import { setTab } from "../stores/site-tabs";
import { upsertSkillCategory } from "../stores/skill-categories-admin";
import { upsertSkill } from "../stores/skills-admin";
import { PICTURES } from "../../../tests/support/pictures.mts";
import { START_MS, type Site, startSite } from "../../../tests/support/site.mts";

const FILES = [
  { path: "SKILL.md", content: "---\nname: words\n---\n# Words\n" },
  { path: "scripts/count.py", content: "print('内核')\n" },
];

let site: Site;
let contentHash: string;
let pictureHash: string;
beforeAll(async () => {
  site = await startSite({ provider: null, env: { SITE_ORIGIN: "https://example.com/" } });
  const db = openDatabase(site.database.appUrl);
  await upsertCategory(db, { slug: "kernel", name: "Kernel & Co", dot: "#123456" });
  await upsertCategory(db, { slug: "bare", name: "Bare", dot: "#123456" });
  await upsertSeries(db, { slug: "turns", categorySlug: "kernel", name: "Turns" });
  for (let n = 1; n <= 31; n++) {
    await upsertChapter(db, {
      seriesSlug: "turns",
      slug: `c${n}`,
      ordinal: n,
      title: `<${n}> & more`,
      contentMd: "x",
      publishedAt: new Date(Date.UTC(2026, 0, n)).toISOString(),
    });
  }
  const picture = { seriesSlug: "turns", name: "a.png", contentType: "image/png", bytes: PICTURES.png };
  pictureHash = (await putAsset(db, picture)).row.etag;
  await upsertSkillCategory(db, { slug: "text", name: "Text", dot: "#123456" });
  contentHash = (
    await upsertSkill(db, {
      name: "words",
      categorySlug: "text",
      summary: "Counts words.",
      sourceType: "own",
      repo: "owner/skills",
      files: FILES,
    })
  ).row.contentHash;
  await setAbout(db, { githubUser: "octocat" });
  await setTab(db, "source", false);
  await db.close();
}, START_MS);
afterAll(() => site.stop());

const HEADERS = [
  "content-type",
  "content-length",
  "cache-control",
  "etag",
  "x-content-type-options",
  "content-disposition",
];
async function read(path: string, init: RequestInit = {}) {
  const response = await site.visitor().request(path, init);
  return {
    status: response.status,
    headers: HEADERS.map((name) => response.headers.get(name)),
    cookie: response.headers.get("set-cookie"),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

describe("a feed", () => {
  const itemsOf = (bytes: Buffer) => {
    const text = bytes.toString();
    expect(XMLValidator.validate(text)).toBe(true);
    return new XMLParser().parse(text).rss.channel;
  };

  it("has the thirty newest chapters, newest first, with absolute links, for a quarter of an hour", async () => {
    const { status, headers, bytes } = await read("/rss.xml");
    expect([status, headers[0], headers[2], headers[4]]).toEqual([
      200,
      "application/rss+xml; charset=utf-8",
      "public, max-age=900",
      "nosniff",
    ]);
    const channel = itemsOf(bytes);
    expect(channel.lastBuildDate).toBe("Sat, 31 Jan 2026 00:00:00 GMT");
    expect(channel.item.map(({ link }: { link: string }) => link)).toEqual(
      Array.from({ length: 30 }, (_, n) => `https://example.com/notes/turns/c${31 - n}`),
    );
    expect(channel.item[0].title).toBe("<31> & more");
  });

  it("has one category's chapters under its name", async () => {
    const channel = itemsOf((await read("/rss/kernel.xml")).bytes);
    expect([channel.title, channel.item.length]).toEqual(["Agent X-Ray · Kernel & Co", 30]);
    expect(itemsOf((await read("/rss/bare.xml")).bytes).item).toBeUndefined();
  });

  it("that is known already is not sent again", async () => {
    const { headers } = await read("/rss.xml");
    const again = await read("/rss.xml", { headers: { "if-none-match": headers[3]! } });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });
});

describe("a picture", () => {
  it("has its stored type, a day's cache and its hash", async () => {
    const { status, headers, bytes, cookie } = await read("/assets/notes/turns/a.png");
    expect([status, headers, cookie]).toEqual([
      200,
      ["image/png", String(PICTURES.png.length), "public, max-age=86400", `"${pictureHash}"`, "nosniff", null],
      null,
    ]);
    expect(Buffer.compare(bytes, PICTURES.png)).toBe(0);
  });
});

describe("a skill", () => {
  it("is downloaded as the archive that was built from its files", async () => {
    const { status, headers, bytes } = await read("/assets/skills/words.zip");
    expect([status, headers]).toEqual([
      200,
      [
        "application/zip",
        String(bytes.length),
        "public, max-age=86400",
        `"${contentHash}"`,
        "nosniff",
        'attachment; filename="words.zip"',
      ],
    ]);
    const entries = Object.entries(unzipSync(bytes)).map(([path, content]) => ({
      path,
      content: Buffer.from(content).toString(),
    }));
    expect(entries).toEqual(FILES.map(({ path, content }) => ({ path: `words/${path}`, content })));
  });

  it("is listed and read with its files", async () => {
    const index = await site.visitor().json("/skills");
    expect([index.status, index.body.total, index.body.categories[0].skills[0].name]).toEqual([200, 1, "words"]);
    const { body } = await site.visitor().json("/skills/words");
    expect(body.files.map(({ path, content }: { path: string; content: string }) => ({ path, content }))).toEqual(
      FILES,
    );
    expect(body.category).toEqual({ slug: "text", name: "Text", dot: "#123456" });
  });
});

describe("every file", () => {
  const paths = ["/rss.xml", "/rss/kernel.xml", "/assets/notes/turns/a.png", "/assets/skills/words.zip"];

  it.each(paths)("%s has the same headers for HEAD, and no byte", async (path) => {
    const whole = await read(path);
    const head = await read(path, { method: "HEAD" });
    expect([head.status, head.headers, head.bytes.length]).toEqual([200, whole.headers, 0]);
  });

  it.each([
    ["/rss/none.xml", 404],
    ["/rss/UPPER.xml", 400],
    ["/rss/kernel.html", 400],
    ["/assets/notes/turns/none.png", 404],
    ["/assets/notes/none/a.png", 404],
    ["/assets/notes/turns/..%2fa.png", 400],
    ["/assets/notes/turns/%2e%2e%2f%2e%2e%2fetc%2fpasswd", 400],
    ["/assets/notes/turns/%252e%252e", 400],
    ["/assets/notes/turns/a%00.png", 400],
    ["/assets/notes/turns/%E0%A4%A.png", 400],
    ["/assets/skills/none.zip", 404],
    ["/assets/skills/words.tar", 400],
    ["/assets/skills/..%2fwords.zip", 400],
    ["/skills/none", 404],
    ["/skills/UPPER", 400],
  ])("under %s is refused with %i", async (path, status) => {
    expect((await read(path)).status).toBe(status);
    if (/\.\w+$/.test(path)) expect((await read(path, { method: "HEAD" })).status).toBe(status);
  });
});

describe("the site", () => {
  it("gives the owner's card, empty where nothing was said", async () => {
    expect((await site.visitor().json("/about")).body).toEqual({
      githubUser: "octocat",
      originUrl: "",
      intro: "",
      buildPoints: [],
      repos: [],
      langBar: [],
    });
  });

  it("gives the tabs in their order; what a hidden one shows is answered all the same", async () => {
    expect((await site.visitor().json("/site/tabs")).body).toEqual({
      tabs: [
        { key: "runtime", visible: true },
        { key: "notes", visible: true },
        { key: "skills", visible: true },
        { key: "source", visible: false },
        { key: "about", visible: true },
      ],
    });
    expect([200, 404]).toContain((await site.visitor().json("/source")).status);
  });
});
