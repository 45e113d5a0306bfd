/**
 * Claims: beside a stored session of 5,000 events a turn that streams 200 tokens a second keeps every task of the page's
 * main thread under 50 ms, leaves nothing in memory but the session itself, which doubles in ten minutes, and the stored
 * session is painted within a second of its data. The page is the built one in Chromium; its API is a feeder, so that
 * nothing but the page is measured. The named baseline is the same page of the same run with windowing off, which is a
 * browser without IntersectionObserver; of memory it is a page that opens the same session when all is over.
 *
 *   ./xray bench panel          ten minutes of streaming
 *   XRAY_BENCH_SECONDS=60 …     a shorter one; the output says so
 */
import type { Browser, Page } from "playwright-core";
import { pathsOf } from "../cli/paths.mts";
import { buildWeb } from "../cli/web-build.mts";
import { newVisitor, openBrowser, type Watched } from "../tests/support/browser.mts";
import type { JsonObject } from "../shared/trace-events.ts";
import { MADE_AT_MS, madeSession, rowWriter } from "../tests/support/made-session.mts";
import { FED_SESSION, type SessionFeeder, startFeeder } from "../tests/support/session-feeder.mts";
import { startWeb } from "../tests/support/web-site.mts";
import { judge, median } from "./lib.mts";
import { machineLoad, watchTasks } from "./lib-tasks.mts";

const TOKENS_A_SECOND = 200;
/** As the observer merges them: ten rows a second. */
const TOKENS_A_ROW = 20;
const WHOLE_SECONDS = 600;
const SECONDS = Number(process.env.XRAY_BENCH_SECONDS ?? WHOLE_SECONDS);
const TURN_SECONDS = 10;
const BASELINE_SECONDS = Math.min(20, SECONDS);
const PAINTS = 5;
const LONGEST_TASK_MS = 50;
const PAINT_MS = 1_000;
/** What may be left after a forced collection at the end, against a page that opens the session then. */
const GROWTH = 1.5;

/** 5 round trips with 4 calls make 79 rows a turn, and 5,057 in all. */
const STORED = madeSession({ turns: 64, trips: 5 });

async function measure(): Promise<boolean> {
  await buildWeb(pathsOf(), AbortSignal.timeout(300_000), console.log);
  const feeder = await startFeeder();
  const web = startWeb(feeder.url);
  const browser = await openBrowser();
  try {
    const url = await web.url();
    console.log(`a session of ${STORED.rows.length} rows, ${eventsOf()} events`);
    if (SECONDS !== WHOLE_SECONDS) console.log(`shortened: ${SECONDS} s of streaming instead of ${WHOLE_SECONDS} s`);
    const paint = await compareFirstPaint(browser, feeder, url);
    const whole = await stream(browser, feeder, { url, seconds: SECONDS, windowed: true });
    const bare = await stream(browser, feeder, { url, seconds: BASELINE_SECONDS, windowed: false });
    console.log(
      `longest task of the last turn: ratio ${(whole.cpuMs / bare.cpuMs).toFixed(2)} ` +
        `baseline (windowing off, ${BASELINE_SECONDS} s) ${bare.cpuMs.toFixed(0)} ms ` +
        `measured ${whole.cpuMs.toFixed(0)} ms of the thread's own time; ${machineLoad()}`,
    );
    console.log(
      `memory: ${whole.earlyMb.toFixed(1)} MB at a tenth of the way, ${whole.heapMb.toFixed(1)} MB at the end; ` +
        `a page that opens the session then: ${whole.freshMb.toFixed(1)} MB`,
    );
    console.log(
      `memory at the end: ratio ${(whole.heapMb / bare.heapMb).toFixed(2)} ` +
        `baseline (windowing off) ${bare.heapMb.toFixed(1)} MB and ${bare.elements} elements, ` +
        `measured ${whole.heapMb.toFixed(1)} MB and ${whole.elements} elements`,
    );
    return [
      paint,
      judge({ name: "longest main-thread task", unit: "ms", measured: whole.longestMs, atMost: LONGEST_TASK_MS }),
      judge({
        name: "memory at the end against a page that opens the session then",
        unit: "times",
        measured: whole.heapMb / whole.freshMb,
        atMost: GROWTH,
      }),
    ].every(Boolean);
  } finally {
    await browser.close();
    await web.stop();
    await feeder.close();
  }
}

const eventsOf = (): number =>
  STORED.rows.reduce((sum, { data }) => sum + (typeof data.mergedCount === "number" ? data.mergedCount : 1), 0);

/** From the moment the last stored row has reached the page to the frame that shows the end of it. */
async function compareFirstPaint(browser: Browser, feeder: SessionFeeder, url: string): Promise<boolean> {
  const once = async (windowed: boolean) => {
    feeder.store(STORED);
    const visitor = await openPage(browser, url, windowed);
    try {
      return await visitor.page.evaluate(async () => {
        const { bench } = window as unknown as { bench: { dataAtMs: number | null } };
        const last = () => [...document.querySelectorAll("[data-trace-row]")].at(-1)?.textContent ?? "";
        while (bench.dataAtMs === null || !last().includes("agent_settled")) await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        return performance.now() - bench.dataAtMs;
      });
    } finally {
      await visitor.close();
    }
  };
  const windowed: number[] = [];
  const bare: number[] = [];
  await once(true);
  for (let round = 0; round < PAINTS; round++) {
    windowed.push(await once(true));
    bare.push(await once(false));
  }
  console.log(
    `first paint: ratio ${(median(windowed) / median(bare)).toFixed(2)} ` +
      `baseline (windowing off) ${median(bare).toFixed(0)} ms measured ${median(windowed).toFixed(0)} ms`,
  );
  return judge({
    name: "first paint after its data",
    unit: "ms",
    measured: median(windowed),
    atMost: PAINT_MS,
    digits: 0,
  });
}

