/**
 * Pictures of every page and state, for eyes: light and dark × both languages × desktop and phone, from the real site,
 * into `tests/screenshots/` (ignored by git). Two things are not real: a refusal is answered in the API's place, one
 * for each code, and the six questions of the long session are asked one after another without reading.
 *
 *   bun --bun tests/screenshots.mts [part of a name …]
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { ERRORS } from "../shared/errors.ts";
import { newVisitor, openBrowser } from "./support/browser.mts";
import { startWebSite } from "./support/web-site.mts";

const FOLDER = join(import.meta.dirname, "screenshots");
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 800 } };
type Size = keyof typeof SIZES;
const LANGUAGES = ["en", "zh"] as const;
const THEMES = ["light", "dark"] as const;
/** Enough seats for every picture of the interrupted turn at once. */
const SEATS = 16;

interface Picture {
  name: string;
  path: string;
  /** Only this size shows anything of its own. */
  size?: Size;
  /** Only this part of the page. */
  part?: string;
  /** Brings the page into its state, once for a language. */
  act?(page: Page): Promise<unknown>;
  /** Once more for each picture: what a change of size undoes, or what does not last. */
  dress?(page: Page): Promise<unknown>;
}

const PICTURES: Picture[] = [
  { name: "landing", path: "/" },
  { name: "running", path: "/", dress: (page) => begin(page, 0) },
  { name: "answered", path: "/", act: (page) => answer(page, 1) },
  { name: "answered-folded", path: "/", act: (page) => answer(page, 1).then(() => fold(page)) },
  { name: "failed-call", path: "/", act: (page) => answer(page, 2) },
  { name: "stopped", path: "/", act: (page) => begin(page, 0).then(() => stop(page)) },
  { name: "long-session", path: "/", act: askSix },
  {
    name: "long-session-scrolled",
    path: "/",
    size: "desktop",
    act: askSix,
    dress: (page) => page.mouse.wheel(0, -900),
  },
  { name: "delete", path: "/", size: "desktop", act: (page) => answer(page, 2).then(() => askToDelete(page)) },
  { name: "drawer", path: "/", size: "phone", act: (page) => answer(page, 2), dress: (page) => press(page, MENU) },
  { name: "sheet", path: "/", size: "phone", act: (page) => answer(page, 2), dress: (page) => press(page, TRACE) },
  { name: "sheet-empty", path: "/", size: "phone", dress: (page) => press(page, TRACE) },
  ...[...Object.keys(ERRORS), "unreachable"].map((code) => ({
    name: `refused-${code}`,
    path: "/",
    part: "form",
    act: (page: Page) => refuse(page, code),
  })),
  { name: "notes", path: "/notes" },
  { name: "series", path: "/notes/first-word" },
  { name: "chapter", path: "/notes/events/saying-no" },
  { name: "chapter-end", path: "/notes/events/saying-no", dress: (page) => page.keyboard.press("End") },
  { name: "skills", path: "/skills" },
  { name: "skill", path: "/skills/text-tools" },
  { name: "skill-code", path: "/skills/text-tools/scripts/word_frequency.py" },
  { name: "source", path: "/source" },
  { name: "source-code", path: "/source/apps/web/server.mts#L10-L20" },
  { name: "source-search", path: "/source?q=asRole" },
  { name: "about", path: "/about" },
  { name: "not-found", path: "/nothing" },
];
const STOP = /^(Stop|停止)$/;
const MENU = /^(Open sessions|打开会话列表)$/;
const TRACE = /^(Open the trace|打开追踪)$/;

const wanted = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
const [site, browser] = await Promise.all([startWebSite({ limits: { activeSessions: SEATS } }), openBrowser()]);
try {
  for (const picture of PICTURES) for (const language of LANGUAGES) await take(browser, picture, language);
  await takeTheEnd(browser);
} finally {
  await browser.close();
  await site.stop();
}

async function take(from: Browser, picture: Picture, language: "en" | "zh"): Promise<void> {
  const { name, path, part, act, dress } = picture;
  const looks = THEMES.flatMap((theme) =>
    (["desktop", "phone"] as const)
      .filter((size) => picture.size === undefined || picture.size === size)
      .map((size) => ({ theme, size, file: fileOf(name, { size, theme, language }) })),
  ).filter(({ file }) => isWanted(file));
  if (looks.length === 0) return;

  const { page, close } = await newVisitor(from, { language, viewport: SIZES.desktop });
  await page.goto(site.url + path);
  await act?.(page);
  for (const { theme, size, file } of looks) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(SIZES[size]);
    if (dress !== undefined) {
      if (act === undefined) await page.goto(site.url + path);
      await dress(page);
    }
    await settle(page);
    await (part === undefined ? page : page.locator(part)).screenshot({ path: join(FOLDER, file) });
    process.stdout.write(`${file}\n`);
    // A sheet or drawer would be in the way of the next one.
    if (dress !== undefined) await page.keyboard.press("Escape");
  }
  await close();
}

