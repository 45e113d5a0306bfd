/**
 * Pictures of every page and state, for eyes: light and dark × both languages × the sizes that show something of their
 * own, from the real site, into `tests/screenshots/` (ignored by git). What is not real: a refusal is answered in the
 * API's place, one for each code; so are the replies that show what a model may write, a trace that moved elsewhere,
 * and the session with a blocked call. A picture that cannot be taken, and whatever axe finds in one, is a line that
 * begins with ✗; either fails the run.
 *
 *   bun --bun tests/screenshots.mts [part of a name …]
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { toolCatalogue } from "../apps/api/tools/catalogue.ts";
import { newVisitor, openBrowser, type Watched } from "./support/browser.mts";
import { comeBackTo, keptSessions } from "./support/kept-sessions.mts";
import {
  BLOCKED,
  PICTURES,
  type Picture,
  SIZES,
  type Size,
  type Step,
  settle,
  THE_END,
} from "./support/page-states.mts";
import type { Language } from "./support/picture-replies.mts";
import { madeSession } from "./support/made-session.mts";
import { FED_SESSION, startFeeder } from "./support/session-feeder.mts";
import { startTcpProxy } from "./support/tcp-proxy.mts";
import { startWeb, startWebSite } from "./support/web-site.mts";
import { writeAnswers } from "./support/written-answers.mts";

const AXE = readFileSync(join(import.meta.dirname, "../node_modules/axe-core/axe.min.js"), "utf8");
const FOLDER = join(import.meta.dirname, "screenshots");
const LANGUAGES = ["en", "zh"] as const;
const THEMES = ["light", "dark"] as const;
/** States brought about at once: most of them wait for an answer of the demo. */
const PAGES_AT_ONCE = 4;
/** Patience for one step on a page, for a picture with what it takes to get there, and for a state. */
const STEP_MS = 20_000;
const PICTURE_MS = 60_000;
const STATE_MS = 180_000;

interface Look {
  size: Size;
  theme: (typeof THEMES)[number];
  file: string;
}

/** A page in a language, and what to take of it, in this order. */
interface Work {
  picture: Picture;
  language: Language;
  steps: { step: Step; looks: Look[] }[];
}

const wanted = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
const [site, browser, feeder] = await Promise.all([startWebSite(), openBrowser(), startFeeder()]);
feeder.store(madeSession(BLOCKED));
const madeWeb = startWeb(feeder.url);
const madeUrl = await madeWeb.url();
const kept = keptSessions(browser, site.url);
// The first page of a new server takes longest.
await fetch(site.url);
try {
  const works = PICTURES.flatMap(worksOf);
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, () => workOff(works)));
  await takeTheEnd();
} finally {
  await browser.close();
  await madeWeb.stop();
  await feeder.close();
  await site.stop();
}

function worksOf(picture: Picture): Work[] {
  const { name, sizes = ["desktop", "phone"], steps = [{ ...picture, act: undefined }] } = picture;
  return LANGUAGES.map((language) => ({
    picture,
    language,
    steps: steps
      .map((step) => ({ step, looks: looksOf(step.name === name ? name : `${name}-${step.name}`, sizes, language) }))
      .filter(({ looks }) => looks.length > 0),
  })).filter(({ steps }) => steps.length > 0);
}

function looksOf(name: string, sizes: readonly Size[], language: Language): Look[] {
  return THEMES.flatMap((theme) =>
    sizes.map((size) => ({ theme, size, file: `${name}-${size}-${theme}-${language}.png` })),
  ).filter(({ file }) => wanted.length === 0 || wanted.some((part) => file.includes(part)));
}

async function workOff(works: Work[]): Promise<void> {
  for (let work = works.shift(); work !== undefined; work = works.shift()) {
    const shown = await opened(work);
    if (shown === null) continue;
    await takeAll(shown.page, work);
    await shown.close();
  }
}

/** Last, because it takes the API away under the pages. */
async function takeTheEnd(): Promise<void> {
  const works = worksOf(THE_END);
  const pages = await Promise.all(works.map(opened));
  await site.app.stop();
  for (const [place, work] of works.entries()) if (pages[place]) await takeAll(pages[place].page, work);
}

function opened(work: Work): Promise<Pick<Watched, "page" | "close"> | null> {
  const looks = work.steps.flatMap((step) => step.looks);
  return orFail(looks, STATE_MS, open(work));
}

async function open({ picture, language }: Work): Promise<Pick<Watched, "page" | "close">> {
  const { path, kept: name, made, written, wired, act } = picture;
  const session = name && (await kept(name, language));
  const visitor = await newVisitor(browser, {
    language,
    viewport: SIZES.desktop,
    storageState: session?.storageState,
    forcedColors: picture.forcedColors ? "active" : "none",
  });
  const { page } = visitor;
  page.setDefaultTimeout(STEP_MS);
  try {
    const answers = written ? await writeAnswers(page) : null;
    if (session) await comeBackTo(page, session.id);
    if (made) {
      await comeBackTo(page, FED_SESSION);
      await page.route("**/api/agent/tools", (route) => route.fulfill({ json: toolCatalogue() }));
    }
    const url = (made ? madeUrl : site.url) + path;
    const wire = wired ? await startTcpProxy(() => url) : null;
    await page.goto(wire?.urlOf(url) ?? url);
    await act?.(page, language, answers, wire);
    return { page, close: () => visitor.close().then(() => wire?.close()) };
  } catch (error) {
    await visitor.close();
    throw error;
  }
}

async function takeAll(page: Page, { picture, language, steps }: Work): Promise<void> {
  for (const { step, looks } of steps) {
    const there = await orFail(
      looks,
      STATE_MS,
      Promise.resolve(step.act?.(page, language, null, null)).then(() => true),
    );
    if (!there) continue;
    for (const look of looks) await orFail([look], PICTURE_MS, take(page, picture, step, language, look));
  }
}

async function take(page: Page, { part, paper }: Picture, { dress }: Step, language: Language, look: Look) {
  await page.emulateMedia({ colorScheme: look.theme, media: paper ? "print" : "screen" });
  await page.setViewportSize(SIZES[look.size]);
  await dress?.(page, look.size, language);
  await settle(page);
  const path = join(FOLDER, look.file);
  await (part === undefined ? page.screenshot({ path, fullPage: paper }) : page.locator(part).screenshot({ path }));
  const findings = await findingsOf(page, part);
  process.stdout.write(findings.map((finding) => `✗ ${look.file}: axe ${finding}\n`).join(""));
  if (findings.length > 0) process.exitCode = 1;
  process.stdout.write(`${look.file}\n`);
  // A sheet or drawer would be in the way of the next one.
  if (dress !== undefined) await page.keyboard.press("Escape");
}

/** What does not come in time, or at all, is a line for each picture, and the run goes on. */
async function orFail<T>(looks: readonly Look[], patienceMs: number, work: Promise<T>): Promise<T | null> {
  let overdue: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    overdue = setTimeout(() => reject(new Error(`not there after ${patienceMs / 1_000} s`)), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    const reason = String(error).replace(/\s+/g, " ").slice(0, 300);
    for (const { file } of looks) process.stdout.write(`✗ ${file}: ${reason}\n`);
    process.exitCode = 1;
    return null;
  } finally {
    clearTimeout(overdue!);
  }
}

/** What axe finds on the page, or on this part of it, as it stands: `rule target`. */
async function findingsOf(page: Page, part = "html"): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(async (selector) => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run(selector, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(" ")}`));
  }, part);
}
