/**
 * A browser keeps at most six connections to a site over HTTP/1.1, for all its pages together. A page that is hidden,
 * or has caught up and waits, gives its streams back; so seven pages work, and an answer is whole when its page is seen
 * again, whichever page asked.
 */
import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { type Watched, newVisitor, openBrowser } from "../../../../tests/support/browser.mts";
import { START_MS, startWebSite, type WebSite } from "../../../../tests/support/web-site.mts";

const PATIENCE_MS = 120_000;
const WAIT_MS = 50_000;
const PAGES = 7;
const QUESTION = "Which notes do you have?";

let browser: Browser;
let site: WebSite;
let visitor: Watched;
beforeAll(async () => {
  site = await startWebSite({ limits: { visitorTurnsAtOnce: PAGES, networkTurnsAtOnce: PAGES } });
  browser = await openBrowser();
  visitor = await newVisitor(browser);
}, START_MS);
afterAll(async () => {
  await visitor?.close();
  await browser?.close();
  await site?.stop();
}, START_MS);

/** Seven new pages of the one browser, each of which will have its own session. */
function openPages(): Promise<Page[]> {
  return Promise.all(
    Array.from({ length: PAGES }, async () => {
      const page = await visitor.page.context().newPage();
      page.setDefaultTimeout(WAIT_MS);
      await page.goto(site.url);
      return page;
    }),
  );
}

async function ask(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(QUESTION);
  await page.keyboard.press("Enter");
}

const settled = (page: Page) => page.locator("[data-trace-row]").filter({ hasText: "agent_settled" }).first().waitFor();
const answerOf = async (page: Page) => {
  await page
    .getByRole("button", { name: /model round trip/ })
    .first()
    .waitFor();
  const answer = page.getByRole("article", { name: "Agent" });
  // As it was written first, as it is drawn once the parser is there.
  await answer.getByRole("link").first().waitFor();
  return answer.innerText();
};

/** What a page does when its tab is covered or shown again. */
const show = (page: Page, state: "visible" | "hidden") =>
  page.evaluate((next) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => next });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);

it(
  "six streams that stay open leave nothing for a seventh page: so many connections has a browser",
  async () => {
    const page = visitor.page;
    await page.goto(site.url);
    await ask(page);
    await settled(page);
    const answered = await page.evaluate(async () => {
      const id = sessionStorage.getItem("xr_session");
      const open = (n: number) => fetch(`/api/trace/stream?sessionId=${id}&clientId=held${n}`);
      const held = await Promise.all([0, 1, 2, 3, 4, 5].map(open));
      const more = await Promise.race([
        fetch("/api/site/status").then(() => "answered"),
        new Promise((resolve) => setTimeout(resolve, 1_500, "waits")),
      ]);
      await Promise.all(held.map((stream) => stream.body!.cancel()));
      return more;
    });
    expect(answered).toBe("waits");
  },
  PATIENCE_MS,
);

it(
  "seven pages ask at once, three of them are hidden meanwhile, and each shows the whole answer and its trace",
  async () => {
    const pages = await openPages();
    for (const [index, page] of pages.entries()) {
      await ask(page);
      await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
      if (index < 3) await show(page, "hidden");
    }
    const answers = await Promise.all(
      pages.toReversed().map(async (page) => {
        await show(page, "visible");
        await settled(page);
        return (await answerOf(page)).replaceAll(/\d+(?:\.\d+)? m?s/g, "");
      }),
    );
    expect(answers[0]).toContain("Name a chapter and I will read it.");
    expect(answers).toEqual(Array(PAGES).fill(answers[0]));
  },
  PATIENCE_MS,
);

it(
  "what one page asks in a session, another page of it shows once it is seen, or as soon as it asks too",
  async () => {
    const context = visitor.page.context();
    const [shown, other] = [await context.newPage(), await context.newPage()];
    const questions = (page: Page) => page.getByRole("article", { name: "You" }).filter({ hasText: QUESTION });
    for (const page of [shown, other]) page.setDefaultTimeout(WAIT_MS);
    await shown.goto(site.url);
    await ask(shown);
    await settled(shown);
    const id = await shown.evaluate(() => sessionStorage.getItem("xr_session"));
    await other.addInitScript((session) => sessionStorage.setItem("xr_session", session!), id);
    await other.goto(site.url);
    await settled(other);
    await show(shown, "hidden");
    await ask(other);
    await other
      .getByRole("button", { name: /model round trip/ })
      .nth(1)
      .waitFor();
    await show(shown, "visible");
    await shown
      .getByRole("button", { name: /model round trip/ })
      .nth(1)
      .waitFor();
    // A page that was never hidden has not looked, and learns of it from the number of its own question.
    await ask(shown);
    await shown
      .getByRole("button", { name: /model round trip/ })
      .nth(2)
      .waitFor();
    await ask(other);
    await other
      .getByRole("button", { name: /model round trip/ })
      .nth(3)
      .waitFor();
    expect([await questions(shown).count(), await questions(other).count()]).toEqual([3, 4]);
  },
  PATIENCE_MS,
);
