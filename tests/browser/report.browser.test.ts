/**
 * A session on paper, of whatever the wire may carry: names and texts that would be markup, a call that was stopped, a
 * turn that still runs. Nothing of it acts, and the file of the events is what came over the wire.
 */
import { afterAll, beforeAll, expect, it, setDefaultTimeout } from "bun:test";
import type { Browser } from "playwright-core";
import { pathsOf } from "../../cli/paths.mts";
import { buildWeb } from "../../cli/web-build.mts";
import type { MessageView } from "../../shared/contracts/agent.ts";
import { newVisitor, openBrowser } from "../support/browser.mts";
import { type MadeSession, madeSession } from "../support/made-session.mts";
import { FED_SESSION, type SessionFeeder, startFeeder } from "../support/session-feeder.mts";
import type { WatchedProcess } from "../support/watched-process.mts";
import { START_MS, startWeb } from "../support/web-site.mts";

setDefaultTimeout(60_000);

const MARKUP =
  '<img src=x onerror="window.hit=1"></script><script>window.hit=2</script> [a](javascript:window.hit=3) ![b](http://127.0.0.1:9/b.png)';

let feeder: SessionFeeder;
let web: WatchedProcess;
let browser: Browser;

beforeAll(async () => {
  await buildWeb(pathsOf(), AbortSignal.timeout(START_MS), () => {});
  feeder = await startFeeder();
  web = startWeb(feeder.url);
  browser = await openBrowser();
}, START_MS);
afterAll(async () => {
  await browser?.close();
  await web?.stop();
  await feeder?.close();
});

async function open(session: MadeSession, id = FED_SESSION) {
  feeder.store(session);
  const visitor = await newVisitor(browser);
  await visitor.page.addInitScript((id) => sessionStorage.setItem("xr_session", id), id);
  await visitor.page.goto(`${await web.url()}/report`);
  return visitor;
}

/** One turn whose every text is markup, and an event of a type that is. */
function hostile(): MadeSession {
  const { messages, rows } = madeSession({ turns: 1, trips: 2 });
  const [question, answer] = messages as [MessageView, MessageView];
  const toolCalls = answer.turn!.toolCalls.map((call) => ({
    ...call,
    name: MARKUP,
    inputPreview: MARKUP,
    resultPreview: MARKUP,
  }));
  return {
    messages: [
      { ...question, content: MARKUP },
      { ...answer, content: MARKUP, turn: { ...answer.turn!, toolCalls } },
    ],
    rows: [...rows, { ...rows.at(-1)!, seq: rows.length, eventType: MARKUP, data: { type: MARKUP, [MARKUP]: MARKUP } }],
  };
}

it("shows markup as the text that it is, asks nobody, and saves the events as they came", async () => {
  const session = hostile();
  const { page, origins, close } = await open(session);
  await page.getByRole("article").getByText("window.hit=1").first().waitFor();
  const save = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the events (JSON)" }).click();
  const file = JSON.parse(await Bun.file(await (await save).path()).text());
  expect(file.rows).toEqual(session.rows);
  expect(await page.evaluate(() => "hit" in window)).toBe(false);
  expect(await page.locator("main img, main script, a[href^=javascript]").count()).toBe(0);
  expect([...origins]).toEqual([await web.url()]);
  await close();
});

it("says of a stopped call who stopped it, and of a turn that runs that it does", async () => {
  const { page, close } = await open(madeSession({ turns: 1, trips: 3, blocked: true }));
  const steps = page.getByRole("article").getByRole("listitem");
  expect(await steps.nth(0).getByRole("paragraph").innerText()).toMatch(/^notes_search\s+32 ms$/);
  expect(await steps.nth(1).getByRole("paragraph").innerText()).toMatch(/^skill_run\s+blocked by xray-guard$/);
  feeder.begin("Another question");
  await page.reload();
  await page.getByText("This turn was still running when the page was made.").waitFor();
  await close();
});

it("says that a session cannot be read whose id is none", async () => {
  const { page, close } = await open(madeSession({ turns: 1, trips: 1 }), "../../agent/sessions");
  await page.getByText("The session cannot be read.").waitFor();
  await close();
});
