/**
 * Pictures of every page and state, for eyes: light and dark × both languages × desktop and phone, from the real site,
 * into `tests/screenshots/` (ignored by git). Three things are not real: a refusal is answered in the API's place, one
 * for each code; so are the replies that show what a model may write and the session with a blocked call; and the six questions of the long session are
 * asked one after another without reading. Fails when axe finds something in any of them.
 *
 *   bun --bun tests/screenshots.mts [part of a name …]
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { toolCatalogue } from "../apps/api/tools/catalogue.ts";
import { newVisitor, openBrowser } from "./support/browser.mts";
import { ask, begin, beginAnew, PICTURES, type Picture, SIZES, settle } from "./support/page-states.mts";
import type { Language } from "./support/picture-replies.mts";
import { madeSession } from "./support/made-session.mts";
import { FED_SESSION, startFeeder } from "./support/session-feeder.mts";
import { startWeb, startWebSite } from "./support/web-site.mts";
import { type WrittenAnswers, writeAnswers } from "./support/written-answers.mts";

const AXE = readFileSync(join(import.meta.dirname, "../node_modules/axe-core/axe.min.js"), "utf8");
const FOLDER = join(import.meta.dirname, "screenshots");
const LANGUAGES = ["en", "zh"] as const;
const THEMES = ["light", "dark"] as const;
/** Enough seats for every picture of the interrupted turn at once. */
const SEATS = 16;

const wanted = process.argv.slice(2);
const found: string[] = [];
mkdirSync(FOLDER, { recursive: true });
const [site, browser] = await Promise.all([startWebSite({ limits: { activeSessions: SEATS } }), openBrowser()]);
const feeder = await startFeeder();
feeder.store(madeSession({ turns: 2, trips: 3, blocked: true }));
const madeWeb = startWeb(feeder.url);
const madeUrl = await madeWeb.url();
try {
  for (const picture of PICTURES) for (const language of LANGUAGES) await take(browser, picture, language);
  await takeTheEnd(browser);
} finally {
  await browser.close();
  await madeWeb.stop();
  await feeder.close();
  await site.stop();
}
if (found.length > 0) {
  process.stderr.write(`axe found ${found.length}:\n${found.join("\n")}\n`);
  process.exitCode = 1;
}

async function take(from: Browser, picture: Picture, language: Language): Promise<void> {
  const { name, path, part, written, made, act, dress, sizes = ["desktop", "phone"] } = picture;
  const looks = THEMES.flatMap((theme) =>
    sizes.map((size) => ({ theme, size, file: fileOf(name, { size, theme, language }) })),
  ).filter(({ file }) => isWanted(file));
  if (looks.length === 0) return;

  let answers: WrittenAnswers | null = null;
  const prepare = async (fresh: Page) => {
    if (written) answers = await writeAnswers(fresh);
    if (!made) return;
    await fresh.addInitScript((id) => sessionStorage.setItem("xr_session", id), FED_SESSION);
    await fresh.route("**/api/agent/tools", (route) => route.fulfill({ json: toolCatalogue() }));
  };
  const { page, close } = await newVisitor(from, { language, viewport: SIZES.desktop, prepare });
  const url = (made ? madeUrl : site.url) + path;
  await page.goto(url);
  await act?.(page, language, answers);
  for (const { theme, size, file } of looks) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(SIZES[size]);
    if (dress !== undefined) {
      if (act === undefined) await page.goto(url);
      await dress(page, size, language);
    }
    await settle(page);
    await (part === undefined ? page : page.locator(part)).screenshot({ path: join(FOLDER, file) });
    process.stdout.write(`${file}\n`);
    for (const finding of await findingsOf(page)) found.push(`${file}: ${finding}`);
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
    await ask(page, "Anyone there?");
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

/** What axe finds on the page as it stands, as `rule target`. */
async function findingsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(" ")}`));
  });
}
