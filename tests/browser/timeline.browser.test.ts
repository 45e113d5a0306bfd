/**
 * The timeline on the built pages, beside a conversation, fed by hand: where leaders end in every combination, what a
 * reader who is elsewhere is spared, that live and stored look the same, and what broken or huge recordings do.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { buildWeb } from "../../cli/web-build.mts";
import { pathsOf } from "../../cli/paths.mts";
import { newVisitor, openBrowser, type Watched } from "../support/browser.mts";
import { MADE_AT_MS, madeSession, rowWriter } from "../support/made-session.mts";
import { FED_SESSION, type SessionFeeder, startFeeder } from "../support/session-feeder.mts";
import type { WatchedProcess } from "../support/watched-process.mts";
import { START_MS, startWeb } from "../support/web-site.mts";

const PATIENCE_MS = 60_000;

let browser: Browser;
let feeder: SessionFeeder;
let web: WatchedProcess;
let url: string;
/** One page for all tests, each of which opens the session anew: what it has fetched once it need not fetch again. */
let visitor: Watched;

beforeAll(async () => {
  await buildWeb(pathsOf(), AbortSignal.timeout(START_MS), () => {});
  feeder = await startFeeder();
  web = startWeb(feeder.url);
  url = await web.url();
  browser = await openBrowser();
  visitor = await newVisitor(browser);
  visitor.page.setDefaultTimeout(PATIENCE_MS);
  await visitor.page.addInitScript((id) => sessionStorage.setItem("xr_session", id), FED_SESSION);
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await web?.stop();
  await feeder?.close();
});
afterEach(() => {
  feeder.traceUp = true;
});

/** Opens the stored session, and waits until its trace is there. */
async function visit(): Promise<Page> {
  const { page } = visitor;
  visitor.complaints.length = 0;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(url);
  await page.locator("[data-trace-turn]").last().waitFor();
  await settle(page);
  return page;
}

/** Until layout, observers and leaders have followed. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
  });

const scrollTo = (page: Page, share: number) =>
  page.locator("main").evaluate((stage, to) => {
    stage.scrollTop = (stage.scrollHeight - stage.clientHeight) * to;
  }, share);

/**
 * Every line against its two halves: `off` names the lines that miss one by more than a pixel, or that have no half on
 * the page; `missing` the pairs in view without a line.
 */
function leaders(page: Page): Promise<{ lines: number; off: string[]; missing: string[] }> {
  return page.evaluate(() => {
    const stage = document.querySelector("main")!;
    const yOf = (element: HTMLElement, end: boolean) => {
      const box = element.getBoundingClientRect();
      const depth = Math.min(box.height / 2, 15);
      return end ? box.bottom - depth : box.top + depth;
    };
    const isDrawn = (element: HTMLElement) => element.getBoundingClientRect().height > 0;
    const view = stage.getBoundingClientRect();
    const near = [...stage.querySelectorAll("section")].filter((turn) => {
      const { top, bottom } = turn.getBoundingClientRect();
      return bottom > view.top && top < view.bottom && turn.querySelector("[data-trace-turn]") !== null;
    });
    const wanted = near.flatMap((turn) =>
      [...turn.querySelectorAll<HTMLElement>("[data-link]")].filter(isDrawn).flatMap((half) => {
        const row = [...turn.querySelectorAll<HTMLElement>("[data-link-row]")].find(
          ({ dataset }) => dataset.linkRow === half.dataset.link,
        );
        const end = half.dataset.tone === "live" && half.dataset.link!.endsWith(":answer");
        return row === undefined || !isDrawn(row)
          ? []
          : [{ link: half.dataset.link!, from: yOf(half, end), to: yOf(row, false) }];
      }),
    );
    const drawn = [...document.querySelectorAll("[class*=leaders] g")].map((group) =>
      [...group.querySelectorAll("circle")].map((dot) => {
        const { top, height } = dot.getBoundingClientRect();
        return top + height / 2;
      }),
    );
    const fits = (line: number[], { from, to }: { from: number; to: number }) =>
      Math.abs(line[0]! - from) <= 1 && Math.abs(line[1]! - to) <= 2;
    return {
      lines: drawn.length,
      off: drawn.filter((line) => !wanted.some((pair) => fits(line, pair))).map((line) => line.join(" to ")),
      missing: wanted.filter((pair) => !drawn.some((line) => fits(line, pair))).map(({ link }) => link),
    };
  });
}

