/**
 * Pictures of every page, for eyes: pages × light and dark × both languages × desktop and phone, from the real site,
 * into `tests/screenshots/` (ignored by git).
 *
 *   bun --bun tests/screenshots.mts [part of a name …]
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { newVisitor, openBrowser } from "./support/browser.mts";
import { startWebSite } from "./support/web-site.mts";

const FOLDER = join(import.meta.dirname, "screenshots");
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 800 } };

interface Picture {
  name: string;
  path: string;
  act?(page: Page): Promise<void>;
}

const PICTURES: Picture[] = [
  { name: "landing", path: "/" },
  { name: "running", path: "/", act: (page) => askStarter(page, 0, "running") },
  { name: "answered", path: "/", act: (page) => askStarter(page, 1, "answered") },
  { name: "failed-call", path: "/", act: (page) => askStarter(page, 2, "answered") },
  { name: "stopped", path: "/", act: (page) => askStarter(page, 0, "stopped") },
  { name: "notes", path: "/notes" },
  { name: "series", path: "/notes/first-word" },
  { name: "chapter", path: "/notes/events/saying-no" },
  { name: "skills", path: "/skills" },
  { name: "source", path: "/source" },
  { name: "about", path: "/about" },
  { name: "not-found", path: "/nothing" },
];

const wanted = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
const [site, browser] = await Promise.all([startWebSite(), openBrowser()]);
try {
  for (const picture of PICTURES) {
    for (const language of ["en", "zh"] as const) {
      for (const theme of ["light", "dark"] as const) {
        for (const [size, viewport] of Object.entries(SIZES)) await take(picture, language, theme, size, viewport);
      }
    }
  }
} finally {
  await browser.close();
  await site.stop();
}

async function take(
  { name, path, act }: Picture,
  language: "en" | "zh",
  theme: "light" | "dark",
  size: string,
  viewport: { width: number; height: number },
): Promise<void> {
  const file = `${name}-${size}-${theme}-${language}.png`;
  if (wanted.length > 0 && !wanted.some((part) => file.includes(part))) return;
  const phone = size === "phone";
  const { page, close } = await newVisitor(browser, {
    language,
    colorScheme: theme,
    viewport,
    isMobile: phone,
    hasTouch: phone,
  });
  await page.goto(site.url + path);
  await page.evaluate(() => document.fonts.ready);
  if (path === "/") await page.getByText(/^(Offline demo|离线演示)$/).waitFor();
  await act?.(page);
  await page.screenshot({ path: join(FOLDER, file) });
  process.stdout.write(`${file}\n`);
  await close();
}

async function askStarter(page: Page, index: number, until: "running" | "answered" | "stopped"): Promise<void> {
  await page.getByRole("main").getByRole("listitem").getByRole("button").nth(index).click();
  const answer = page.locator("[data-turn] article").last();
  if (until === "answered") {
    await page.locator('article[aria-busy="false"]').first().waitFor({ timeout: 60_000 });
    return;
  }
  await answer.locator("ol, ul").first().waitFor({ timeout: 60_000 });
  await answer.getByText("agent_start").waitFor({ timeout: 60_000 });
  if (until === "running") return;
  await page.getByRole("button", { name: /^(Stop|停止)$/ }).click();
  await page.getByText(/^(Stopped by you|你在)/).waitFor();
}
