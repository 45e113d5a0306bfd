/**
 * The recorded session of `rounds/008-panel.md` on the built pages, by keyboard alone: from a row to its handlers and
 * back, from a row to the chat that has it folded away, into a replay and out of it.
 */
import { afterAll, beforeAll, expect, it, setDefaultTimeout } from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import { pathsOf } from "../../cli/paths.mts";
import { buildWeb } from "../../cli/web-build.mts";
import recorded from "../fixtures/panel-session.json";
import { newVisitor, openBrowser } from "../support/browser.mts";
import type { MadeSession } from "../support/made-session.mts";
import { FED_SESSION, type SessionFeeder, startFeeder } from "../support/session-feeder.mts";
import type { WatchedProcess } from "../support/watched-process.mts";
import { START_MS, startWeb } from "../support/web-site.mts";

setDefaultTimeout(60_000);

let feeder: SessionFeeder;
let web: WatchedProcess;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  await buildWeb(pathsOf(), AbortSignal.timeout(START_MS), () => {});
  feeder = await startFeeder();
  feeder.store(recorded as unknown as MadeSession);
  web = startWeb(feeder.url);
  browser = await openBrowser();
  ({ page } = await newVisitor(browser));
  await page.addInitScript((id) => sessionStorage.setItem("xr_session", id), FED_SESSION);
  await page.goto(await web.url());
  await page.locator("[data-turn='2'] [data-trace-row]").first().waitFor();
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await web?.stop();
  await feeder?.close();
});

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
/** Waits until the focus is on an element of these words. */
const focusOn = (words: string) => page.locator(":focus").filter({ hasText: words }).waitFor();

it("leads from a blocked call to who looked at it, and back to its row", async () => {
  await page.locator('[data-turn="1"] [data-trace-row="tool-call-43"]').scrollIntoViewIfNeeded();
  await page.locator('[data-trace-row="event-44"]').focus();
  await press("Tab", "Tab", "Tab");
  await focusOn("show its handlers");
  await press("Enter");
  await focusOn("show in timeline");
  expect(await page.getByRole("tabpanel").getByRole("listitem").allInnerTexts()).toEqual([
    expect.stringContaining("word_cloud.py"),
    expect.stringMatching(/^xray-skills\s+does not listen to this event$/),
    expect.stringMatching(/^xray-guard\s+stopped it\s+block true\s+reason "That skill has no such script/),
    "the tool was not started; the model gets the reason as an error result",
  ]);
  await press("Enter");
  await focusOn("blocked by xray-guard");
});

it("opens the steps of an answer for the row that is shown in the chat", async () => {
  expect(
    await page.locator('[data-turn="1"] article button[aria-expanded]').first().getAttribute("aria-expanded"),
  ).toBe("false");
  await press("l");
  await page.locator('li[data-link="0:call-43"]:focus').waitFor();
});

it("takes the focus into a replay and out of it", async () => {
  await page.getByRole("button", { name: "replay" }).focus();
  await press("Enter");
  await page.getByRole("slider", { name: "Event shown" }).and(page.locator(":focus")).waitFor();
  await press("Home", "ArrowRight");
  await page.getByText("event 2 of 233").waitFor();
  await press("Tab", "Tab");
  await focusOn("to the present");
  await press("Enter");
  await focusOn("replay");
});

it("keeps the reader's place over another picture, a filter and a question", async () => {
  await page.reload();
  await page.locator("[data-turn='2'] [data-trace-row]").first().waitFor();
  const top = () => page.locator("main").evaluate((stage) => Math.round(stage.scrollTop));
  /** The scroller stands still again. */
  const settled = async () => {
    for (let before = -1, now = await top(); before !== now; now = await top()) {
      before = now;
      await page.waitForTimeout(300);
    }
    return top();
  };
  // A mouse, not an element's click, which would scroll a head that sticks "into view".
  const pressAt = async (target: Locator) => {
    const { x, y, width, height } = (await target.boundingBox())!;
    await page.mouse.click(x + width / 2, y + height / 2);
  };
  const end = await settled();
  await page.mouse.move(1_100, 500);
  await page.mouse.wheel(0, -700);
  const place = await settled();
  expect(place).toBeLessThan(end);

  await pressAt(page.getByRole("tab", { name: "Lifecycle" }));
  await page.getByRole("tabpanel").waitFor();
  await pressAt(page.getByRole("tab", { name: "Timeline" }));
  expect(await settled()).toBe(place);

  await page.getByRole("textbox", { name: "Filter by name" }).fill("tool");
  const filtered = await settled();
  await pressAt(page.getByRole("button", { name: /show all/ }));
  expect(await settled()).toBe(filtered);

  const askWhy = page.locator("[data-trace-turn]").getByRole("button", { name: "ask why" }).first();
  await askWhy.evaluate((act) => act.scrollIntoView({ block: "center" }));
  const reading = await settled();
  await pressAt(askWhy);
  await page.locator("textarea:focus").waitFor();
  expect(await settled()).toBe(reading);
});
