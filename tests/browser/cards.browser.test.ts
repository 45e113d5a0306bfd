/** Cards in a conversation: when a fence is one, what a press sends, when it is locked, and all of it by keyboard. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import { newVisitor, openBrowser, type Watched } from "../support/browser.mts";
import { START_MS, startWebSite, type WebSite } from "../support/web-site.mts";
import { type WrittenAnswers, writeAnswers } from "../support/written-answers.mts";

const PATIENCE_MS = 60_000;
const CHOICE = { kind: "choice", prompt: "Open", options: [{ label: "one.ts" }, { label: "ev\u202Eil.ts" }] };
const SEVERAL = { ...CHOICE, multiple: true, submit: "Compare", options: ["a", "b", "c"].map((label) => ({ label })) };
const FORM = {
  kind: "form",
  prompt: "Plan",
  fields: [
    { label: "Subject", required: true },
    { label: "Depth", type: "select", options: ["Overview", "Every line"] },
  ],
};
const KV = { kind: "kv", title: "Facts", rows: [{ k: "<b>k</b>", v: "v" }] };
const TABLE = {
  kind: "table",
  columns: ["Tool", "Calls"],
  rows: ["b 10", "a 9", "c 100"].map((row) => row.split(" ")),
  sortable: true,
};
const TABS = {
  kind: "tabs",
  tabs: ["First", "Second", "Third"].map((label) => ({
    label,
    card: { v: 1, kind: "list", items: [{ text: `in ${label}` }] },
  })),
};

let browser: Browser;
let site: WebSite;
const open: Watched[] = [];

beforeAll(async () => {
  site = await startWebSite();
  browser = await openBrowser();
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});
afterEach(async () => {
  for (const visitor of open.splice(0)) await visitor.close();
});

describe("a fence of the answer", () => {
  it(
    "is a card for the first two of the final text, code before a tool call and from the third on",
    async () => {
      const { page, answers } = await asked();
      await answers.say(`${fence(KV)}\n\n`);
      await answers.call();
      await answers.say(["one", "two", "three"].map((title) => fence({ ...KV, title })).join("\n\n"));
      await answers.end();
      for (const name of ["one", "two"]) await page.getByRole("figure", { name }).waitFor();
      expect(await titles(page)).toEqual(["one", "two"]);
      expect(await page.locator("figure", { has: page.locator("pre", { hasText: '"three"' }) }).innerText()).toContain(
        "an answer shows 2 at most",
      );
      expect(await card(page, "one").locator("b").count()).toBe(0);
      expect(await card(page, "one").innerText()).toContain("<b>k</b>");
    },
    PATIENCE_MS,
  );

  it(
    "is three lines while it is being written, then a card; left open or wrong it is code",
    async () => {
      const { page, answers } = await asked();
      await answers.say(fence(KV).slice(0, -3));
      const writing = page.getByRole("figure").filter({ hasText: "Card is being written" });
      await writing.waitFor();
      await answers.say("```\n\n");
      await card(page, "Facts").waitFor();
      expect(await writing.count()).toBe(0);
      await answers.say('```xray-card\n{"v":1,"left":"open"');
      await writing.waitFor();
      await answers.end("stopped");
      await page.locator("pre", { hasText: '"left"' }).waitFor();
      expect(await writing.count()).toBe(0);
      expect(await titles(page)).toEqual(["Facts"]);

      await ask(page, answers);
      await answers.say(fence({ kind: "gauge" }));
      await answers.end();
      await page.getByText("xray-card: not a valid card, shown as text").waitFor();
    },
    PATIENCE_MS,
  );
});

describe("a choice", () => {
  it(
    "sends nothing while a turn runs, stays open when it was refused, and locks once it went",
    async () => {
      const { page, answers } = await asked();
      await answers.say(fence(CHOICE));
      const evil = page.getByRole("button", { name: "evil.ts" });
      await evil.waitFor();
      await evil.click({ force: true });
      expect(await evil.getAttribute("aria-disabled")).toBe("true");
      await answers.end();
      await idle(page);
      await page.locator("textarea").fill("a draft");

      await answers.refuse("slots_full");
      await evil.click();
      await page.getByRole("alert").getByText("All seats are taken").waitFor();
      expect(await page.getByRole("alert").getByRole("button").count()).toBe(0);
      expect(await pressed(page)).toEqual([null, null]);
      expect(await page.locator("textarea").inputValue()).toBe("a draft");

      await evil.press("Enter");
      await page.locator('[data-turn="2"]').waitFor();
      await answers.end();
      await idle(page);
      expect(await pressed(page)).toEqual(["false", "true"]);
      expect(await focused(page)).toContain("evil.ts");
      await page.getByRole("button", { name: "one.ts" }).click({ force: true });
      // What was shown is what was sent, and nothing else was.
      expect(await answers.asked()).toEqual(["?", "Open: evil.ts", "Open: evil.ts"]);
      expect(await page.locator("textarea").inputValue()).toBe("a draft");
    },
    PATIENCE_MS,
  );

  it(
    "of several is ticked by keyboard and sent once by its button, in the order of the card",
    async () => {
      const { page, answers } = await asked();
      await answers.say(fence(SEVERAL));
      await answers.end();
      await idle(page);
      const submit = page.getByRole("button", { name: "Compare" });
      expect(await submit.getAttribute("aria-disabled")).toBe("true");
      await submit.click({ force: true });
      await page.getByRole("checkbox", { name: "c" }).press("Space");
      await page.getByRole("checkbox", { name: "a" }).press("Space");
      await submit.dblclick();
      await page.locator('[data-turn="2"]').waitFor();
      expect(await answers.asked()).toEqual(["?", "Open: a、c"]);
      expect(await page.getByRole("button", { name: "Sent" }).getAttribute("aria-disabled")).toBe("true");
      await page.getByRole("checkbox", { name: "b" }).click({ force: true });
      expect(await page.getByRole("checkbox", { name: "b" }).isChecked()).toBe(false);
    },
    PATIENCE_MS,
  );
});

it(
  "a form waits for what it requires, sends what was filled in, and keeps it",
  async () => {
    const { page, answers } = await asked();
    await answers.say(fence(FORM));
    await answers.end();
    await idle(page);
    const submit = card(page, "Plan").getByRole("button", { name: "Send" });
    await page.getByLabel("Depth").selectOption("Every line");
    expect(await submit.getAttribute("aria-disabled")).toBe("true");
    await submit.click({ force: true });
    await page.getByLabel("Subject").fill("\u202E events ");
    await page.getByLabel("Subject").press("Enter");
    expect(await answers.asked()).toEqual(["?"]);
    await submit.press("Space");
    await page.locator('[data-turn="2"]').waitFor();
    expect(await answers.asked()).toEqual(["?", "Plan Subject: events; Depth: Every line"]);
    expect(await page.getByLabel("Subject").getAttribute("readonly")).toBe("");
    expect(await page.getByLabel("Depth").isDisabled()).toBe(true);
  },
  PATIENCE_MS,
);

it(
  "what is only looked at works by keyboard: order of a table, tabs, folding; an action fills the composer",
  async () => {
    const { page, answers } = await asked();
    await answers.say(`${fence(TABLE)}\n\n${fence(TABS)}`);
    await answers.end();
    await idle(page);
    const cells = () => page.locator("figure td:first-child").allInnerTexts();
    const calls = page.getByRole("button", { name: "Calls" });
    await calls.waitFor();
    const orders = [await cells()];
    for (const _ of ["ascending", "descending", "as written"]) {
      await calls.press("Enter");
      orders.push(await cells());
    }
    expect(orders.map((order) => order.join(""))).toEqual(["bac", "abc", "cba", "bac"]);

    const tab = (name: string) => page.getByRole("tab", { name });
    await tab("First").focus();
    const seen: string[] = [];
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End"]) {
      await page.keyboard.press(key);
      seen.push(`${await focused(page)}: ${await page.getByRole("tabpanel").innerText()}`);
    }
    expect(seen).toEqual(["Second", "Third", "First", "Third", "First", "Third"].map((name) => `${name}: in ${name}`));

    await ask(page, answers);
    await answers.say(fence({ ...KV, collapsed: true, action: { label: "more", ask: "Why <b>so</b>?" } }));
    await answers.end();
    await idle(page);
    const fold = page.getByRole("button", { name: "Facts" });
    const value = card(page, "Facts").getByRole("definition");
    await fold.waitFor();
    expect(await value.isVisible()).toBe(false);
    await fold.press("Enter");
    expect(await value.isVisible()).toBe(true);
    await page.getByRole("button", { name: "more" }).press("Enter");
    await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
    expect(await page.locator("textarea").inputValue()).toBe("Why <b>so</b>?");
    expect((await answers.asked()).length).toBe(2);
  },
  PATIENCE_MS,
);

function fence(fields: object): string {
  return `\`\`\`xray-card\n${JSON.stringify({ v: 1, ...fields })}\n\`\`\``;
}

async function visit(prepare?: (page: Page) => Promise<void>): Promise<Watched> {
  const visitor = await newVisitor(browser, { prepare });
  open.push(visitor);
  visitor.page.setDefaultTimeout(20_000);
  await visitor.page.goto(site.url);
  return visitor;
}

/** A page on which a question was asked, whose answer is the test's. */
async function asked(): Promise<{ page: Page; answers: WrittenAnswers }> {
  let answers: WrittenAnswers | undefined;
  const { page } = await visit(async (fresh) => {
    answers = await writeAnswers(fresh);
  });
  await ask(page, answers!);
  return { page, answers: answers! };
}

async function ask(page: Page, answers: WrittenAnswers): Promise<void> {
  const before = (await answers.asked()).length;
  await page.locator("textarea").fill("?");
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    (count) => (window as unknown as { answers: { asked(): string[] } }).answers.asked().length > count,
    before,
  );
}

/** No turn runs, and everything that was said is drawn. */
async function idle(page: Page): Promise<void> {
  await page.locator("[data-turn]").last().locator('article[aria-busy="false"]').last().waitFor();
  await page.locator("[data-card]").first().waitFor();
}

function card(page: Page, name: string): Locator {
  return page.getByRole("figure", { name, exact: true });
}

function titles(page: Page): Promise<(string | null)[]> {
  return page.locator("[data-card]").evaluateAll((cards) => cards.map((one) => one.getAttribute("aria-label")));
}

function pressed(page: Page): Promise<(string | null)[]> {
  return page
    .locator("[data-card] fieldset button")
    .evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-pressed")));
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? "");
}
