/**
 * Claim: while 200 tokens a second arrive in an answer of 50 KB, no task of the page's main thread takes 50 ms. The
 * baseline, of the same run, is one drawing of the whole text, which is what a page that draws its text anew would pay
 * for every token; the ratio is what this page pays for one.
 */
import type { CDPSession, Page } from "playwright-core";
import { newVisitor, openBrowser } from "../tests/support/browser.mts";
import { goOn, stageAnswer, type StagedAnswer } from "../tests/support/staged-answer.mts";
import { startWebSite } from "../tests/support/web-site.mts";
import { judge } from "./lib.mts";
import { type LongestTask, machineLoad, watchTasks } from "./lib-tasks.mts";

const WHOLE_CHARS = 50_000;
/** Ten seconds of it are watched, at the end, where the text is longest. */
const WATCHED_CHARS = 8_000;
const TOKEN_CHARS = 4;
const TOKENS_PER_SECOND = 200;
const AT_MOST_MS = 50;
const PATIENCE_MS = 60_000;

/** What answers are made of; 1,000 characters or so. */
const PART = `## What a refusal is made of

A tool call passes **three gates**: the schema, the guard and the [limits](/notes/events/saying-no). Each of them can say
no, and each says it in \`one sentence\` that the model reads as a result.

- the schema refuses what has another shape
- the guard refuses what is *too much* for one turn
- the limits refuse what is too much for one day

| gate | refuses | counted |
|---|---|---|
| schema | a wrong shape | no |
| guard | a third run | per turn |

\`\`\`ts
export function refuse(call: ToolCall): Refusal | null {
  return call.count > LIMITS.skillRunsPerTurn ? { code: "turn_limit" } : null;
}
\`\`\`

一次拒绝由三部分组成：**谁拒绝的。**为什么，以及模型接着能做什么。

`;
const TEXT = PART.repeat(Math.ceil(WHOLE_CHARS / PART.length)).slice(0, WHOLE_CHARS);

const [site, browser] = await Promise.all([startWebSite(), openBrowser()]);
try {
  const head = TEXT.slice(0, -WATCHED_CHARS);
  const text = TEXT.slice(-WATCHED_CHARS);
  const whole = await watch({ text: TEXT, tokenChars: WHOLE_CHARS, tokensPerSecond: 1 });
  const tokens = { tokenChars: TOKEN_CHARS, tokensPerSecond: TOKENS_PER_SECOND };
  const arrival = await watch({ head, text, held: true, ...tokens });
  const tokenMs = arrival.busyMs / (WATCHED_CHARS / TOKEN_CHARS);
  console.log(
    `chat ratio ${(tokenMs / whole.busyMs).toFixed(4)} ` +
      `baseline ${whole.busyMs.toFixed(0)} ms (the whole text once) measured ${tokenMs.toFixed(2)} ms a token`,
  );
  console.log(
    `longest task while it arrives: ${arrival.longest.cpuMs.toFixed(0)} ms of the thread's own time; ${machineLoad()}`,
  );
  process.exitCode = judge({
    name: "longest task while it arrives",
    unit: "ms",
    measured: arrival.longest.wallMs,
    atMost: AT_MOST_MS,
    digits: 0,
  })
    ? 0
    : 1;
} finally {
  await browser.close();
  await site.stop();
}

/** How long the main thread worked, and its longest task, while an answer comes: all of it, or what follows its head. */
async function watch(answer: StagedAnswer): Promise<{ busyMs: number; longest: LongestTask }> {
  const { page, close } = await newVisitor(browser);
  await stageAnswer(page, answer);
  await page.goto(site.url);
  const field = page.locator("textarea");
  // The parser comes with the focus.
  await field.focus();
  await page.waitForLoadState("networkidle");
  const metrics = await page.context().newCDPSession(page);
  await metrics.send("Performance.enable");
  await field.fill("Tell me everything.");
  let begunMs = await taskMs(metrics);
  await field.press("Enter");
  if (answer.head !== undefined) {
    await whenDrawn(page, answer.head);
    begunMs = await taskMs(metrics);
  }
  const watched = await watchTasks(page);
  if (answer.held) await goOn(page);
  await page.locator('[data-turn] article[aria-busy="false"]').last().waitFor({ timeout: PATIENCE_MS });
  const busyMs = (await taskMs(metrics)) - begunMs;
  const longest = await watched();
  await close();
  return { busyMs, longest };
}

/** The head is drawn when its headings are, all of them, and the page has had a moment to itself since. */
async function whenDrawn(page: Page, head: string): Promise<void> {
  await page.waitForFunction(
    (count) => document.querySelectorAll("[data-turn] h2").length >= count,
    head.split("\n## ").length,
    { timeout: PATIENCE_MS },
  );
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestIdleCallback(() => setTimeout(done, 500)))),
  );
}

async function taskMs(metrics: CDPSession): Promise<number> {
  const { metrics: values } = await metrics.send("Performance.getMetrics");
  return values.find(({ name }) => name === "TaskDuration")!.value * 1_000;
}
