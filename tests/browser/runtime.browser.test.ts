/** A visitor's first minutes on the real site: seeded database, offline demo, pages behind the web port, Chromium. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import { newVisitor, openBrowser, type VisitorOptions, type Watched } from "../support/browser.mts";
import { QUICK, START_MS, startWebSite, type WebSite } from "../support/web-site.mts";

/** A test that runs out of time takes the browser with it, so a single wait gives up first. */
const PATIENCE_MS = 120_000;
const WAIT_MS = 50_000;
const FIRST_QUESTION = "What happens between my message and your first word?";
/** One tool call and a short answer. */
const SHORT_QUESTION = "Which notes do you have?";

let browser: Browser;
let site: WebSite;
/** Writes at the pace of a reader, one answer at a time. */
let unhurried: WebSite;
const open: Watched[] = [];

beforeAll(async () => {
  [site, unhurried, browser] = await Promise.all([
    startWebSite({ limits: QUICK }),
    startWebSite({ limits: { activeSessions: 1 } }),
    openBrowser(),
  ]);
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await Promise.all([site?.stop(), unhurried?.stop()]);
});
afterEach(async () => {
  for (const visitor of open.splice(0)) {
    // A turn that is left running would hold the only seat.
    await stopTurn(visitor.page);
    await visitor.close();
  }
}, PATIENCE_MS);

async function visit(path = "/", options: VisitorOptions = {}, at = site): Promise<Watched> {
  const visitor = await newVisitor(browser, options);
  open.push(visitor);
  visitor.page.setDefaultTimeout(WAIT_MS);
  await visitor.page.goto(at.url + path);
  return visitor;
}

/** Where an answer takes its time, for whoever wants to disturb it. */
const visitUnhurried = (options?: VisitorOptions) => visit("/", options, unhurried);

