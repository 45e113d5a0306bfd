/**
 * The reading pages before a library that is as odd as an owner's may be: what they show, what they never do, and that
 * all of it can be read without a script, by keyboard and on a phone.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { buildWeb } from "../../cli/web-build.mts";
import { pathsOf } from "../../cli/paths.mts";
import { newVisitor, openBrowser, type VisitorOptions } from "../support/browser.mts";
import { EMPTY_ABOUT, FULL_ABOUT, type LibraryApi, startLibraryApi } from "../support/library-api.mts";
import type { WatchedProcess } from "../support/watched-process.mts";
import { START_MS, startWeb } from "../support/web-site.mts";

const PATIENCE_MS = 60_000;
/** An audit looks at every element under every rule. */
const AUDIT_MS = 180_000;
const ORIGIN = "https://xray.example";
const AXE = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const CHAPTER = "/notes/events/saying-no";
const CODE = "/source/app/%5Bodd%5D%20(1)/a%20b.ts";
const PAGES = [
  "/notes",
  "/notes/events",
  CHAPTER,
  "/skills",
  "/skills/text-tools",
  "/skills/text-tools/scripts/count.py",
];
/** One of each kind. */
const AUDITED = ["/notes", CHAPTER, "/skills", "/skills/text-tools", "/source", CODE, "/source?q=needle", "/about"];
const ALL = [...PAGES, "/source", "/source/docs", CODE, "/source?q=needle", "/about"];

let api: LibraryApi;
let web: WatchedProcess;
let browser: Browser;
let url: string;

beforeAll(async () => {
  await buildWeb(pathsOf(), AbortSignal.timeout(START_MS), () => {});
  api = await startLibraryApi();
  web = startWeb(api.origin, ORIGIN);
  [url, browser] = await Promise.all([web.url(), openBrowser()]);
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await web?.stop();
  await api?.close();
});
beforeEach(() => {
  api.hidden.clear();
  api.down = false;
  api.about = FULL_ABOUT;
});

/** Runs `visit` on a page of a new visitor; afterwards nothing was asked of others and nothing complained of. */
async function visiting(visit: (page: Page) => Promise<unknown>, options?: VisitorOptions): Promise<void> {
  const { page, origins, complaints, close } = await newVisitor(browser, options);
  await visit(page);
  expect([[...origins], complaints]).toEqual([[url], []]);
  await close();
}

const html = async (path: string, language = "en") =>
  (await fetch(url + path, { headers: { "Accept-Language": language } })).text();

