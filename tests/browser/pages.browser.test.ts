/** Every page in its languages, themes and sizes on the real site. */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { strFromU8, unzipSync } from "fflate";
import type { Browser } from "playwright-core";
import { newVisitor, openBrowser } from "../support/browser.mts";
import { START_MS, startWebSite, type WebSite } from "../support/web-site.mts";

const PATIENCE_MS = 120_000;
const PAGES = [
  "/",
  "/notes",
  "/notes/events",
  "/notes/first-word/saying-no",
  "/skills",
  "/skills/text-tools",
  "/skills/text-tools/scripts/word_frequency.py",
  "/source",
  "/source/apps/web/server.mts",
  "/source?q=asRole",
  "/about",
  "/nothing",
];

let browser: Browser;
let site: WebSite;

beforeAll(async () => {
  site = await startWebSite();
  browser = await openBrowser();
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

describe("language and theme", () => {
  it(
    "follow the browser and the system until a choice is made, which then outlives a reload",
    async () => {
      const { page, complaints, close } = await newVisitor(browser, { language: "en", colorScheme: "dark" });
      await page.goto(`${site.url}/about`);
      const root = page.locator("html");
      expect([await root.getAttribute("lang"), await root.getAttribute("data-theme")]).toEqual(["en", "dark"]);
      await page.emulateMedia({ colorScheme: "light" });
      await page.locator('html[data-theme="light"]').waitFor();

      await page.getByRole("button", { name: "中文" }).click();
      await page.getByRole("heading", { level: 1, name: "从头到尾" }).waitFor();
      await page.getByRole("button", { name: "切换明暗" }).click();
      await page.reload();
      expect([await root.getAttribute("lang"), await root.getAttribute("data-theme")]).toEqual(["zh", "dark"]);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.emulateMedia({ colorScheme: "light" });
      expect(await root.getAttribute("data-theme")).toBe("dark");
      expect(complaints).toEqual([]);
      await close();
    },
    PATIENCE_MS,
  );

  it("are in the first bytes of the page, so that nothing flashes", async () => {
    const chosen = await fetch(`${site.url}/about`, { headers: { Cookie: "xr_ui=en.dark" } });
    expect(/<html[^>]*>/.exec(await chosen.text())?.[0]).toBe(
      '<html lang="en" data-theme="dark" data-theme-chosen="">',
    );
    const unknown = await fetch(`${site.url}/about`);
    const html = await unknown.text();
    expect(/<html[^>]*>/.exec(html)?.[0]).toBe('<html lang="zh">');
    // Without a choice the theme is set by a script that stands before everything that is painted.
    expect(html.indexOf("prefers-color-scheme")).toBeLessThan(html.indexOf("<body"));
  });

  it(
    "change without losing what is on the page",
    async () => {
      const { page, close } = await newVisitor(browser);
      await page.goto(site.url);
      await page.getByLabel("Message").fill("half a question");
      await page.getByRole("button", { name: "中文" }).first().click();
      await page.getByRole("heading", { name: "和 Agent 说话" }).waitFor();
      expect(await page.getByLabel("消息").inputValue()).toBe("half a question");
      await close();
    },
    PATIENCE_MS,
  );
});

describe("every page", () => {
  for (const language of ["en", "zh"] as const) {
    for (const width of [320, 390, 1440]) {
      it(
        `fits ${width} px in ${language}, asks nothing of others and complains of nothing`,
        async () => {
          const phone = width < 769;
          const visitor = await newVisitor(browser, {
            language,
            viewport: { width, height: phone ? 640 : 900 },
            isMobile: phone,
            hasTouch: phone,
          });
          for (const path of PAGES) {
            const answer = await visitor.page.goto(site.url + path);
            expect(answer?.status()).toBe(path === "/nothing" ? 404 : 200);
            await visitor.page.getByRole("heading", { level: 1 }).first().waitFor();
            // Nothing may be wider than the screen, neither the page nor what scrolls in it.
            const overflow = await visitor.page.evaluate(() =>
              [document.documentElement, ...document.querySelectorAll("main, main *")]
                .filter(
                  (box) => box.scrollWidth > box.clientWidth + 1 && box.getBoundingClientRect().right > innerWidth + 1,
                )
                .map((box) => `${box.tagName} ${box.className}`),
            );
            expect([path, overflow]).toEqual([path, []]);
            expect(await visitor.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
          }
          expect([...visitor.origins]).toEqual([site.url]);
          // The browser itself remarks on the page that answers 404.
          expect(visitor.complaints.filter((text) => !text.includes("404"))).toEqual([]);
          await visitor.close();
        },
        PATIENCE_MS,
      );
    }
  }

  it(
    "can be reached from the first one by its tabs; a phone has four of them",
    async () => {
      const wide = await newVisitor(browser);
      await wide.page.goto(site.url);
      const tabs = (page: typeof wide.page) => page.getByRole("navigation", { name: "Site" }).getByRole("link");
      expect(await tabs(wide.page).allInnerTexts()).toEqual(["Runtime", "Notes", "Skills", "Source", "About"]);
      await wide.close();
      const phone = await newVisitor(browser, { viewport: { width: 390, height: 800 } });
      await phone.page.goto(site.url);
      expect(await tabs(phone.page).allInnerTexts()).toEqual(["Runtime", "Notes", "Skills", "About"]);
      await phone.close();
    },
    PATIENCE_MS,
  );
});

describe("the library of a new site", () => {
  const library: [page: string, inMain: RegExp][] = [
    ["/notes", /13 chapters[\s\S]*A door for the owner/],
    ["/skills", /5 skills[\s\S]*calc[\s\S]*chart[\s\S]*csv-insight[\s\S]*text-tools[\s\S]*web-fetch/],
    ["/skills/text-tools", /^text-tools\n[\s\S]*Count words[\s\S]*Four small instruments[\s\S]*word_frequency\.py/],
    ["/source", /README\.md[\s\S]*Agent X-Ray[\s\S]*What is there/],
    ["/source/apps/web/server.mts", /createServer/],
    ["/source?q=asRole", /pool\.ts[\s\S]*asRole/],
  ];
  for (const [path, text] of library) {
    it(`is alive at ${path}`, async () => {
      const { page, close } = await newVisitor(browser, { javaScriptEnabled: false });
      await page.goto(site.url + path);
      expect(await page.getByRole("main").innerText()).toMatch(text);
      await close();
    });
  }

  it("gives a skill as an archive with its files", async () => {
    const answer = await fetch(`${site.url}/skills/text-tools.zip`);
    const entries = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    expect(Object.keys(entries)).toContain("text-tools/scripts/word_frequency.py");
    expect(strFromU8(entries["text-tools/SKILL.md"]!)).toStartWith("---\nname: text-tools\n");
  });
});

describe("a chapter", () => {
  it(
    "shows markup as text, leads on to its neighbours, and lists what is on the page",
    async () => {
      const { page, close } = await newVisitor(browser);
      await page.goto(`${site.url}/notes/first-word/saying-no`);
      const contents = page.getByRole("navigation", { name: "On this page" }).getByRole("link");
      const headings = page.getByRole("main").locator("h2[id], h3[id]");
      expect(await contents.allInnerTexts()).toEqual(await headings.allInnerTexts());
      await page.getByRole("link", { name: /^Next/ }).click();
      await page.getByRole("heading", { level: 1, name: "Cleaned at the source" }).waitFor();
      await page.getByRole("link", { name: /^Previous/ }).click();
      await page.getByRole("heading", { level: 1, name: "Saying no" }).waitFor();
      await close();
    },
    PATIENCE_MS,
  );

  it(
    "is on paper its text alone, in the ink of the light theme, however dark the screen is",
    async () => {
      const { page, close } = await newVisitor(browser, { colorScheme: "dark" });
      await page.goto(`${site.url}/notes/first-word/saying-no`);
      const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
      const beside = page.getByRole("navigation");
      expect([await scheme(), (await beside.count()) > 0]).toEqual(["dark", true]);
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      expect([await scheme(), await beside.count()]).toEqual(["light", 0]);
      await page.getByRole("heading", { level: 1, name: "Saying no" }).waitFor();
      await close();
    },
    PATIENCE_MS,
  );

  it(
    "says that the notes cannot be read when the API is gone, and the other pages go on",
    async () => {
      const { page, close } = await newVisitor(browser);
      const lonely = await startWebSite();
      await lonely.app.stop();
      await page.goto(`${lonely.url}/notes`);
      await page.getByText("The notes cannot be read right now.").waitFor();
      await page.goto(`${lonely.url}/about`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.goto(lonely.url);
      await page.getByText("The list could not be loaded.").waitFor();
      await page.getByLabel("Message").fill("anyone?");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("The site did not answer. Nothing is lost, send again.").waitFor();
      expect(await page.getByLabel("Message").inputValue()).toBe("anyone?");
      await close();
      await lonely.stop();
    },
    START_MS,
  );
});
