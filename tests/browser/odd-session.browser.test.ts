/**
 * A session whose names and texts run from right to left, are long, or are not there, on the built pages: no word is
 * turned by a name beside it, nothing is wider than its window, and what is not known is not told as nothing.
 */
import { afterAll, beforeAll, expect, it, setDefaultTimeout } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { pathsOf } from "../../cli/paths.mts";
import { buildWeb } from "../../cli/web-build.mts";
import { newVisitor, openBrowser, type Watched } from "../support/browser.mts";
import { type MadeSession, madeSession } from "../support/made-session.mts";
import { FED_SESSION, type SessionFeeder, startFeeder } from "../support/session-feeder.mts";
import type { WatchedProcess } from "../support/watched-process.mts";
import { START_MS, startWeb } from "../support/web-site.mts";

setDefaultTimeout(60_000);

const WIDTHS = [1440, 1024, 740, 390];
const NARROW = 768;

let feeder: SessionFeeder;
let web: WatchedProcess;
let browser: Browser;

beforeAll(async () => {
  await buildWeb(pathsOf(), AbortSignal.timeout(START_MS), () => {});
  feeder = await startFeeder();
  web = startWeb(feeder.url);
  browser = await openBrowser();
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await web?.stop();
  await feeder?.close();
});

async function visit(path: string, language: "en" | "zh" = "en"): Promise<Watched> {
  const visitor = await newVisitor(browser, { language });
  await visitor.page.addInitScript((id) => sessionStorage.setItem("xr_session", id), FED_SESSION);
  await visitor.page.goto((await web.url()) + path);
  return visitor;
}

/** A blocked and a failed call, with every name and text of the session in place of the made one's. */
function named(tool: string, extension: string, words: string): MadeSession {
  const texts = { notes_search: tool, skill_run: tool, "xray-guard": extension, "no such script": words };
  let json = JSON.stringify(madeSession({ turns: 1, trips: 3, blocked: true }));
  for (const [made, odd] of Object.entries({ ...texts, word: words })) json = json.replaceAll(made, odd);
  return JSON.parse(json);
}

/** Opens every fold there is, and on a phone the sheet. */
async function unfold(page: Page): Promise<void> {
  await page.locator("main article").last().waitFor();
  if (page.viewportSize()!.width <= NARROW) {
    await page.locator('button[aria-haspopup="dialog"]').last().click();
    await page.locator("[data-trace-row]").last().waitFor();
  }
  for (let pass = 0; pass < 3; pass++) {
    await page.evaluate(async () => {
      const folds = "article [aria-expanded=false], [data-trace-row][aria-expanded=false]";
      for (const fold of document.querySelectorAll<HTMLElement>(folds)) fold.click();
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
    });
  }
}

/** Isolated names, and those of them that do not stand between the words before and after them. */
function names(page: Page): Promise<{ seen: number; astray: string[] }> {
  return page.evaluate(() => {
    const boxes = (node: Node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()].filter(({ width }) => width > 0);
    };
    const astray: string[] = [];
    const all = [...document.querySelectorAll("bdi, [data-was-bdi]")].filter(({ textContent }) => textContent !== "");
    for (const name of all) {
      const own = boxes(name);
      const first = own[0];
      const last = own.at(-1);
      if (first === undefined || last === undefined) continue;
      const before = name.previousSibling === null ? [] : boxes(name.previousSibling);
      const after = name.nextSibling === null ? [] : boxes(name.nextSibling);
      const isAfter = before.every((box) => box.bottom <= first.top + 2 || box.right <= first.left + 1);
      const isBefore = after.every((box) => box.top >= last.bottom - 2 || box.left >= last.right - 1);
      if (!isAfter || !isBefore) astray.push(name.parentElement!.textContent!);
    }
    return { seen: all.length, astray };
  });
}

it.each(["en", "zh"] as const)("keeps the words around a name from right to left in order (%s)", async (language) => {
  feeder.store(named("البحث", "الحارس", "لا"));
  const report = await visit("/report", language);
  await report.page.locator("article table").last().waitFor();
  const { seen, astray } = await names(report.page);
  expect([seen > 5, astray]).toEqual([true, []]);
  await report.close();

  const { page, close } = await visit("/", language);
  await unfold(page);
  const isolated = await names(page);
  expect([isolated.seen > 5, isolated.astray]).toEqual([true, []]);
  // The same names where nothing isolates them.
  await page.evaluate(() => {
    for (const name of document.querySelectorAll("bdi")) {
      const plain = document.createElement("span");
      plain.dataset.wasBdi = "";
      plain.append(...name.childNodes);
      name.replaceWith(plain);
    }
  });
  expect((await names(page)).astray.length).toBeGreaterThan(0);
  await close();
});

it("is never wider than its window, however long a name is", async () => {
  for (const word of ["حدث", "很长的名", "name_"]) {
    const long = word.repeat(200).slice(0, 200);
    feeder.store(named(long, long, long));
    for (const path of ["/", "/report"]) {
      const { page, close } = await visit(path);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await page.reload();
        if (path === "/") await unfold(page);
        else await page.locator("article table").last().waitFor();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([path, width, wide]).toEqual([path, width, 0]);
      }
      await close();
    }
  }
});

it("says of a trace that is not to be had that it is unknown, not that it is empty", async () => {
  feeder.store(madeSession({ turns: 1, trips: 2 }));
  feeder.traceUp = false;
  const { page, close } = await visit("/");
  await page.getByText("No connection to the trace yet.").first().waitFor();
  expect(await page.getByRole("region", { name: "This session" }).innerText()).toMatch(/-\s+events/);
  feeder.traceUp = true;
  await page.locator("[data-trace-row]").last().waitFor();
  await close();
});