/** Last, because it takes the API away: the turn that is interrupted, then the page without an API. */
async function takeTheEnd(from: Browser): Promise<void> {
  const looks = LANGUAGES.flatMap((language) =>
    THEMES.flatMap((theme) => (["desktop", "phone"] as const).map((size) => ({ language, theme, size }))),
  ).filter((look) => isWanted(fileOf("interrupted", look)) || isWanted(fileOf("offline", look)));
  const open = await Promise.all(
    looks.map(async (look) => {
      const { page } = await newVisitor(from, {
        language: look.language,
        colorScheme: look.theme,
        viewport: SIZES[look.size],
      });
      await page.goto(site.url);
      await begin(page, 0);
      return { look, page };
    }),
  );
  await site.app.stop();
  for (const { look, page } of open) {
    await page
      .locator("[data-turn] article")
      .getByText(/interrupted|被中断/)
      .waitFor();
    await settle(page);
    await page.screenshot({ path: join(FOLDER, fileOf("interrupted", look)) });
    await beginAnew(page);
    await send(page, "Anyone there?");
    await page
      .getByRole("alert")
      .getByText(/did not answer|没有回应/)
      .waitFor();
    await settle(page);
    await page.screenshot({ path: join(FOLDER, fileOf("offline", look)) });
    process.stdout.write(`${fileOf("offline", look)}\n`);
  }
}

function fileOf(name: string, { size, theme, language }: { size: string; theme: string; language: string }): string {
  return `${name}-${size}-${theme}-${language}.png`;
}

function isWanted(file: string): boolean {
  return wanted.length === 0 || wanted.some((part) => file.includes(part));
}

/** Faces are there, and the frame after the last change is drawn. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });
}

/** Chooses a starter in a new session and waits until the answer has begun. */
async function begin(page: Page, starter: number): Promise<void> {
  await beginAnew(page);
  await page.getByRole("main").getByRole("listitem").getByRole("button").nth(starter).click();
  await page.locator("[data-turn] article").last().getByText("before_agent_start").waitFor();
}

/** The landing, as in a new tab: forgotten on a page that does not remember the session again. */
async function beginAnew(page: Page): Promise<void> {
  await page.goto(`${site.url}/about`);
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(site.url);
}

async function answer(page: Page, starter: number): Promise<void> {
  await page.getByRole("main").getByRole("listitem").getByRole("button").nth(starter).click();
  await answered(page);
}

/** The answer is whole, and so is its trace, which only a wide page shows. */
async function answered(page: Page): Promise<void> {
  await page.locator("[data-turn]").last().locator('article[aria-busy="false"]').last().waitFor({ timeout: 60_000 });
  await page.locator("[data-turn]").last().getByText("agent_settled").waitFor();
}

async function fold(page: Page): Promise<void> {
  await page.locator("[data-turn] article button[aria-expanded]").first().click();
}

async function stop(page: Page): Promise<void> {
  await press(page, STOP);
  await page.getByText(/^(Stopped by you|你在|你停止了)/).waitFor();
}

async function askSix(page: Page): Promise<void> {
  await answer(page, 1);
  for (let turn = 2; turn <= 6; turn++) {
    await send(page, turn % 2 === 0 ? "Which notes do you have?" : "Try to run a script that does not exist");
    await page.locator(`[data-turn="${turn}"]`).waitFor();
    await answered(page);
  }
}

async function askToDelete(page: Page): Promise<void> {
  await page.getByRole("complementary").getByRole("listitem").first().getByRole("button").last().click();
}

async function refuse(page: Page, code: string): Promise<void> {
  await page.route("**/api/agent/ask", (route) =>
    code in ERRORS
      ? route.fulfill({ status: ERRORS[code as keyof typeof ERRORS].status, json: { error: "", code } })
      : route.abort(),
  );
  await send(page, "How does the guard decide?");
  await page.getByRole("alert").getByRole("paragraph").waitFor();
}

async function send(page: Page, question: string): Promise<void> {
  const field = page.locator("textarea");
  await field.fill(question);
  await field.press("Enter");
}

async function press(page: Page, name: RegExp): Promise<void> {
  await page.getByRole("button", { name }).click();
}
