/** The stage on the real site: what stays in view, what is said aloud, what a finger does. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { newVisitor, openBrowser, type VisitorOptions, type Watched } from "../support/browser.mts";
import { QUICK, START_MS, startWebSite, type WebSite } from "../support/web-site.mts";

const PATIENCE_MS = 120_000;
const WAIT_MS = 50_000;
/** One tool call and a short answer: its trace is much the taller side. */
const QUESTION = "Which notes do you have?";
const LOW = { viewport: { width: 1440, height: 560 } };
/** So low that neither side of the turn fits. */
const LOWEST = { viewport: { width: 1440, height: 420 } };
const PHONE = { viewport: { width: 390, height: 800 } };

let browser: Browser;
let site: WebSite;
const open: Watched[] = [];

beforeAll(async () => {
  site = await startWebSite({ limits: QUICK });
  browser = await openBrowser();
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});
afterEach(async () => {
  for (const visitor of open.splice(0)) await visitor.close();
});

async function visit(options: VisitorOptions = {}): Promise<Page> {
  const visitor = await newVisitor(browser, options);
  open.push(visitor);
  visitor.page.setDefaultTimeout(WAIT_MS);
  await visitor.page.goto(site.url);
  return visitor.page;
}

describe("the shorter side of a turn", () => {
  it(
    "stays in view with its end while the longer one passes, and so do the lines between them",
    async () => {
      const page = await visit(LOW);
      await askAndUnfold(page);
      await scrollTo(page, Number.MAX_SAFE_INTEGER);
      expect(await inView(page, "[data-turn] article:last-of-type p", "last")).toBe(true);
      expect(await inView(page, "[data-trace-row]", "last")).toBe(true);
      expect(await strayLeaders(page)).toEqual([]);

      await scrollTo(page, 120);
      expect(await inView(page, "[data-trace-row]", "last")).toBe(false);
      expect(await strayLeaders(page)).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    "gives way to the keyboard: whatever gets the focus is in view",
    async () => {
      const page = await visit(LOWEST);
      await askAndUnfold(page);
      await scrollTo(page, Number.MAX_SAFE_INTEGER);
      await page.locator("[data-trace-row]").last().focus();
      for (const key of ["Home", "End", "ArrowUp"]) {
        await page.keyboard.press(key);
        expect([key, await inView(page, ":focus", "first")]).toEqual([key, true]);
      }
      // Backwards from the composer through the whole conversation, which the scrolled end has moved out of sight.
      await page.getByLabel("Message").focus();
      await scrollTo(page, Number.MAX_SAFE_INTEGER);
      const steps = await page.locator("[data-turn] article button").count();
      for (let step = 0; step <= steps + 1; step++) {
        await page.keyboard.press("Shift+Tab");
        expect([step, await inView(page, ":focus", "first")]).toEqual([step, true]);
      }
    },
    PATIENCE_MS,
  );
});

describe("a reader at the end", () => {
  it(
    "who scrolls there right after opening a fold is not taken back to the fold",
    async () => {
      const page = await visit(LOW);
      await ask(page);
      await page.locator("[data-trace-row]", { hasText: "agent_settled" }).waitFor();
      const belowPx = await page.locator("main").evaluate(async (stage) => {
        stage.querySelector<HTMLElement>("[data-trace-row][aria-expanded=false]")!.click();
        await new Promise(requestAnimationFrame);
        stage.dispatchEvent(new WheelEvent("wheel", { bubbles: true }));
        stage.scrollTop = stage.scrollHeight;
        for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
        return stage.scrollHeight - stage.scrollTop - stage.clientHeight;
      });
      expect(belowPx).toBeLessThan(2);
    },
    PATIENCE_MS,
  );

  it(
    "is still there after the window has become a phone, and back",
    async () => {
      const page = await visit();
      await askAndUnfold(page);
      await scrollTo(page, Number.MAX_SAFE_INTEGER);
      for (const { viewport } of [PHONE, LOW, { viewport: { width: 900, height: 700 } }]) {
        await page.setViewportSize(viewport);
        await page.waitForFunction(() => {
          const stage = document.querySelector("main")!;
          return stage.clientWidth <= innerWidth && stage.scrollHeight - stage.scrollTop - stage.clientHeight < 2;
        });
        expect(await page.getByRole("button", { name: "To the end" }).isVisible()).toBe(false);
      }
    },
    PATIENCE_MS,
  );
});

describe("the page", () => {
  it("says in its first bytes that the answers are a demo's", async () => {
    const html = await (await fetch(site.url, { headers: { "Accept-Language": "en" } })).text();
    expect(html).toContain("Offline demo");
  });

  it(
    "says aloud that the turn runs, that it is over, and that the trace is cut",
    async () => {
      const page = await visit({
        prepare: async (fresh) => {
          await fresh.addInitScript(() => {
            const said: string[] = [];
            Object.assign(window, { said });
            new MutationObserver(() => {
              const text = document.querySelector('[aria-live="polite"]')?.textContent ?? "";
              if (text !== "" && said.at(-1) !== text) said.push(text);
            }).observe(document, { subtree: true, childList: true, characterData: true });
          });
        },
      });
      await page.route("**/api/trace/stream*", (route) => route.abort());
      await ask(page);
      await page.locator('article[aria-busy="false"]').waitFor();
      const cut = "No connection to the trace yet. Trying again, the chat goes on.";
      await page.waitForFunction((text) => (window as unknown as { said: string[] }).said.includes(text), cut);
      const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
      expect(said.toSorted()).toEqual(["The agent is answering.", "The answer is complete.", cut].toSorted());
    },
    PATIENCE_MS,
  );
});

describe("a finger on the phone", () => {
  it(
    "pulls the sheet up by the trace line and down by its handle; a short pull changes nothing",
    async () => {
      const page = await visit(PHONE);
      const line = page.getByRole("button", { name: "Open the trace" });
      const sheet = page.getByRole("dialog");
      await drag(page, line, -60);
      await sheet.waitFor();
      const handle = sheet.getByRole("button", { name: "Close" });
      const top = (await sheet.boundingBox())!.y;
      await drag(page, handle, 30, "hold");
      expect((await sheet.boundingBox())!.y).toBe(top + 30);
      // Too short to close, and no press of the handle either.
      await page.mouse.up();
      expect((await sheet.boundingBox())?.y).toBe(top);
      await drag(page, handle, 120);
      await sheet.waitFor({ state: "hidden" });
    },
    PATIENCE_MS,
  );
});

async function ask(page: Page): Promise<void> {
  await page.getByLabel("Message").fill(QUESTION);
  await page.getByLabel("Message").press("Enter");
}

/** A whole turn with every round trip open, so that its trace is taller than its answer and than the view. */
async function askAndUnfold(page: Page): Promise<void> {
  await ask(page);
  await page.locator("[data-trace-row]", { hasText: "agent_settled" }).waitFor();
  await page.locator("[data-trace-row]", { hasText: "Round trip 1" }).click();
}

/** As a hand on the wheel does. */
async function scrollTo(page: Page, top: number): Promise<void> {
  await page.locator("main").evaluate(async (stage, to) => {
    stage.dispatchEvent(new WheelEvent("wheel", { bubbles: true }));
    stage.scrollTop = to;
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  }, top);
}

/** Whether the first line of an element can be seen: inside the stage and under nothing. */
function inView(page: Page, selector: string, which: "first" | "last"): Promise<boolean> {
  return page
    .locator(selector)
    [which]()
    .evaluate((element) => {
      const box = element.getBoundingClientRect();
      const seen = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, 10));
      return seen !== null && (element.contains(seen) || seen.contains(element));
    });
}

