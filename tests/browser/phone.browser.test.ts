/** A made session on a phone and on paper, in both languages: nothing for axe to find, and nothing beside the page. */
import { afterAll, beforeAll, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { toolCatalogue } from "../../apps/api/tools/catalogue.ts";
import { pathsOf } from "../../cli/paths.mts";
import { buildWeb } from "../../cli/web-build.mts";
import { newVisitor, openBrowser } from "../support/browser.mts";
import { madeSession } from "../support/made-session.mts";
import { FED_SESSION, type SessionFeeder, startFeeder } from "../support/session-feeder.mts";
import type { WatchedProcess } from "../support/watched-process.mts";
import { START_MS, startWeb } from "../support/web-site.mts";

const AXE = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

let browser: Browser;
let feeder: SessionFeeder;
let web: WatchedProcess;
let url: string;

beforeAll(async () => {
  await buildWeb(pathsOf(), AbortSignal.timeout(START_MS), () => {});
  feeder = await startFeeder();
  feeder.store(madeSession({ turns: 2, trips: 3, blocked: true }));
  web = startWeb(feeder.url);
  url = await web.url();
  browser = await openBrowser();
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await web?.stop();
  await feeder?.close();
});

async function visit(language: "en" | "zh"): Promise<Page> {
  const { page } = await newVisitor(browser, { language, viewport: { width: 390, height: 800 } });
  await page.addInitScript((id) => sessionStorage.setItem("xr_session", id), FED_SESSION);
  await page.route("**/api/agent/tools", (route) => route.fulfill({ json: toolCatalogue() }));
  await page.goto(url);
  return page;
}

/** The line above the composer, which says the last event and opens the sheet. */
const traceLine = (page: Page) => page.getByRole("button", { name: "agent_settled" });

it.each(["en", "zh"] as const)(
  "gives axe nothing to find in the chat, the sheet and on paper: %s",
  async (language) => {
    const page = await visit(language);
    const found: string[] = [];
    const look = async (name: string) => {
      await page.evaluate(AXE);
      for (const finding of await page.evaluate(findings)) found.push(`${name}: ${finding}`);
    };
    await traceLine(page).waitFor();
    await look("chat");
    await traceLine(page).click();
    for (const place of [0, 1, 2, 3]) {
      const tab = page.getByRole("tab").nth(place);
      await tab.click();
      await page.getByRole("tabpanel").locator("p, [data-trace-row]").first().waitFor();
      await look((await tab.textContent())!);
    }
    await page.goto(`${url}/report`);
    await page.getByRole("article").waitFor();
    await look("paper");
    expect(found).toEqual([]);
  },
);

it("keeps the sheet, a replay and the drawer inside of the page down to 320 px", async () => {
  const page = await visit("en");
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 700 });
    await page.goto(url);
    await traceLine(page).click();
    await page.getByRole("button", { name: "replay" }).click();
    expect(endOf(await page.getByRole("button", { name: "to the present" }).boundingBox())).toBeLessThanOrEqual(width);
    expect((await page.getByRole("slider").boundingBox())!.width).toBeGreaterThan(width / 2);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Open sessions" }).click();
    const drawer = page.getByRole("dialog");
    const last = drawer.getByRole("link", { name: "With all events" });
    expect(endOf(await last.boundingBox())).toBeLessThanOrEqual(endOf(await drawer.boundingBox()));
  }
});

/** The right end of a box. */
const endOf = (box: { x: number; width: number } | null): number => box!.x + box!.width;

/** In the page: what axe finds, as `rule target`. */
async function findings(): Promise<string[]> {
  const { axe } = window as unknown as { axe: typeof import("axe-core") };
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(" ")}`));
}
