/** What a visitor does with a conversation beside reading it: write, copy, ask again, search, save, by hand and by key. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import type { Browser, Download, Page } from "playwright-core";
import { newVisitor, openBrowser, type VisitorOptions, type Watched } from "../support/browser.mts";
import { QUICK, START_MS, startWebSite, type WebSite } from "../support/web-site.mts";

const PATIENCE_MS = 120_000;
const WAIT_MS = 50_000;
const AXE = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
/** One tool call and a short answer. */
const QUESTION = "Which notes do you have?";
const OTHER_QUESTION = "Which skills do you have?";

let browser: Browser;
let site: WebSite;
const open: Watched[] = [];

beforeAll(async () => {
  site = await startWebSite({ limits: QUICK });
  browser = await openBrowser();
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});
afterEach(async () => {
  for (const visitor of open.splice(0)) await visitor.close();
});

async function visit(options: VisitorOptions = {}, path = "/"): Promise<Page> {
  const visitor = await newVisitor(browser, options);
  open.push(visitor);
  visitor.page.setDefaultTimeout(WAIT_MS);
  await visitor.page.goto(site.url + path);
  return visitor.page;
}

describe("what is written and not sent", () => {
  it(
    "survives a reload in its own session, and is gone once it was sent",
    async () => {
      const page = await visit();
      await field(page).fill("a new thought");
      await page.reload();
      await untilField(page, "a new thought");

      await ask(page, QUESTION);
      await field(page).fill("a second thought");
      await page.getByRole("button", { name: "New session" }).click();
      await untilField(page, "");
      await field(page).fill("elsewhere");
      // Its conversation does not come before the reload.
      await page.route("**/api/agent/sessions/*", () => {}, { times: 1 });
      await page.getByRole("complementary").getByRole("listitem").getByRole("button").first().click();
      await untilField(page, "a second thought");
      await page.reload();
      await untilField(page, "a second thought");

      await field(page).fill("");
      await page.getByRole("button", { name: "New session" }).click();
      await untilField(page, "elsewhere");
      await field(page).fill("");
      expect(await storageOf(page)).not.toHaveProperty("xr_drafts");
    },
    PATIENCE_MS,
  );

  it(
    "is a draft only where the visitor wrote it: a question from a link changes no storage until it is edited",
    async () => {
      const page = await visit();
      await page.getByRole("button", { name: "Send" }).waitFor();
      const before = await storageOf(page);
      await page.goto(`${site.url}/?ask=from%20a%20link`);
      await untilField(page, "from a link");
      expect(await storageOf(page)).toEqual(before);
      await page.reload();
      await page.getByRole("button", { name: "Send" }).waitFor();
      expect(await field(page).inputValue()).toBe("");

      await page.goto(`${site.url}/?ask=from%20a%20link`);
      await untilField(page, "from a link");
      await field(page).press("End");
      await field(page).pressSequentially(", edited");
      await page.reload();
      await untilField(page, "from a link, edited");
    },
    PATIENCE_MS,
  );
});

