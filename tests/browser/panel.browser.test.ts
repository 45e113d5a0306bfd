/**
 * The four pictures of the panel on the built pages, over a made session: chosen by keyboard and kept, the chain stepped
 * and joined to its row, a replay in all of them, and nothing for a screen reader to trip over.
 */
import { afterAll, beforeAll, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { toolCatalogue } from "../../apps/api/tools/catalogue.ts";
import { pathsOf } from "../../cli/paths.mts";
import { buildWeb } from "../../cli/web-build.mts";
import { newVisitor, openBrowser, type Watched } from "../support/browser.mts";
import { madeSession } from "../support/made-session.mts";
import { FED_SESSION, type SessionFeeder, startFeeder } from "../support/session-feeder.mts";
import type { WatchedProcess } from "../support/watched-process.mts";
import { START_MS, startWeb } from "../support/web-site.mts";

const AXE = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const PHONE = 390;
const SESSION = madeSession({ turns: 2, trips: 3, blocked: true });

let browser: Browser;
let feeder: SessionFeeder;
let web: WatchedProcess;
let url: string;
/** One page for all tests, each of which opens the session anew in the picture that a new tab shows. */
let visitor: Watched;

beforeAll(async () => {
  await buildWeb(pathsOf(), AbortSignal.timeout(START_MS), () => {});
  feeder = await startFeeder();
  feeder.store(SESSION);
  web = startWeb(feeder.url);
  url = await web.url();
  browser = await openBrowser();
  visitor = await newVisitor(browser);
  const { page } = visitor;
  await page.addInitScript((id) => sessionStorage.setItem("xr_session", id), FED_SESSION);
  await page.route("**/api/agent/tools", (route) => route.fulfill({ json: toolCatalogue() }));
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await web?.stop();
  await feeder?.close();
});

async function visit(width = 1440): Promise<Page> {
  const { page } = visitor;
  await page.setViewportSize({ width, height: 900 });
  if (page.url().startsWith(url)) await page.evaluate(() => sessionStorage.removeItem("xr_panel"));
  await page.goto(url);
  await page
    .locator(width === PHONE ? "main [data-turn]" : "[data-trace-turn]")
    .last()
    .waitFor();
  return page;
}

const tab = (page: Page, name: string) => page.getByRole("tab", { name });
const picture = (page: Page) => page.getByRole("tabpanel");

it("moves between the four pictures with the arrow keys, round the ends, and keeps the choice over a reload", async () => {
  const page = await visit();
  await tab(page, "Timeline").focus();
  const chosen: (string | null)[] = [];
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "ArrowRight"]) {
    await page.keyboard.press(key);
    chosen.push(await page.locator('[role="tab"][aria-selected="true"]:focus').textContent());
  }
  expect(chosen).toEqual(["Chain", "Lifecycle", "Tools", "Timeline", "Tools", "Timeline", "Chain"]);
  await page.reload();
  await picture(page).getByText("handlers, in the order they were registered").waitFor();
  expect(await page.locator("[data-trace-turn]").count()).toBe(0);
});

it("steps the chain from one asked event to the next, says what a recording lacks, and leads to the row", async () => {
  const page = await visit();
  await tab(page, "Chain").click();
  const panel = picture(page);
  const stopped = SESSION.rows.findLast(({ eventType }) => eventType === "tool_call")!;
  await panel.getByRole("article", { name: "tool_call" }).getByText(`· seq ${stopped.seq}`).waitFor();
  expect(await panel.getByRole("listitem").allInnerTexts()).toEqual([
    expect.stringContaining("skill_run"),
    expect.stringMatching(/xray-guard\s+stopped it\s+block true\s+reason "no such script"/),
    "the tool was not started; the model gets the reason as an error result",
  ]);
  await panel.getByText("Which handlers were registered was not recorded").waitFor();
  await panel.getByRole("button", { name: "Event before" }).focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await panel.getByRole("article", { name: "before_agent_start" }).waitFor();
  await panel.getByText("changed it").waitFor();
  await panel.getByRole("button", { name: "show in timeline" }).click();
  expect(await page.locator("[data-trace-row]:focus").innerText()).toContain("before_agent_start");
});

it("replays: all pictures show the same event, the chat stays, and leaving shows the present", async () => {
  const page = await visit();
  const rows = SESSION.rows;
  await page.getByRole("button", { name: "replay" }).click();
  const slider = page.getByRole("slider", { name: "Event shown" });
  await slider.press("Home");
  for (let step = 0; step < 5; step += 1) await slider.press("ArrowRight");
  const reached = rows[5]!;
  expect(await slider.getAttribute("aria-valuetext")).toBe(`event 6 of ${total(rows)}, turn 1, ${reached.eventType}`);
  expect(await page.locator("[data-trace-turn] [data-trace-row]").last().innerText()).toContain(reached.eventType);
  expect(await page.locator("[data-turn]").count()).toBe(2);
  await tab(page, "Lifecycle").click();
  const here = picture(page).locator("li[data-here]");
  expect(await here.textContent()).toContain(reached.eventType);
  await page.getByRole("button", { name: "One event back" }).click();
  expect(await here.textContent()).toContain(rows[4]!.eventType);
  await page.getByRole("button", { name: "to the present" }).click();
  expect(await here.textContent()).toContain("agent_settled");
});

it("shows the catalogue with its bounds in words and the calls of the session", async () => {
  const page = await visit();
  await tab(page, "Tools").click();
  const tool = picture(page).getByRole("button", { name: /^notes_search/ });
  expect(await tool.locator(".num").innerText()).toStartWith("2");
  await tool.click();
  expect(await picture(page).getByRole("rowheader").count()).toBeGreaterThan(0);
});

it("has the same pictures in the sheet of a phone, where the map is a line, and steps through them", async () => {
  const page = await visit(PHONE);
  await page.getByRole("button", { name: "Open the trace" }).click();
  await tab(page, "Lifecycle").click();
  await picture(page).getByRole("listitem").last().waitFor();
  expect(await page.locator("svg[viewBox='0 0 648 640']").isVisible()).toBe(false);
  expect(await picture(page).getByRole("listitem").count()).toBe(14);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE);
  await page.getByRole("button", { name: "replay" }).click();
  const slider = page.getByRole("slider", { name: "Event shown" });
  await slider.press("Home");
  const asked = SESSION.rows.slice(1, 13).map(({ eventType }) => eventType);
  const reached: string[] = [];
  for (const _ of asked) {
    await page.getByRole("button", { name: "One event on" }).click();
    reached.push((await slider.getAttribute("aria-valuetext"))!.split(", ").at(-1)!);
  }
  expect(reached).toEqual(asked);
});

it("gives axe nothing to find in any picture, nor in a replay", async () => {
  const page = await visit();
  await page.addScriptTag({ content: AXE });
  for (const name of ["Chain", "Lifecycle", "Tools", "Timeline"]) {
    await tab(page, name).click();
    if (name !== "Timeline") await picture(page).locator("p").first().waitFor();
    expect([name, ...(await page.evaluate(findings))]).toEqual([name]);
  }
  await page.getByRole("button", { name: "replay" }).click();
  expect(await page.evaluate(findings)).toEqual([]);
});

const total = (rows: typeof SESSION.rows): number =>
  rows.reduce((sum, { data }) => sum + (typeof data.mergedCount === "number" ? data.mergedCount : 1), 0);

/** In the page: what axe finds, as `rule target`. */
async function findings(): Promise<string[]> {
  const { axe } = window as unknown as { axe: typeof import("axe-core") };
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(" ")}`));
}
