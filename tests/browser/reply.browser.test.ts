/**
 * What a reply may cost: no request to anyone but this site, whatever it says, and the style of what is new, however much
 * stands before it; and a first visit, few bytes.
 */
import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { agentImageAddress } from "../../shared/agent-image";
import { newVisitor, openBrowser } from "../support/browser.mts";
import { traceMainThread } from "../support/page-trace.mts";
import { weighPage } from "../support/page-weight.mts";
import { goOn, stageAnswer } from "../support/staged-answer.mts";
import { START_MS, startWebSite, type WebSite } from "../support/web-site.mts";

const PATIENCE_MS = 60_000;
const MADE = agentImageAddress("0f8fad5b-d9cb-469f-a165-70867728950e", "image/png");
/** Every way to name an address that Markdown has, and those of HTML. */
const LEAKY = `![a](https://third.example/a.png?q=secret) ![b](//third.example/b.png) ![c](http://third.example/c.svg)

![d][d] <img src="https://third.example/e.png"> <link rel="prefetch" href="https://third.example/f">

[g](https://third.example/g) https://third.example/h www.third.example <https://third.example/i>

<iframe src="https://third.example/j"></iframe> <style>@import "https://third.example/k.css"</style>

| ![l](https://third.example/l.png) | [![m](https://third.example/m.png)](https://third.example/n) |
|---|---|
| 1 | 2 |

![ours](${MADE})

[d]: https://third.example/d.png

The end.
`;

let browser: Browser;
let site: WebSite;
beforeAll(async () => {
  [site, browser] = await Promise.all([startWebSite(), openBrowser()]);
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

it(
  "a reply asks nothing of anyone else, while it arrives and when it is there; our own picture is asked for",
  async () => {
    const { page, origins, close } = await newVisitor(browser);
    await stageAnswer(page, { text: LEAKY, tokenChars: 7, tokensPerSecond: 100 });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(site.url);
    await page.locator("textarea").fill("Show me a picture.");
    await page.keyboard.press("Enter");
    await page.locator('[data-turn] article[aria-busy="false"]').last().waitFor({ timeout: PATIENCE_MS });
    await page.getByText("The end.").waitFor();
    // Pointing at a link, and reaching it by keyboard, are no clicks.
    for (const link of await page.locator('[data-turn] a[href*="third.example"]').all()) {
      await link.hover();
      await link.focus();
    }
    // Gone, as no session has it: its words are there.
    await page.getByText("No longer here: ours").waitFor();
    expect(asked).toContain(MADE);
    expect([...origins]).toEqual([new URL(site.url).origin]);
    expect(await page.locator("[data-turn] img").count()).toBe(0);
    expect(await page.locator('[data-turn] a[href*="third.example"]').count()).toBeGreaterThan(6);

    // The log sees what a page does ask for.
    await page.evaluate(() => fetch("https://third.example/x").catch(() => {}));
    await page.evaluate(
      () =>
        new Promise<void>((done) => {
          const picture = document.body.appendChild(new Image());
          picture.onerror = () => done();
          picture.src = "https://third.example/y.png";
        }),
    );
    expect([...origins].length + asked.filter((path) => path === "/x" || path === "/y.png").length).toBeGreaterThan(1);
    await close();
  },
  PATIENCE_MS,
);

it(
  "what a long answer still gets, and its end, is styled; what stood there before is not styled again",
  async () => {
    const head = "## A part\n\nSome *words*.\n\n- an item\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n".repeat(60);
    const { page, close } = await newVisitor(browser);
    await stageAnswer(page, { head, text: "The *last* words.", held: true, tokenChars: 4, tokensPerSecond: 100 });
    await page.goto(site.url);
    await page.locator("textarea").fill("Tell me everything.");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll("[data-turn] table").length === 60);
    await page.evaluate(() => new Promise<void>((done) => requestIdleCallback(() => done())));
    const standing = await page.locator("[data-turn] *").count();
    const traced = await traceMainThread(page, ["devtools.timeline"]);
    await goOn(page);
    await page.locator('[data-turn] article[aria-busy="false"]').last().waitFor({ timeout: PATIENCE_MS });
    // The acts of the turn have been drawn.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const styled = (await traced()).flatMap(({ name, args }) =>
      name === "UpdateLayoutTree" ? [Number(args?.elementCount)] : [],
    );
    expect(standing).toBeGreaterThan(900);
    expect(styled.length).toBeGreaterThan(0);
    expect(Math.max(...styled)).toBeLessThan(standing / 4);
    await close();
  },
  PATIENCE_MS,
);

it(
  "the first visit to the Runtime page brings at most 200 KB of JavaScript, and of fonts, and opens nothing it can do without",
  async () => {
    const { page, close } = await newVisitor(browser);
    // Each of these can hold a page up, and a landing shows nothing that needs one.
    await page.addInitScript(() => {
      const opened: string[] = [];
      Object.assign(window, { opened });
      const spied = [[Intl, "Segmenter"] as const, [window, "localStorage"] as const];
      for (const [owner, name] of spied) {
        const own = Object.getOwnPropertyDescriptor(owner, name)!;
        Object.defineProperty(owner, name, {
          configurable: true,
          get() {
            opened.push(name);
            return own.get === undefined ? own.value : own.get.call(owner);
          },
        });
      }
    });
    const { script, font } = await weighPage(page, site.url);
    expect(script).toBeGreaterThan(100_000);
    expect(script).toBeLessThanOrEqual(200 * 1_024);
    expect(font).toBeLessThanOrEqual(200 * 1_024);
    const opened = () => page.evaluate(() => (window as unknown as { opened: string[] }).opened);
    await whenListening(page);
    expect(await opened()).toEqual([]);
    // What single keys do is asked with the first one.
    await page.keyboard.press("?");
    expect(await opened()).toContain("localStorage");
    await close();
  },
  PATIENCE_MS,
);

/** The page hears keys: React has taken over its elements, and what it does after that is done. */
async function whenListening(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("textarea")!).some((key) => key.startsWith("__reactProps")),
  );
  await page.evaluate(() => new Promise<void>((done) => requestIdleCallback(() => setTimeout(done))));
}