describe("a turn that is over", () => {
  it(
    "gives its answer as Markdown, and is asked again as a new message that can be edited first",
    async () => {
      const page = await visit({ permissions: ["clipboard-read", "clipboard-write"] });
      await ask(page, QUESTION);
      const { messages } = await storedSession(page);
      await page.getByRole("button", { name: "Copy answer" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(messages[1].content);

      await page.getByRole("button", { name: "Edit and ask again" }).click();
      await untilField(page, QUESTION);
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
      await page.getByText("Goes out as a new message, the old one stays").waitFor();
      expect(await storageOf(page)).not.toHaveProperty("xr_drafts");
      await field(page).press("End");
      await field(page).pressSequentially(" Please.");
      await field(page).press("Enter");
      await answered(page, 2);
      const asked = (await storedSession(page)).messages.filter(({ role }) => role === "user");
      expect(asked.map(({ content }) => content)).toEqual([QUESTION, `${QUESTION} Please.`]);
      expect(await page.getByRole("button", { name: "Edit and ask again" }).count()).toBe(1);
    },
    PATIENCE_MS,
  );

  it(
    "opens its steps under the hand of a reader at the end",
    async () => {
      const page = await visit({ viewport: { width: 390, height: 900 } });
      await ask(page, QUESTION);
      await page.reload();
      const fold = page.getByRole("button", { name: /model round trips/ });
      await fold.waitFor();
      await frames(page, 4);
      // At the end, so that whatever grows would push the fold up.
      expect(await page.getByRole("button", { name: "To the end" }).count()).toBe(0);
      for (const open of ["true", "false", "true"]) {
        const before = (await fold.boundingBox())!.y;
        await fold.click();
        expect(await fold.getAttribute("aria-expanded")).toBe(open);
        await frames(page, 4);
        expect(Math.abs((await fold.boundingBox())!.y - before)).toBeLessThanOrEqual(1);
      }
    },
    PATIENCE_MS,
  );
});

describe("one's own sessions", () => {
  it(
    "are saved as what the site stored, under a name that leads nowhere",
    async () => {
      const page = await visit();
      await ask(page, QUESTION);
      const stored = await storedSession(page);
      const json = await saved(page, "JSON");
      const { session, messages } = stored;
      expect(JSON.parse(json.text)).toEqual({ session, messages });
      const markdown = await saved(page, "Markdown");
      expect(markdown.text).toContain(`> ${QUESTION}`);
      expect(markdown.text.replaceAll(/^> /gm, "")).toContain(messages[1].content);
      expect([json.name, markdown.name]).toEqual([
        expect.stringMatching(/^agent-x-ray-[\p{L}\p{N}-]+\.json$/u),
        expect.stringMatching(/^agent-x-ray-[\p{L}\p{N}-]+\.md$/u),
      ]);
    },
    PATIENCE_MS,
  );

  it(
    "are searched by key: titles of all, messages of those that were open, and a found message is shown",
    async () => {
      const page = await visit();
      await ask(page, QUESTION);
      await page.getByRole("button", { name: "New session" }).click();
      await ask(page, OTHER_QUESTION);
      await page.keyboard.press("Control+k");
      expect(await page.evaluate(() => document.activeElement?.getAttribute("type"))).toBe("search");
      await page.keyboard.type("which NOTES");
      const list = page.getByRole("complementary");
      expect(await list.locator("mark").allInnerTexts()).toContain("Which notes");
      expect(await list.getByText("messages of sessions opened in this tab").count()).toBe(1);
      const place = list.locator("[data-hit]", { hasText: /^You/ });
      expect(await place.count()).toBe(1);
      await page.keyboard.press("ArrowDown");
      while (!(await place.evaluate((hit) => hit === document.activeElement))) await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForFunction((question) => document.activeElement?.textContent === question, QUESTION);

      await page.keyboard.press("Control+k");
      await page.getByRole("searchbox").fill("no such words");
      await list.getByText("Nothing found.").waitFor();
      await page.keyboard.press("Escape");
      expect(await list.getByRole("listitem").count()).toBe(2);
    },
    PATIENCE_MS,
  );
});

describe("the keys", () => {
  it(
    "are shown by ?, which is a letter where text is typed, and can be turned off for good",
    async () => {
      const page = await visit();
      await page.getByRole("button", { name: "Send" }).waitFor();
      await field(page).pressSequentially("why?");
      expect(await page.getByRole("dialog").count()).toBe(0);
      await leaveField(page);
      await page.keyboard.press("?");
      const sheet = page.getByRole("dialog", { name: "Keyboard" });
      await sheet.waitFor();
      await page.evaluate(AXE);
      expect(await page.evaluate(findings)).toEqual([]);
      // What lies over the page keeps its keys.
      await page.keyboard.press("n");
      expect(await field(page).inputValue()).toBe("why?");
      await sheet.getByRole("checkbox").uncheck();
      await page.keyboard.press("Escape");
      await sheet.waitFor({ state: "detached" });

      await page.reload();
      await untilField(page, "why?");
      await page.keyboard.press("?");
      await page.keyboard.press("/");
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
      await page.getByRole("button", { name: "Keyboard" }).click();
      await sheet.getByRole("checkbox").check();
      await page.keyboard.press("Escape");
      await sheet.waitFor({ state: "detached" });
      await page.waitForFunction(() => document.activeElement?.textContent === "Keyboard");
      await page.keyboard.press("/");
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
    },
    PATIENCE_MS,
  );
});

describe("on a phone", () => {
  it(
    "the composer stays above an on-screen keyboard, also where the page is not made smaller",
    async () => {
      const page = await visit({ viewport: { width: 320, height: 640 } });
      await page.getByRole("button", { name: "Send" }).waitFor();
      await field(page).focus();
      // What Safari does: the page keeps its height, the part that is seen does not.
      await page.evaluate(() => {
        Object.defineProperty(visualViewport, "height", { configurable: true, value: 340 });
        visualViewport!.dispatchEvent(new Event("resize"));
      });
      const bottom = () => page.getByRole("button", { name: "Send" }).boundingBox();
      await page.waitForFunction(() => document.querySelector("form")!.getBoundingClientRect().bottom <= 340);
      expect((await bottom())!.y).toBeGreaterThan(0);
      await page.evaluate(() => {
        delete (visualViewport as unknown as { height?: number }).height;
        visualViewport!.dispatchEvent(new Event("resize"));
      });
      await page.waitForFunction(() => document.documentElement.style.getPropertyValue("--keyboard") === "");

      // What Chrome does: the page itself gets smaller.
      await page.setViewportSize({ width: 320, height: 340 });
      await page.waitForFunction(() => document.querySelector("form")!.getBoundingClientRect().bottom <= 340);
      expect(await page.getByRole("navigation").last().isVisible()).toBe(false);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    },
    PATIENCE_MS,
  );

  it(
    "search and saving are in the drawer",
    async () => {
      const page = await visit({ viewport: { width: 390, height: 800 } });
      await ask(page, QUESTION);
      await leaveField(page);
      await page.keyboard.press("Control+k");
      const drawer = page.getByRole("dialog", { name: "Sessions" });
      await drawer.waitFor();
      await page.waitForFunction(() => document.activeElement?.getAttribute("type") === "search");
      await page.evaluate(AXE);
      expect(await page.evaluate(findings)).toEqual([]);
      expect((await saved(page, "Markdown")).text).toContain(QUESTION);
    },
    PATIENCE_MS,
  );
});

const field = (page: Page) => page.getByLabel("Message", { exact: true });

async function ask(page: Page, question: string): Promise<void> {
  await field(page).fill(question);
  await field(page).press("Enter");
  await answered(page, 1);
}

/** The answer is complete, and the list knows of it. */
async function answered(page: Page, turn: number): Promise<void> {
  await page.locator(`[data-turn="${turn}"] article[aria-busy="false"]`).last().waitFor();
  await page.locator(`[data-turn="${turn}"] [role="group"]`).waitFor();
}

async function untilField(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelector("textarea")?.value === wanted, text);
}

function leaveField(page: Page): Promise<void> {
  return page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
}

async function frames(page: Page, count: number): Promise<void> {
  await page.evaluate(async (wanted) => {
    for (let frame = 0; frame < wanted; frame++) await new Promise(requestAnimationFrame);
  }, count);
}

function storageOf(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => ({ ...sessionStorage, ...localStorage }));
}

interface Stored {
  session: object;
  messages: { role: string; content: string }[];
}

function storedSession(page: Page): Promise<Stored & { messages: [unknown, { content: string }] }> {
  return page.evaluate(async () => {
    const answer = await fetch(`/api/agent/sessions/${sessionStorage.getItem("xr_session")}`);
    return answer.json();
  });
}

async function saved(page: Page, format: string): Promise<{ name: string; text: string }> {
  const download = new Promise<Download>((resolve) => page.once("download", resolve));
  await page.getByRole("button", { name: `Save this session as ${format}` }).click();
  const file = await download;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

/** In the page: what axe finds, as `rule target`. */
async function findings(): Promise<string[]> {
  const { axe } = window as unknown as { axe: typeof import("axe-core") };
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(" ")}`));
}