/** Links whose line does not begin and end at its two halves. */
function strayLeaders(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const yOf = (element: Element) => {
      const box = element.getBoundingClientRect();
      return box.top + Math.min(box.height / 2, 15);
    };
    const ends = [...document.querySelectorAll("[class*=leaders] g")].map((group) =>
      [...group.querySelectorAll("circle")].map((dot) => {
        const box = dot.getBoundingClientRect();
        return box.top + box.height / 2;
      }),
    );
    const rows = [...document.querySelectorAll<HTMLElement>("[data-link-row]")];
    const links = [...document.querySelectorAll<HTMLElement>("[data-link]")].filter((half) =>
      rows.some((row) => row.dataset.linkRow === half.dataset.link),
    );
    if (links.length === 0 || ends.length !== links.length) return [`${ends.length} lines, ${links.length} links`];
    return links
      .filter((half, index) => {
        const row = rows.find(({ dataset }) => dataset.linkRow === half.dataset.link)!;
        const [from, to] = ends[index]!;
        return Math.abs(from! - yOf(half)) > 2 || Math.abs(to! - yOf(row)) > 2;
      })
      .map((half) => half.dataset.link!);
  });
}

async function drag(page: Page, from: ReturnType<Page["locator"]>, byPx: number, then?: "hold"): Promise<void> {
  const box = (await from.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + byPx, { steps: 6 });
  if (then !== "hold") await page.mouse.up();
}