interface Streamed {
  /** Longest main-thread task once the stored session was there. */
  longestMs: number;
  /** What the thread itself worked in the longest task of the last turn. */
  cpuMs: number;
  /** At the end, at a tenth of the way, and of a page that opens the session at the end; each after a collection. */
  heapMb: number;
  earlyMb: number;
  freshMb: number;
  elements: number;
}

interface StreamOptions {
  url: string;
  seconds: number;
  windowed: boolean;
}

/** Turns of ten seconds, one after another, as a visitor who keeps asking would have them. */
async function stream(browser: Browser, feeder: SessionFeeder, options: StreamOptions): Promise<Streamed> {
  feeder.store(STORED);
  const visitor = await openPage(browser, options.url, options.windowed);
  try {
    const { page } = visitor;
    await settled(page);
    await page.evaluate(() => {
      (window as unknown as { bench: { longestMs: number } }).bench.longestMs = 0;
    });
    const turns = Math.max(2, Math.round(options.seconds / TURN_SECONDS));
    const early = Math.max(1, Math.round(turns / 10));
    const write = rowWriter(STORED.rows.length);
    let earlyMb = 0;
    let watched = async () => ({ cpuMs: 0 });
    for (let turn = 1; turn <= turns; turn++) {
      const turnSeq = await ask(page, feeder);
      // Not before: to find the field costs the page a task of its own, which is the driver's.
      if (turn === turns) watched = await watchTasks(page);
      await answer(page, feeder, write, turnSeq);
      if (turn === early) earlyMb = await heapOf(page);
    }
    const { cpuMs } = await watched();
    const longestMs = await longestTask(page);
    const heapMb = await heapOf(page);
    const fresh = await openPage(browser, options.url, options.windowed);
    await settled(fresh.page);
    const freshMb = await heapOf(fresh.page);
    await fresh.close();
    const elements = await page.evaluate(() => document.querySelectorAll("*").length);
    return { longestMs, cpuMs, heapMb, earlyMb, freshMb, elements };
  } finally {
    await visitor.close();
  }
}

/** The stored session is there, and has had a moment to come to rest. */
async function settled(page: Page): Promise<void> {
  await page.locator("[data-trace-row]", { hasText: "agent_settled" }).last().waitFor();
  await page.waitForTimeout(1_000);
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 2 ** 20;
}

/** The visitor asks. Resolves to the turn, once the feeder has it: the page shows it as running a moment earlier. */
async function ask(page: Page, feeder: SessionFeeder): Promise<number> {
  const turnSeq = feeder.messages();
  await page.getByLabel("Message").fill("Go on for a while");
  await page.getByLabel("Message").press("Enter");
  while (feeder.messages() === turnSeq) await new Promise((resolve) => setTimeout(resolve, 5));
  return turnSeq;
}

/** The answer comes as a row and twenty tokens ten times a second, with a new paragraph now and then. */
async function answer(
  page: Page,
  feeder: SessionFeeder,
  write: ReturnType<typeof rowWriter>,
  turnSeq: number,
): Promise<void> {
  const row = (eventType: string, data: JsonObject = {}) =>
    feeder.row(write(turnSeq, eventType, Date.now() - MADE_AT_MS, data));
  row("input", { text: "Go on for a while" });
  row("agent_start");
  row("turn_start", { turnIndex: 0 });
  const startMs = Date.now();
  const steps = (TURN_SECONDS * TOKENS_A_SECOND) / TOKENS_A_ROW;
  let said = "";
  for (let step = 0; step < steps; step++) {
    const text = "token ".repeat(TOKENS_A_ROW) + (step % 20 === 19 ? "\n\n" : "");
    said += text;
    feeder.frame("delta", { text });
    const event = { type: "text_delta", contentIndex: 0, delta: text };
    row("message_update", { assistantMessageEvent: event, mergedCount: TOKENS_A_ROW });
    const nextMs = startMs + ((step + 1) * TURN_SECONDS * 1_000) / steps;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextMs - Date.now())));
  }
  row("turn_end", { turnIndex: 0 });
  row("agent_settled");
  feeder.end(said);
  await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
}

const longestTask = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { bench: { longestMs: number } }).bench.longestMs);

/** A page that notes when the stored trace is complete and how long its tasks take; a task under 50 ms counts as 0. */
async function openPage(browser: Browser, url: string, windowed: boolean): Promise<Watched> {
  const visitor = await newVisitor(browser, { reducedMotion: "no-preference" });
  const { page } = visitor;
  page.setDefaultTimeout(120_000);
  await page.addInitScript(
    ([id, isWindowed]) => {
      sessionStorage.setItem("xr_session", id as string);
      if (!isWindowed) delete (window as { IntersectionObserver?: unknown }).IntersectionObserver;
      const bench = { dataAtMs: null as number | null, longestMs: 0 };
      Object.assign(window, { bench });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) bench.longestMs = Math.max(bench.longestMs, duration);
      }).observe({ type: "longtask" });
      const decode = TextDecoder.prototype.decode;
      TextDecoder.prototype.decode = function (...given) {
        const text = decode.apply(this, given);
        if (text.includes("event: ready")) bench.dataAtMs ??= performance.now();
        return text;
      };
    },
    [FED_SESSION, windowed] as const,
  );
  await page.goto(url);
  return visitor;
}

process.exit((await measure()) ? 0 : 1);