describe("leaders", () => {
  it(
    "end at their two halves whatever is folded, filtered or scrolled, from 1024 to 1920 pixels",
    async () => {
      feeder.store(madeSession({ turns: 3, trips: 5, blocked: true }));
      const page = await visit();
      const wrong: unknown[] = [];
      let lines = 0;
      const look = async (state: string) => {
        for (const share of [1, 0.4]) {
          await scrollTo(page, share);
          await settle(page);
          const found = await leaders(page);
          lines += found.lines;
          if (found.off.length + found.missing.length > 0) wrong.push([state, share, found]);
        }
      };
      for (const width of [1024, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        await look(`${width} as it comes`);
        const process = page.locator("[data-turn='2'] article button[aria-expanded]").first();
        await process.click();
        await look(`${width} process turned`);
        const trip = page.locator("[data-turn='2'] [data-trace-row]", { hasText: "Round trip 2" });
        await trip.click();
        await look(`${width} round trip turned`);
        await page.getByRole("button", { name: "veto may stop it" }).click();
        await page.getByRole("button", { name: "notify may only observe" }).click();
        await look(`${width} filtered`);
        await page.getByRole("button", { name: /show all/ }).click();
      }
      expect(wrong).toEqual([]);
      expect(lines).toBeGreaterThan(40);
      await page.setViewportSize({ width: 1000, height: 800 });
      await settle(page);
      expect((await leaders(page)).lines).toBe(0);
    },
    PATIENCE_MS,
  );

  it(
    "light both halves from either side",
    async () => {
      feeder.store(madeSession({ turns: 1, trips: 2 }));
      const page = await visit();
      const lit = () =>
        page.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>("[data-lit]")].map(
            ({ dataset }) => dataset.link ?? `row ${dataset.linkRow}`,
          ),
        );
      await page.locator('[data-link="0:answer"]').hover();
      await settle(page);
      expect(await lit()).toEqual(["0:answer", "row 0:answer"]);
      await page.mouse.move(2, 2);
      await page.locator('[data-link-row="0:user"]').focus();
      await settle(page);
      expect(await lit()).toEqual(["0:user", "row 0:user"]);
    },
    PATIENCE_MS,
  );
});