describe("an owner's text", () => {
  it(
    "is shown and never run: no markup, no address that runs, no card, no picture from elsewhere",
    () =>
      visiting(async (page) => {
        await page.goto(url + CHAPTER);
        const main = page.getByRole("main");
        await main.getByText('<script>document.title = "owned"</script>').waitFor();
        await main.getByText("<b>never drawn</b>").waitFor();
        await main.getByText('"never asked"').waitFor();
        expect(await main.locator("iframe, script, input, fieldset").count()).toBe(0);
        const links = await main.locator("a").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
        expect(links.filter((href) => !/^(#|\/notes\/events\/|https:\/\/third\.example\/)/.test(href ?? ""))).toEqual(
          [],
        );
        expect(await main.getByText("runs", { exact: true }).evaluate((element) => element.tagName)).toBe("SPAN");
        expect(await main.locator("img").evaluateAll((all) => all.map((one) => one.getAttribute("src")))).toEqual([
          "/notes/events/map.png",
        ]);
        expect(await page.title()).toContain("说不");
      }),
    PATIENCE_MS,
  );

  it("brings no address that runs on any page, whatever a table holds", async () => {
    for (const path of ALL) {
      const page = await html(path);
      expect([path, page.match(/(?:href|src|action)="\s*javascript:[^"]*"/gi)]).toEqual([path, null]);
    }
  });

  it("is set in the measures of its own language, whatever the page around it speaks", async () => {
    for (const language of ["en", "zh"]) {
      expect(await html(CHAPTER, language)).toMatch(/<main [^>]*lang="zh"/);
      expect(await html("/notes/events/plain", language)).toMatch(/<main [^>]*lang="en"/);
    }
  });
});

describe("a chapter", () => {
  it(
    "marks the heading that is being read, and a line grows with what was read",
    () =>
      visiting(async (page) => {
        await page.goto(`${url}/notes/events/plain`);
        const current = page.locator("[data-contents] [aria-current]");
        await page.getByRole("link", { name: "Second", exact: true }).click();
        await page.waitForURL("**#second");
        await page.waitForFunction(
          () => document.querySelector("[data-contents] [aria-current]")?.textContent === "Second",
        );
        await page.evaluate(() => scrollTo(0, 600));
        await page.waitForFunction(
          () => document.querySelector("[data-contents] [aria-current]")?.textContent === "First",
        );
        expect(await current.count()).toBe(1);
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        await page.waitForFunction(
          () => document.querySelector<HTMLElement>("[style*='--read']")?.style.getPropertyValue("--read") === "1",
        );
      }),
    PATIENCE_MS,
  );

  it(
    "turns its page by the arrow keys, but not from a field of code that scrolls",
    () =>
      visiting(async (page) => {
        await page.goto(`${url}/notes/events/plain`);
        await page
          .locator("[data-contents] [aria-current]")
          .or(page.locator("[style*='--read']"))
          .first()
          .waitFor({ state: "attached" });
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("Alt+ArrowUp");
        expect(new URL(page.url()).pathname).toBe("/notes/events/plain");
        await page.keyboard.press("ArrowLeft");
        await page.getByRole("heading", { level: 1, name: "说不" }).waitFor();
        await page.getByRole("main").locator("pre").first().focus();
        await page.keyboard.press("ArrowRight");
        expect(new URL(page.url()).pathname).toBe(CHAPTER);
      }),
    PATIENCE_MS,
  );

  it(
    "has an address for each heading, which can be copied and leads back there",
    async () => {
      const { page, close } = await newVisitor(browser, { permissions: ["clipboard-read", "clipboard-write"] });
      await page.goto(`${url}/notes/events/plain`);
      await page.locator("[style*='--read']").waitFor({ state: "attached" });
      await page.getByRole("link", { name: "Link to “Second”" }).click();
      await page.locator("[data-copied]").waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${url}/notes/events/plain#second`);
      await page.goto("about:blank");
      await page.goto(`${url}/notes/events/plain#second`);
      const box = await page.getByRole("heading", { name: "Second" }).boundingBox();
      expect(box!.y > 48 && box!.y < 900).toBe(true);
      await close();
    },
    PATIENCE_MS,
  );
});

describe("the source", () => {
  it(
    "makes links of lines: by a click, with Shift, typed, and taken back",
    () =>
      visiting(async (page) => {
        await page.goto(url + CODE);
        const hits = () => page.locator("[data-hit]").evaluateAll((lines) => lines.map((line) => line.id));
        await page.getByLabel("Line or range, such as 24-31").fill("150-152");
        await page.keyboard.press("Enter");
        await page.getByText("lines 150 to 152").waitFor();
        expect(await hits()).toEqual(["L150", "L151", "L152"]);
        expect(new URL(page.url()).hash).toBe("#L150-L152");
        const gutter = { position: { x: 20, y: 8 } };
        await page.locator("#L155").click(gutter);
        expect([await hits(), new URL(page.url()).hash]).toEqual([["L155"], "#L155"]);
        await page.locator("#L153").click({ ...gutter, modifiers: ["Shift"] });
        expect([await hits(), new URL(page.url()).hash]).toEqual([["L153", "L154", "L155"], "#L153-L155"]);
        await page.locator("#L154").click({ position: { x: 200, y: 8 } });
        expect((await hits()).length).toBe(3);
        await page.getByRole("button", { name: "clear" }).click();
        expect([await hits(), new URL(page.url()).hash]).toEqual([[], ""]);

        await page.goto("about:blank");
        await page.goto(`${url}${CODE}#L190-L191`);
        await page.getByText("lines 190 to 191").waitFor();
        const box = await page.locator("#L190").boundingBox();
        expect(box!.y > 48 && box!.y < 900).toBe(true);
      }),
    PATIENCE_MS,
  );

  it(
    "is searched from every page; a hit leads to its line, in a text as well",
    () =>
      visiting(async (page) => {
        await page.goto(url + CODE);
        await page.getByRole("searchbox").fill("needle");
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { level: 1, name: "needle" }).waitFor();
        expect(await page.getByRole("main").getByRole("heading", { level: 2 }).allInnerTexts()).toEqual([
          "docs/http-api.md",
        ]);
        await page.getByRole("link", { name: /The needle is here/ }).click();
        await page.locator("#L3[data-hit]").waitFor();
      }),
    PATIENCE_MS,
  );

  it(
    "opens the folders on the way to a file and keeps them open while another is read",
    () =>
      visiting(async (page) => {
        await page.goto(`${url}/source/docs/deploy/README.md`);
        const tree = page.getByRole("navigation", { name: "Files" });
        expect(await tree.locator("[aria-current]").innerText()).toContain("README.md");
        const open = () => tree.locator("details[open] > summary").allInnerTexts();
        expect(await open()).toEqual(["docs/", "deploy/"]);
        await tree.getByRole("link", { name: /http-api/ }).click();
        await page.getByRole("heading", { name: "HTTP", exact: true }).waitFor();
        expect(await open()).toEqual(["docs/", "deploy/"]);
      }),
    PATIENCE_MS,
  );

  it("leads from a text to the files that it names, wherever they are, and never out of the commit", async () => {
    const linksOf = async (path: string) =>
      [...(await html(path)).matchAll(/<a href="(\/source[^"#?]*[^"]*)">/g)].map(([, to]) => to);
    expect(await linksOf("/source")).toEqual(expect.arrayContaining(["/source/docs/deploy/README.md#smoke", CODE]));
    const deploy = await html("/source/docs/deploy/README.md");
    expect(deploy).toContain('href="/source/README.md"');
    expect(deploy).toContain('href="../../../etc/passwd"');
  });

  it("is code in ink and weight, and plain where setting it would take too long", async () => {
    expect(await html(CODE)).toContain("<b>export</b>");
    const started = await html("/source/huge.ts");
    expect(started).toContain('id="L3200"');
    expect(started).not.toContain("<b>export</b>");
    // No browser gets a highlighter.
    for (const script of (await html(CODE)).match(/\/_next\/static\/[^"]+\.js/g) ?? []) {
      expect(await (await fetch(url + script)).text()).not.toContain("hljs");
    }
  });
});

describe("without a script", () => {
  it(
    "every page is there, its links lead on, and what would do nothing is not shown",
    () =>
      visiting(
        async (page) => {
          for (const path of ALL) {
            await page.goto(url + path);
            expect([path, await page.getByRole("main").innerText()]).toEqual([path, expect.stringMatching(/\S{3}/)]);
            expect([path, await page.getByRole("button", { name: /^Copy/ }).count()]).toEqual([path, 0]);
          }
          await page.goto(`${url}/source`);
          await page.getByRole("navigation", { name: "Files" }).getByText("docs/", { exact: true }).click();
          await page
            .getByRole("navigation", { name: "Files" })
            .getByRole("link", { name: /http-api/ })
            .click();
          await page.getByRole("heading", { name: "HTTP", exact: true }).waitFor();
          await page.getByRole("searchbox").fill("needle");
          await page.keyboard.press("Enter");
          await page.getByRole("link", { name: /The needle is here/ }).click();
          await page.getByText("The needle is here.").waitFor();
        },
        { javaScriptEnabled: false },
      ),
    PATIENCE_MS,
  );
});

describe("what a page says of itself", () => {
  const metaOf = (page: string, name: string) =>
    new RegExp(`<(?:meta|link) [^>]*(?:property|name|rel)="${name}"[^>]*>`).exec(page)?.[0] ?? "";

  it("is its one address under the site's origin, a title, a picture of our own, and its feeds", async () => {
    for (const path of ALL.filter((one) => !one.includes("?"))) {
      const page = await html(path);
      expect(metaOf(page, "canonical")).toContain(`href="${ORIGIN}${path}"`);
      expect(metaOf(page, "og:url")).toContain(`content="${ORIGIN}${path}"`);
      expect(metaOf(page, "og:title")).toMatch(/content="[^"]+"/);
      expect(metaOf(page, "og:image")).toContain(`content="${ORIGIN}/_next/static/media/`);
    }
    const notes = await html("/notes");
    const feeds = [
      ...notes.matchAll(
        /type="application\/rss\+xml"[^>]*href="([^"]+)"|href="([^"]+)"[^>]*type="application\/rss\+xml"/g,
      ),
    ];
    expect(feeds.map(([, a, b]) => a ?? b)).toEqual([`${ORIGIN}/rss.xml`, `${ORIGIN}/rss/kernel.xml`]);
    const picture = /og:image" content="https:\/\/xray\.example([^"]+)"/.exec(notes)![1]!;
    const answer = await fetch(url + picture);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
  });

  it("is in the sitemap when it is shown, and the robots are told where that is", async () => {
    const places = async () =>
      [...(await html("/sitemap.xml")).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, one]) => one!.replace(ORIGIN, ""));
    expect(await places()).toEqual([
      "/",
      "/notes",
      "/skills",
      "/source",
      "/about",
      "/notes/events",
      CHAPTER,
      "/notes/events/plain",
      "/skills/text-tools",
      "/skills/style-notes",
    ]);
    api.hidden = new Set(["notes", "runtime"]);
    expect(await places()).toEqual(["/skills", "/source", "/about", "/skills/text-tools", "/skills/style-notes"]);
    expect(await html("/robots.txt")).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
  });
});

describe("a hidden page", () => {
  const statusOf = async (path: string) => (await fetch(url + path, { redirect: "manual" })).status;
  const tabsOf = async (path: string) =>
    [...(await html(path)).matchAll(/<nav[^>]*aria-label="Site">(.*?)<\/nav>/g)].map(([, nav]) =>
      nav!
        .replace(/<[^>]+>/g, " ")
        .trim()
        .split(/\s+/),
    );

  it("is not in the navigation and not found, for each of the four", async () => {
    for (const [key, path] of [
      ["notes", CHAPTER],
      ["skills", "/skills/text-tools"],
      ["source", CODE],
      ["about", "/about"],
    ] as const) {
      expect([key, await statusOf(path), await statusOf(`/${key}`)]).toEqual([key, 200, 200]);
      api.hidden = new Set([key]);
      expect([key, await statusOf(path), await statusOf(`/${key}`)]).toEqual([key, 404, 404]);
      for (const tabs of await tabsOf("/nothing")) expect(tabs.map((tab) => tab.toLowerCase())).not.toContain(key);
    }
  });

  it("that is Runtime leads to the first one shown, and no page asks questions there", async () => {
    expect(await html(CHAPTER)).toContain("/?ask=");
    api.hidden = new Set(["runtime", "notes"]);
    const answer = await fetch(url, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([307, "/skills"]);
    api.hidden = new Set(["runtime"]);
    for (const path of [CHAPTER, CODE]) expect(await html(path)).not.toContain("/?ask=");
  });

  it("is shown again while nobody can say that it is hidden, and each page says what it cannot read", async () => {
    api.hidden = new Set(["notes", "skills"]);
    api.down = true;
    expect(await tabsOf("/about")).toEqual([
      ["Runtime", "Notes", "Skills", "Source", "About"],
      ["Runtime", "Notes", "Skills", "About"],
    ]);
    for (const [path, says] of [
      ["/notes", "The notes cannot be read right now."],
      [CHAPTER, "The notes cannot be read right now."],
      ["/skills", "The skills cannot be read right now."],
      [CODE, "The source cannot be read right now."],
      ["/about", "What the owner says of the site cannot be read right now."],
    ] as const) {
      expect([path, (await html(path)).includes(says)]).toEqual([path, true]);
    }
  });
});

describe("the owner's card", () => {
  it("shows what was published, with an address that would run as no link", async () => {
    const page = await html("/about");
    for (const part of ["One person, one server.", "Cleaned before it is stored.", "agent-x-ray", "TypeScript"])
      expect(page).toContain(part);
    expect(page).not.toContain("owned");
  });

  it("leaves no trace of what is empty", async () => {
    api.about = EMPTY_ABOUT;
    const headings = [...(await html("/about")).matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, text]) => text);
    expect(headings).toEqual(["How it is built", "What is where", "Your conversations", "Code and security"]);
  });
});

describe("for everybody", () => {
  for (const [language, wide, narrow] of [
    ["en", "light", "dark"],
    ["zh", "dark", "light"],
  ] as const) {
    it(
      `an audit finds nothing to blame and nothing is cut off: ${language}, ${wide} on a wide page, ${narrow} on a phone`,
      async () => {
        const { page, close } = await newVisitor(browser, { language });
        const blamed: string[] = [];
        for (const path of AUDITED) {
          await page.setViewportSize({ width: 1440, height: 900 });
          await page.goto(url + path);
          await page.evaluate(AXE);
          for (const [width, colorScheme] of [
            [1440, wide],
            [390, narrow],
            [320, narrow],
          ] as const) {
            await page.setViewportSize({ width, height: 800 });
            const drawn = await page.evaluate(() => document.documentElement.scrollWidth);
            expect([path, width, drawn]).toEqual([path, width, width]);
            if (width === 320) continue;
            await page.emulateMedia({ colorScheme });
            await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
            blamed.push(...(await page.evaluate(audit)).map((one) => `${path} ${width}: ${one}`));
          }
        }
        expect(blamed).toEqual([]);
        await close();
      },
      AUDIT_MS,
    );
  }

  it("is an audit that blames what is wrong", async () => {
    const { page, close } = await newVisitor(browser);
    await page.setContent(
      '<html lang="en"><title>x</title><main><img src="data:,"><p style="color:#bbb">pale</p></main>',
    );
    await page.evaluate(AXE);
    expect((await page.evaluate(audit)).map((one) => one.split(" ")[0])).toEqual([
      "color-contrast",
      "image-alt",
      "page-has-heading-one",
    ]);
    await close();
  });

  it(
    "a phone shows the file first, and its tree only when that is asked for",
    () =>
      visiting(
        async (page) => {
          for (const path of ["/source/docs/http-api.md", "/skills/text-tools/xray.json"]) {
            await page.goto(url + path);
            // The tree has come alive, and the frame after its effects is drawn.
            await page.waitForFunction(() =>
              Object.keys(document.querySelector("details a") ?? {}).some((key) => key.startsWith("__react")),
            );
            await page.evaluate(
              () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
            );
            expect([path, await page.evaluate(() => scrollY)]).toEqual([path, 0]);
          }
          await page.goto(`${url}/source/docs/http-api.md`);
          await page.getByRole("link", { name: "Files and search" }).click();
          await page.waitForFunction(() => scrollY > 0);
        },
        { viewport: { width: 390, height: 500 } },
      ),
    PATIENCE_MS,
  );

  it(
    "the first key leads past the bars",
    () =>
      visiting(async (page) => {
        await page.goto(`${url}/notes`);
        await page.keyboard.press("Tab");
        await page.getByRole("link", { name: "Skip to the page" }).press("Enter");
        await page.keyboard.press("Tab");
        expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
      }),
    PATIENCE_MS,
  );
});

/** In the page: what axe finds, as `rule target`. */
async function audit(): Promise<string[]> {
  const { axe } = window as unknown as { axe: typeof import("axe-core") };
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target}`)).sort();
}