describe("a newcomer", () => {
  it(
    "chooses a question and sees the answer, its steps and its X-ray, and nothing leaves this machine",
    async () => {
      const { page, origins, complaints } = await visit();
      await page.getByLabel("Message").fill("half a thought");
      await page.getByRole("button", { name: FIRST_QUESTION }).click();
      await answered(page);
      expect(await page.getByLabel("Message").inputValue()).toBe("half a thought");

      const answer = page.getByRole("article", { name: "Agent" });
      expect(await answer.getByRole("listitem").filter({ hasText: "before_agent_start" }).count()).toBeGreaterThan(0);
      const steps = answer.getByRole("list", { name: "Steps of this turn" });
      expect(await steps.getByRole("button").allInnerTexts()).toEqual(
        expect.arrayContaining([expect.stringContaining("notes_search"), expect.stringContaining("notes_get_chapter")]),
      );
      expect(await answer.getByRole("button", { expanded: true }).first().innerText()).toMatch(
        /^3 model round trips · 3 tool calls · \d/,
      );
      const rows = page.locator("[data-trace-row]");
      expect(await rows.filter({ hasText: "notes_search" }).count()).toBe(1);
      expect(await rows.filter({ hasText: "agent_settled" }).count()).toBe(1);
      const readouts = await page.getByRole("region", { name: "This session" }).innerText();
      expect(readouts.replaceAll(/\s+/g, " ")).toMatch(/^\d+\.\dk tokens cost - ctx \d+% [\d,]+ events$/);

      expect([...origins]).toEqual([site.url]);
      expect(complaints).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    "joins each step to its trace row, which the step can show",
    async () => {
      const { page } = await visit();
      await ask(page, SHORT_QUESTION);
      const links = await page
        .locator("[data-link]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("data-link")));
      const rows = await page
        .locator("[data-link-row]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("data-link-row")));
      expect(links.filter((link) => !rows.includes(link))).toEqual([]);

      await answerOf(page)
        .getByRole("button", { name: /notes_list_series/ })
        .click();
      await page.getByRole("button", { name: "Show notes_list_series in the trace" }).click();
      // The focus unfolds the round trip around the row, and must outlive that.
      await page.locator(":focus", { hasText: "notes_list_series" }).and(page.locator("[data-trace-row]")).waitFor();
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      const focused = await page.evaluate(() => document.activeElement?.closest("[data-trace-row]")?.textContent ?? "");
      expect(focused).toContain("notes_list_series");
    },
    PATIENCE_MS,
  );

  it(
    "takes the session home on paper, with every event, and as a file of its events",
    async () => {
      const { page, origins, complaints } = await visit();
      await ask(page, SHORT_QUESTION);
      await page.getByRole("link", { name: "With all events" }).first().click();
      const report = page.getByRole("article");
      await report.getByText("agent_settled").waitFor();
      expect(await report.getByRole("heading", { level: 2 }).innerText()).toContain(SHORT_QUESTION);
      expect(await report.getByRole("row").filter({ hasText: "notes_list_series" }).count()).toBeGreaterThan(0);

      const save = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save the events (JSON)" }).click();
      const file = JSON.parse(await Bun.file(await (await save).path()).text());
      expect(file.isFromStart).toBe(true);
      expect(file.rows.map(({ seq }: { seq: number }) => seq)).toEqual(Array.from(file.rows.keys()));

      await page.emulateMedia({ media: "print" });
      expect(await page.getByRole("button", { name: "Print" }).isVisible()).toBe(false);
      expect((await page.pdf({ format: "A4" })).length).toBeGreaterThan(10_000);
      expect([...origins]).toEqual([site.url]);
      expect(complaints).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    "uses the keyboard alone to ask, stop and ask again",
    async () => {
      const { page } = await visitUnhurried();
      await page.getByRole("button", { name: FIRST_QUESTION }).waitFor();
      await tabTo(page, "Message");
      await page.keyboard.type("What can stop you");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("in the middle of a turn?");
      await page.keyboard.press("Enter");
      await page
        .getByRole("article", { name: "You" })
        .getByText("What can stop you\nin the middle of a turn?")
        .waitFor();
      await tabTo(page, "Stop");
      await page.keyboard.press("Enter");
      await page.getByText(/^Stopped by you/).waitFor();
      await tabTo(page, "Ask again");
      await page.keyboard.press("Enter");
      expect(await page.getByLabel("Message").inputValue()).toBe("What can stop you\nin the middle of a turn?");
      // With the next frame.
      await page.waitForFunction(() => document.activeElement === document.querySelector("textarea"));
      expect(await page.locator("[data-turn]").count()).toBe(1);
    },
    PATIENCE_MS,
  );

  it(
    "stops a turn by single keys, asks its question again and begins a new session",
    async () => {
      const { page } = await visitUnhurried();
      await send(page, SHORT_QUESTION);
      await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
      await leaveField(page);
      await page.keyboard.press("s");
      await page.getByText(/^Stopped by you/).waitFor();
      await page.keyboard.press("e");
      await page.waitForFunction((asked) => document.querySelector("textarea")?.value === asked, SHORT_QUESTION);
      await leaveField(page);
      await page.keyboard.press("n");
      await page.getByRole("heading", { name: "Talk to an agent." }).waitFor();
    },
    PATIENCE_MS,
  );

  it(
    "leaves Enter to an input method that is still composing",
    async () => {
      const { page } = await visit();
      const field = page.getByLabel("Message");
      await field.fill("ni hao");
      await field.evaluate((element) => {
        const init = { key: "Enter", bubbles: true, cancelable: true };
        element.dispatchEvent(new KeyboardEvent("keydown", { ...init, isComposing: true }));
        element.dispatchEvent(new KeyboardEvent("keydown", { ...init, keyCode: 229 } as KeyboardEventInit));
      });
      expect(await field.inputValue()).toBe("ni hao");
      expect(await page.locator("[data-turn]").count()).toBe(0);
      await field.press("Enter");
      await page.locator('[data-turn="1"]').waitFor();
    },
    PATIENCE_MS,
  );
});

describe("a reader", () => {
  it(
    "who scrolled up is never pulled down, and is offered the way to what is new",
    async () => {
      const { page } = await visitUnhurried({ viewport: { width: 1440, height: 480 } });
      await send(page, FIRST_QUESTION);
      await answerOf(page)
        .getByRole("button", { name: /notes_get_chapter/ })
        .waitFor();
      await page.waitForFunction(() => document.querySelector("main")!.scrollTop > 60);
      await page.mouse.move(500, 200);
      await page.mouse.wheel(0, -5_000);
      const more = page.getByRole("button", { name: /^\d+ new events?$/ });
      await more.waitFor();
      await answered(page);
      expect(await page.locator("main").evaluate((stage) => stage.scrollTop)).toBe(0);
      await more.click();
      expect(
        await page.locator("main").evaluate((stage) => stage.scrollHeight - stage.clientHeight - stage.scrollTop),
      ).toBeLessThan(2);
      expect(await more.isVisible()).toBe(false);
    },
    PATIENCE_MS,
  );
});

describe("a turn that is disturbed", () => {
  it(
    "is the same after a reload in the middle as for an undisturbed reader",
    async () => {
      const { page } = await visitUnhurried();
      await send(page, FIRST_QUESTION);
      await answerOf(page)
        .getByRole("button", { name: /notes_search/ })
        .waitFor();
      await page.reload();
      await page.getByText("Joined the running turn. Nothing was lost.").waitFor();
      await answered(page);
      const reloaded = await answerText(page);

      await page.reload();
      await page.getByRole("article", { name: "Agent" }).waitFor();
      // Read from the store, the process is folded; what it says and the answer are the same.
      await page.getByRole("button", { name: /model round trips/ }).click();
      expect(await answerText(page)).toBe(reloaded);
    },
    PATIENCE_MS,
  );

  it(
    "is whole after its connections were cut anywhere, and nothing is shown twice, in chat or trace",
    async () => {
      const { page } = await visitUnhurried({ prepare: badNetwork });
      await ask(page, SHORT_QUESTION);
      await page.locator("[data-trace-row]", { hasText: "agent_settled" }).waitFor();
      expect(await page.evaluate(() => sessionStorage.getItem("cuts"))).toBe("6");
      const live = [await answerText(page), await rowNames(page)];
      await page.reload();
      await page.locator("[data-trace-row]", { hasText: "agent_settled" }).waitFor();
      await page.getByRole("button", { name: /model round trips/ }).click();
      expect(live).toEqual([await answerText(page), await rowNames(page)]);
    },
    PATIENCE_MS,
  );

  it(
    "keeps a refused text, says why, and takes it when there is a seat",
    async () => {
      const busy = await visitUnhurried();
      await busy.page.getByRole("button", { name: FIRST_QUESTION }).click();
      await busy.page.getByRole("button", { name: "Stop", exact: true }).waitFor();
      await busy.page.locator("[data-link]").first().waitFor();

      const { page } = await visitUnhurried();
      await page.getByLabel("Message").fill("How does the guard decide?");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("alert").getByText("All seats are taken right now. Try again in a minute.").waitFor();
      expect(await page.getByLabel("Message").inputValue()).toBe("How does the guard decide?");
      expect(await page.locator("[data-turn]").count()).toBe(0);

      await stopTurn(busy.page);
      await page.getByRole("button", { name: "Try again" }).click();
      await page.locator('[data-turn="1"]').waitFor();
      expect(await page.getByLabel("Message").inputValue()).toBe("");
    },
    PATIENCE_MS,
  );

  it.each([
    ["en", "Too many messages from here. Come back in 29 minutes."],
    ["zh", "这里发来的消息太多了，请 29 分钟后再来。"],
  ] as const)(
    "says in %p when to come back after too many messages, and keeps the text",
    async (language, sentence) => {
      const { page } = await visit("/", { language, prepare: refuseAsks });
      const field = page.getByRole("textbox", { name: /^(Message|消息)$/ });
      await field.fill("How does the guard decide?");
      await field.press("Enter");
      await page.getByRole("alert").getByText(sentence).waitFor();
      expect(await field.inputValue()).toBe("How does the guard decide?");
    },
    PATIENCE_MS,
  );
});

describe("sessions", () => {
  it(
    "are nobody else's: a second visitor sees none of the first one's",
    async () => {
      const first = await visit();
      await ask(first.page, SHORT_QUESTION);
      expect(await first.page.getByRole("complementary").getByRole("listitem").count()).toBe(1);
      const id = await first.page.evaluate(() => sessionStorage.getItem("xr_session"));

      const second = await visit();
      await second.page.getByText("No sessions yet.").waitFor();
      // Even knowing the id, there is nothing.
      await second.page.evaluate((stolen) => sessionStorage.setItem("xr_session", stolen!), id);
      await second.page.reload();
      await second.page.getByText("This session does not exist here.").waitFor();
      expect(await second.page.locator("[data-turn]").count()).toBe(0);
      await second.page.evaluate((stolen) => sessionStorage.setItem("xr_session", stolen!), id);
      await hasNoReport(second.page);
    },
    PATIENCE_MS,
  );

  it(
    "are deleted after a second look, and only then",
    async () => {
      const { page } = await visit();
      await ask(page, SHORT_QUESTION);
      const id = await page.evaluate(() => sessionStorage.getItem("xr_session"));
      const list = page.getByRole("complementary");
      await list.getByRole("button", { name: /^Delete “/ }).click();
      await page.waitForFunction(() => document.activeElement?.textContent === "Keep");
      await page.keyboard.press("Escape");
      expect(await list.getByRole("listitem").count()).toBe(1);
      await list.getByRole("button", { name: /^Delete “/ }).click();
      await list.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByText("No sessions yet.").waitFor();
      await page.getByRole("button", { name: FIRST_QUESTION }).waitFor();
      await page.goto(`${site.url}/report`);
      await page.getByText("No session is open in this tab.").waitFor();
      await page.evaluate((deleted) => sessionStorage.setItem("xr_session", deleted!), id);
      await hasNoReport(page);
    },
    PATIENCE_MS,
  );

  it(
    "come back with a visit to another page, and a new one begins empty",
    async () => {
      const { page } = await visit();
      await ask(page, SHORT_QUESTION);
      await page.getByRole("link", { name: "Notes", exact: true }).first().click();
      await page.getByRole("heading", { level: 1, name: "Notes" }).waitFor();
      await page.getByRole("link", { name: "Runtime" }).first().click();
      await page.locator('[data-turn="1"]').waitFor();
      await page.getByRole("button", { name: "New session" }).click();
      await page.getByRole("button", { name: FIRST_QUESTION }).waitFor();
      expect(await page.locator("[data-turn]").count()).toBe(0);
    },
    PATIENCE_MS,
  );
});

describe("a question in the address", () => {
  it(
    "is put into the composer as text, taken out of the address, and never sent",
    async () => {
      const asked: string[] = [];
      const { page } = await visit("/?ask=%3Cb%3Ehi%3C%2Fb%3E%E2%80%AE", {
        prepare: async (fresh) => {
          fresh.on("request", (request) => {
            // The beacon tells that the page was opened, not what was asked.
            const beacon = request.url().endsWith("/api/t");
            if (request.method() !== "GET" && !beacon) asked.push(request.url());
          });
        },
      });
      await page.waitForFunction(() => document.querySelector("textarea")?.value !== "");
      expect(await page.getByLabel("Message").inputValue()).toBe("<b>hi</b>");
      expect(new URL(page.url()).search).toBe("");
      await page.reload();
      await page.getByRole("button", { name: FIRST_QUESTION }).waitFor();
      expect(await page.getByLabel("Message").inputValue()).toBe("");
      expect(asked).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    "comes from a chapter's own button",
    async () => {
      const { page } = await visit("/notes/first-word/saying-no");
      await page.getByRole("link", { name: "Ask about this chapter" }).click();
      await page.waitForFunction(() => document.querySelector("textarea")?.value !== undefined);
      await page.waitForFunction(() => document.querySelector("textarea")!.value !== "");
      expect(await page.getByLabel("Message").inputValue()).toContain("first-word/saying-no");
      expect(await page.locator("[data-turn]").count()).toBe(0);
    },
    PATIENCE_MS,
  );
});

async function send(page: Page, question: string): Promise<void> {
  await page.getByLabel("Message").fill(question);
  await page.getByLabel("Message").press("Enter");
}

async function ask(page: Page, question: string): Promise<void> {
  await send(page, question);
  await answered(page);
}

function answerOf(page: Page): Locator {
  return page.getByRole("article", { name: "Agent" }).last();
}

/** The newest answer is complete, and its trace has arrived as well. */
async function answered(page: Page): Promise<void> {
  await page.locator("[data-turn]").last().locator('article[aria-busy="false"]').last().waitFor();
  await page.locator("[data-trace-row]", { hasText: "agent_settled" }).last().waitFor();
}

/** Once it is drawn: until the parser is there it stands as it was written. */
async function answerText(page: Page): Promise<string> {
  await answerOf(page).locator('[class*="asWritten"]').waitFor({ state: "detached" });
  return answerOf(page).innerText();
}

async function stopTurn(page: Page): Promise<void> {
  const stop = page.getByRole("button", { name: /^(Stop|停止)$/ });
  if (!(await stop.isVisible())) return;
  // It may end by itself before the press.
  await stop.click({ timeout: 2_000 }).catch(() => {});
  await page.getByRole("button", { name: /^(Send|发送)$/ }).waitFor();
}

/** The page's questions meet a limit; everything else is the site's. */
async function refuseAsks(page: Page): Promise<void> {
  const json = { error: "Too many requests from your network. Try again later.", code: "rate_limited" };
  await page.route("**/api/agent/ask", (route) =>
    route.fulfill({ status: 429, headers: { "retry-after": "1740" }, json }),
  );
}

/**
 * As when a phone leaves the network, again and again: answer and trace arrive in pieces of one to seven bytes, and the
 * first connections break wherever that is, inside a frame or a character. After a reload all is well.
 */
async function badNetwork(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (sessionStorage.getItem("cuts") !== null) return;
    const real = window.fetch;
    let cuts = 0;
    const breaking = async (input: RequestInfo | URL, init?: RequestInit) => {
      const response = await real(input, init);
      if (!/\/agent\/ask$|\/stream(\?|$)/.test(String(input)) || response.body === null) return response;
      const lastByte = cuts < 6 ? 700 + 611 * cuts++ : Number.POSITIVE_INFINITY;
      sessionStorage.setItem("cuts", String(cuts));
      let bytes = 0;
      const broken = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            for (let from = 0, size = 1; from < chunk.length && bytes < lastByte; from += size, size = (size % 7) + 1) {
              controller.enqueue(chunk.slice(from, from + size));
              bytes += size;
            }
            if (bytes >= lastByte) controller.error(new TypeError("network error"));
          },
        }),
      );
      return new Response(broken, { status: response.status, headers: response.headers });
    };
    window.fetch = breaking as typeof fetch;
  });
}

const rowNames = (page: Page): Promise<string[]> => page.locator("[data-trace-row] [class*=name]").allInnerTexts();

/** Of the session that the tab remembers, the report shows and saves nothing. */
async function hasNoReport(page: Page): Promise<void> {
  await page.goto(`${site.url}/report`);
  await page.getByText("The session cannot be read.").waitFor();
  expect(await page.getByRole("article").count()).toBe(0);
  expect(await page.getByRole("button", { name: "Save the events (JSON)" }).count()).toBe(0);
}

function leaveField(page: Page): Promise<void> {
  return page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
}

async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if ((await focusedName(page)) === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${name}.`);
}

function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    return focused?.getAttribute("aria-label") ?? focused?.textContent ?? "";
  });
}