describe("a running turn", () => {
  it(
    "neither moves nor folds anything under a reader who is elsewhere, and looks the same after a reload",
    async () => {
      const { messages, rows } = madeSession({ turns: 2, trips: 4, updates: 5 });
      const stored = rows.filter(({ turnSeq }) => turnSeq !== 2);
      const live = rows.filter(({ turnSeq }) => turnSeq === 2);
      feeder.store({ messages: messages.slice(0, 2), rows: stored });
      feeder.begin("Question 2");
      const page = await visit();
      const half = live.findIndex(({ data }) => data.turnIndex === 1);
      const feed = async (some: typeof live) => {
        for (const [index, row] of some.entries()) {
          feeder.row(row);
          if (row.eventType === "message_update") feeder.frame("delta", { text: "a few more words; " });
          if (index % 9 === 0) await settle(page);
        }
        await page.locator(`[data-trace-turn="2"] [data-trace-row]`).last().waitFor();
        await settle(page);
      };
      await feed(live.slice(0, half + 8));
      expect((await leaders(page)).off).toEqual([]);

      await page.mouse.move(1200, 500);
      await page.mouse.wheel(0, -260);
      await settle(page);
      const seen = () =>
        page.evaluate(() => {
          const rows = [...document.querySelectorAll<HTMLElement>("[data-trace-turn='2'] [data-trace-row]")];
          const first = rows.find((row) => row.getBoundingClientRect().top > 220)!;
          return [first.dataset.traceRow, Math.round(first.getBoundingClientRect().top)];
        });
      const before = await seen();
      await feed(live.slice(half + 8));
      expect(await seen()).toEqual(before);
      expect(await page.getByRole("button", { name: /new events/ }).isVisible()).toBe(true);

      const answer = messages[3]!;
      const totals = { modelRoundTrips: 4, turnMs: 4_010, totalTokens: 9 };
      feeder.frame("done", { sessionId: FED_SESSION, outcome: "completed", ...totals });
      await page.getByRole("button", { name: /new events/ }).click();
      await page.locator('article[aria-busy="false"]').last().waitFor();
      await settle(page);
      const watched = await picture(page);
      feeder.store({ messages: [...messages.slice(0, 3), answer], rows });
      await page.reload();
      await page.locator("[data-trace-turn='2'] [data-trace-row]").last().waitFor();
      await settle(page);
      await scrollTo(page, 1);
      await settle(page);
      expect(await picture(page)).toEqual(watched);
      expect(watched.length).toBeGreaterThan(1_000);
    },
    PATIENCE_MS,
  );

  it(
    "says so when its trace is cut off, is elsewhere, or is back, and loses nothing",
    async () => {
      const { messages, rows } = madeSession({ turns: 1, trips: 1 });
      feeder.store({ messages: [], rows: rows.slice(0, 1) });
      feeder.begin("Question 1");
      const page = await visit();
      for (const row of rows.slice(1, 7)) feeder.row(row);
      await page.locator("[data-trace-row]", { hasText: "before_provider_request" }).waitFor();
      feeder.traceUp = false;
      feeder.cut();
      await page.getByText("Connection lost after event 7. Reconnecting, the chat goes on.").first().waitFor();
      for (const row of rows.slice(7)) feeder.row(row);
      feeder.traceUp = true;
      await page.locator("[data-trace-row]", { hasText: "agent_settled" }).waitFor();
      expect(await page.locator("main").getByText("Connection lost").count()).toBe(0);
      feeder.cut("superseded");
      await page.getByRole("button", { name: "Show it here" }).click();
      await page.getByRole("button", { name: "Show it here" }).waitFor({ state: "detached" });
      expect(messages.length).toBe(2);
    },
    PATIENCE_MS,
  );
});

describe("the filter", () => {
  it(
    "is worked by keys, says how much it hides, and leads a hidden row's link to the header of its turn",
    async () => {
      feeder.store(madeSession({ turns: 1, trips: 2 }));
      const page = await visit();
      await page.locator('[data-link-row="0:user"]').focus();
      await page.keyboard.press("/");
      await page.keyboard.type("PROVIDER");
      await settle(page);
      const names = () =>
        page
          .locator("[data-trace-turn='0'] [data-trace-row]")
          .evaluateAll((rows) => rows.map((row) => row.querySelector("[class*=name] > span")!.textContent));
      const pair = ["before_provider_request", "after_provider_response"];
      expect(await names()).toEqual(["Round trip 1", ...pair, "Round trip 2", ...pair]);
      const head = page.locator("[data-trace-turn='0'] header");
      expect(await head.innerText()).toContain("events hidden");
      await page.keyboard.press("ArrowDown");
      expect(await page.evaluate(() => document.activeElement!.textContent)).toContain("Round trip 1");

      await page.locator("article button[aria-expanded]").first().click();
      await page.locator("article ol button[aria-expanded]").first().click();
      await page.getByRole("button", { name: "Show notes_search in the trace" }).first().click();
      expect(await page.evaluate(() => document.activeElement!.tagName)).toBe("HEADER");
      await page.locator("[data-trace-filter]").focus();
      await page.keyboard.press("Escape");
      await settle(page);
      expect(await head.innerText()).not.toContain("hidden");

      const notify = page.getByRole("button", { name: "notify may only observe" });
      await notify.press("Space");
      expect(await notify.getAttribute("aria-pressed")).toBe("true");
      await settle(page);
      expect(await names()).toContain("agent_start");
      expect(await names()).not.toContain("context");
      await notify.press("Space");
      await settle(page);
      expect(await names()).toContain("context");
    },
    PATIENCE_MS,
  );
});

describe("a session of many turns", () => {
  it(
    "lays out what can be seen of it, and leads to every other turn",
    async () => {
      feeder.store(madeSession({ turns: 40, trips: 4 }));
      const page = await visit();
      const seen = await page.evaluate(() => {
        const turns = [...document.querySelectorAll("main [data-turn]")];
        const laidOut = turns.map((turn) => turn.firstElementChild!.checkVisibility({ contentVisibilityAuto: true }));
        return {
          last: laidOut.at(-1),
          near: laidOut.filter(Boolean).length,
          low: turns.filter(({ clientHeight }) => clientHeight < 200).length,
        };
      });
      expect([seen.last, seen.near > 12, seen.low]).toEqual([true, false, 0]);

      const cdp = await page.context().newCDPSession(page);
      await cdp.send("Performance.enable");
      const layouts = async () =>
        (await cdp.send("Performance.getMetrics")).metrics.find(({ name }) => name === "LayoutCount")!.value;
      const before = await layouts();
      await page.locator("main").evaluate((stage) => stage.scrollBy({ top: -200 }));
      await settle(page);
      // Film and leaders look at all turns; to ask inside one that is not laid out would do that, turn by turn.
      expect((await layouts()) - before).toBeLessThan(20);

      const reached: number[] = [];
      for (const number of [4, 21, 39, 1]) {
        await page.getByTitle(`Turn ${number}`, { exact: true }).click();
        await settle(page);
        const turn = page.locator(`[data-trace-turn="${(number - 1) * 2}"]`);
        const top = await turn.evaluate((element) => element.getBoundingClientRect().top);
        reached.push(Math.round(top - (await page.locator("main").boundingBox())!.y));
      }
      // Just below what the scroller keeps free for its heads, whatever was laid out on the way.
      expect(reached).toEqual([48, 48, 48, 48]);
      await cdp.detach();
    },
    PATIENCE_MS,
  );
});

describe("a recording that is not as it should be", () => {
  it(
    "stays a panel: ten thousand rows in a turn, a call without an end, names of 200 letters, a clock that steps back",
    async () => {
      const write = rowWriter();
      const arabic = "حدث".repeat(67).slice(0, 200);
      const chinese = "很长的事件名".repeat(34).slice(0, 200);
      const rows = [
        write(0, "input", 0, { text: arabic }),
        write(0, "turn_start", 5),
        ...Array.from({ length: 9_990 }, (_, index) => write(0, index % 2 ? "context" : chinese, index * 3)),
        write(0, "tool_execution_start", 40_000, { toolCallId: "x", toolName: arabic, argsPreview: chinese }),
        write(0, "tool_execution_update", 39_000, { toolCallId: "x", partialResultPreview: arabic }),
        write(0, "tool_call", 38_000, { toolCallId: "x", toolName: arabic }),
        write(0, "message_update", -5_000),
      ];
      const shuffled = [...rows.slice(5_000), ...rows.slice(0, 5_100)];
      const question = {
        seq: 0,
        role: "user" as const,
        content: arabic,
        createdAt: new Date(MADE_AT_MS).toISOString(),
      };
      feeder.store({ messages: [question], rows: shuffled });
      const page = await visit();
      for (const width of [1440, 1024]) {
        await page.setViewportSize({ width, height: 800 });
        await settle(page);
        const seen = await page.evaluate(() => ({
          drawn: document.querySelectorAll("[data-trace-row]").length,
          heights: [...new Set([...document.querySelectorAll("[data-trace-row]")].map((row) => row.clientHeight))],
          wide: document.documentElement.scrollWidth > innerWidth,
          head: document.querySelector("[data-trace-turn='0'] header")!.textContent,
        }));
        // As it is read aloud: two numbers are two words.
        expect(seen.head).toMatch(/^Turn 1 \d.* 9,996 events/);
        expect([seen.heights, seen.wide, seen.drawn < 400]).toEqual([[22], false, true]);
      }
      await page.locator("[data-trace-row]").last().focus();
      await page.keyboard.press("Home");
      expect(await page.evaluate(() => document.activeElement!.textContent)).toContain("input");
      // The feeder has nothing but the session; what else the page asks for is not here.
      expect(visitor.complaints.filter((line) => !line.startsWith("Failed to load resource"))).toEqual([]);
    },
    PATIENCE_MS,
  );
});

/** The panel's rows as they are drawn, without what only the clock of the running turn left behind. */
const picture = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [...document.querySelectorAll("[data-trace-turn]")]
      .map((turn) => turn.outerHTML.replaceAll(/ ?--now: ?[\d.]+;?/g, "").replaceAll(/ style=""/g, ""))
      .join("\n"),
  );
