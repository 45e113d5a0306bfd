/**
 * The states of the pages that pictures are taken of, and how a visitor gets there. A state is brought about once a
 * language; what a change of size undoes, or what does not last, is done again for each picture.
 */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { ERRORS } from "../../shared/errors.ts";
import { encodeSse } from "../../shared/sse.ts";
import { type MadeShape, madeSession } from "./made-session.mts";
import {
  CARD_BEING_WRITTEN,
  cardReplies,
  frameReply,
  INVALID_CARD,
  type Language,
  PICTURE_PATH,
  pictureReply,
  proseReply,
} from "./picture-replies.mts";
import type { TcpProxy } from "./tcp-proxy.mts";
import type { WrittenAnswers } from "./written-answers.mts";

export const SIZES = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 800 },
  laptop: { width: 1024, height: 720 },
  small: { width: 320, height: 640 },
  lying: { width: 740, height: 360 },
  /** A4 at 96 dots an inch, within its margins. */
  paper: { width: 718, height: 1_010 },
};
export type Size = keyof typeof SIZES;

export interface Step {
  name: string;
  /** Brings the page into its state, once for a language. */
  act?(page: Page, language: Language, answers: WrittenAnswers | null, wire: TcpProxy | null): Promise<unknown>;
  /** Once more for each picture: what a change of size undoes, or what does not last. */
  dress?(page: Page, size: Size, language: Language): Promise<unknown>;
}

export interface Picture extends Step {
  path: string;
  /** What is pictured on the same page, one after the other, instead of the state itself; names are joined. */
  steps?: readonly Step[];
  /** Sizes that show something of their own; desktop and phone unless said. */
  sizes?: readonly Size[];
  /** Only this part of the page. */
  part?: string;
  /** The page comes back to this session. */
  kept?: KeptName;
  /** Answers are written here and not by the demo. */
  written?: boolean;
  /** Between the page and the site is a wire that can be cut. */
  wired?: boolean;
  /** The session is a made one, in which a guard stopped a call. */
  made?: boolean;
  forcedColors?: boolean;
  /** As it is printed, to its end. */
  paper?: boolean;
}

const ALL_SIZES = ["desktop", "phone", "laptop", "small", "lying"] as const;
const STOP = /^(Stop|停止)$/;
const MENU = /^(Open sessions|Sessions|打开会话列表|会话)$/;
const TRACE = /^(Open the trace|打开追踪)/;
const VIEWS: readonly Step[] = ["timeline", "chain", "lifecycle", "tools"].map((name, place) => ({
  name,
  dress: (page, size) => show(page, size, place),
}));
const REPLAY = /^(replay|回放)$/;
const STARTER = { road: 0, count: 1, script: 2 };

/** The session with a blocked call. */
export const BLOCKED: MadeShape = { turns: 2, trips: 3, blocked: true };

/** What is asked in a session that several pictures show. */
export const KEPT = {
  count: (page: Page) => answer(page, STARTER.count),
  script: (page: Page) => answer(page, STARTER.script),
  six: askSix,
};
export type KeptName = keyof typeof KEPT;

export const PICTURES: readonly Picture[] = [
  { name: "landing", path: "/", sizes: ALL_SIZES },
  { name: "running", path: "/", dress: (page) => begin(page, STARTER.road) },
  { name: "answered", path: "/", kept: "count", act: (page) => fold(page, false) },
  { name: "answered-folded", path: "/", kept: "count", act: (page) => fold(page, true) },
  { name: "failed-call", path: "/", kept: "script", sizes: ALL_SIZES, act: (page) => fold(page, false) },
  { name: "stopped", path: "/", act: (page) => begin(page, STARTER.road).then(() => stop(page)) },
  {
    name: "cut-off",
    path: "/",
    wired: true,
    act: async (page, _language, _answers, wire) => {
      await begin(page, STARTER.road);
      wire!.refuse();
      await page.getByText(/Picking up where it stopped|正在从断点接上/).waitFor();
    },
  },
  { name: "long-session", path: "/", kept: "six", act: answered },
  {
    name: "long-session-scrolled",
    path: "/",
    kept: "six",
    sizes: ["desktop"],
    act: answered,
    // By script: what a wheel or a key moves is still under way when the picture is taken.
    dress: (page) => page.locator("main").evaluate((stage) => stage.scrollBy(0, -900)),
  },
  {
    name: "delete",
    path: "/",
    kept: "script",
    sizes: ["desktop"],
    act: (page) => answered(page).then(() => askToDelete(page)),
  },
  {
    name: "drawer",
    path: "/",
    kept: "script",
    sizes: ["phone", "laptop", "small"],
    act: answered,
    dress: (page) => openDialog(page, MENU),
  },
  { name: "view", path: "/", kept: "script", sizes: ALL_SIZES, act: answered, steps: VIEWS },
  {
    name: "forced-colours",
    path: "/",
    kept: "script",
    sizes: ["desktop"],
    forcedColors: true,
    act: (page) => fold(page, false),
    steps: VIEWS,
  },
  {
    name: "superseded",
    path: "/",
    made: true,
    act: moveTheTrace,
    dress: (page, size) => show(page, size, 0),
  },
  {
    name: "blocked",
    path: "/",
    made: true,
    sizes: ALL_SIZES,
    act: (page) => page.locator("article button[aria-expanded]").last().click(),
  },
  {
    name: "blocked-chain",
    path: "/",
    made: true,
    act: (page) => page.locator("article").last().waitFor(),
    dress: (page, size) => show(page, size, 1),
  },
  {
    name: "replay",
    path: "/",
    kept: "script",
    act: answered,
    dress: (page, size) => show(page, size, 0).then(() => replay(page)),
  },
  {
    name: "filter",
    path: "/",
    kept: "script",
    sizes: ["desktop", "laptop"],
    act: (page) => answered(page).then(() => page.locator("[data-trace-filter]").fill("tool")),
  },
  { name: "sheet-empty", path: "/", sizes: ["phone", "small"], dress: (page) => openDialog(page, TRACE) },
  { name: "help", path: "/", dress: (page) => page.keyboard.press("?") },
  {
    name: "search",
    path: "/",
    kept: "script",
    act: answered,
    dress: (page, _, language) => search(page, language === "zh" ? "脚本" : "script"),
  },
  ...[0, 1, 2, 3].map((place) => ({
    name: `cards-${place + 1}`,
    path: "/",
    written: true,
    sizes: ["desktop", "phone", "small"] as const,
    act: (page: Page, language: Language, answers: WrittenAnswers | null) =>
      reply(page, answers!, cardReplies(language)[place]!),
  })),
  {
    name: "card-invalid",
    path: "/",
    written: true,
    act: async (page, _, answers) => {
      await ask(page, "?");
      await answers!.say(`${INVALID_CARD}\n\n${CARD_BEING_WRITTEN}`);
      await page.locator("article pre").waitFor();
    },
  },
  {
    name: "prose",
    path: "/",
    written: true,
    sizes: ["desktop", "phone", "small"],
    act: (page, language, answers) => reply(page, answers!, proseReply(language)),
  },
  {
    name: "image",
    path: "/",
    written: true,
    act: async (page, language, answers) => {
      const body = readFileSync(new URL("../../apps/web/app/link-preview.png", import.meta.url));
      await page.route(`**${PICTURE_PATH}`, (route) => route.fulfill({ contentType: "image/png", body }));
      await reply(page, answers!, pictureReply(language));
      await page.locator("article img").waitFor();
    },
  },
  {
    name: "frame",
    path: "/",
    written: true,
    sizes: ["desktop", "phone", "small"],
    act: async (page, language, answers) => {
      await reply(page, answers!, frameReply(language));
      await page.locator("article iframe").waitFor();
    },
  },
  {
    name: "forced-colours-cards",
    path: "/",
    written: true,
    sizes: ["desktop"],
    forcedColors: true,
    act: (page, language, answers) => reply(page, answers!, cardReplies(language).join("\n\n")),
  },
  { name: "report", path: "/report", kept: "script", act: reported },
  { name: "report-printed", path: "/report", kept: "script", sizes: ["paper"], paper: true, act: reported },
  { name: "report-none", path: "/report" },
  {
    name: "refused",
    path: "/",
    part: "form",
    steps: [...Object.keys(ERRORS), "unreachable"].map((name) => ({ name, act: (page) => refuse(page, name) })),
  },
  { name: "notes", path: "/notes", sizes: ALL_SIZES },
  { name: "series", path: "/notes/first-word" },
  { name: "chapter", path: "/notes/events/saying-no", sizes: ALL_SIZES },
  { name: "chapter-end", path: "/notes/events/saying-no", dress: (page) => page.evaluate(() => scrollTo(0, 1e6)) },
  { name: "skills", path: "/skills", sizes: ALL_SIZES },
  { name: "skill", path: "/skills/text-tools" },
  { name: "skill-code", path: "/skills/text-tools/scripts/word_frequency.py" },
  { name: "source", path: "/source" },
  { name: "source-code", path: "/source/apps/web/server.mts#L10-L20" },
  { name: "source-search", path: "/source?q=asRole" },
  { name: "about", path: "/about", sizes: ALL_SIZES },
  { name: "not-found", path: "/nothing" },
];

/** In mid-turn, and after the API went away: the turn that it was at, then a question that nobody takes. */
export const THE_END: Picture = {
  name: "end",
  path: "/",
  act: (page) => begin(page, STARTER.road),
  steps: [
    { name: "interrupted", act: interrupted },
    { name: "offline", act: refusedByNobody },
  ],
};

/** Faces are there, and the frame after the last change is drawn. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });
}

/** Chooses a starter in a new session and waits until the answer has begun. */
async function begin(page: Page, starter: number): Promise<void> {
  await beginAnew(page);
  await page.getByRole("main").getByRole("listitem").getByRole("button").nth(starter).click();
  await page.locator("[data-turn] article").last().getByText("before_agent_start").waitFor();
}

/** The landing, as in a new tab: forgotten on a page that does not remember the session again. */
async function beginAnew(page: Page): Promise<void> {
  await page.goto(new URL("/about", page.url()).href);
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(new URL("/", page.url()).href);
}

async function ask(page: Page, question: string): Promise<void> {
  const field = page.locator("textarea");
  await field.fill(question);
  await field.press("Enter");
}

async function answer(page: Page, starter: number): Promise<void> {
  await page.getByRole("main").getByRole("listitem").getByRole("button").nth(starter).click();
  await answered(page);
}

/** The answer is whole, and so is its trace, which only a wide page shows. */
async function answered(page: Page): Promise<void> {
  await page.locator("[data-turn]").last().locator('article[aria-busy="false"]').last().waitFor({ timeout: 60_000 });
  await page.locator("[data-turn]").last().getByText("agent_settled").waitFor();
  await drawn(page);
}

/** No text is left as it was written: what draws Markdown is fetched when it is needed, and then goes turn by turn. */
async function drawn(page: Page): Promise<void> {
  const written = page.locator("[class*=asWritten]");
  while ((await written.count()) > 0) await written.first().waitFor({ state: "detached" });
}

async function reply(page: Page, answers: WrittenAnswers, text: string): Promise<void> {
  await ask(page, "?");
  await answers.say(text);
  await answers.end();
  await page.locator('[data-turn] article[aria-busy="false"]').last().waitFor();
  await drawn(page);
  // Cards and frames are fetched when the first one is needed.
  const being = page.getByText(/^(Card is being written|卡片生成中)$/);
  while ((await being.count()) > 0) await being.first().waitFor({ state: "detached" });
}

/** The steps of the answer are one row, or shown. */
async function fold(page: Page, folded: boolean): Promise<void> {
  await answered(page);
  const steps = page.locator("[data-turn] article button[aria-expanded]").first();
  if ((await steps.getAttribute("aria-expanded")) === String(folded)) await steps.click();
}

/** What another tab of the same kind does to this one. */
async function moveTheTrace(page: Page): Promise<void> {
  const rows = madeSession(BLOCKED).rows.map((row) => encodeSse({ event: "trace", data: row }));
  const body = [...rows, encodeSse({ event: "bye", data: { reason: "superseded" } })].join("");
  await page.route("**/api/trace/stream*", (route) => route.fulfill({ contentType: "text/event-stream", body }));
  await page.reload();
  await page
    .getByText(/moved to another tab|已转到另一个标签页/)
    .first()
    .waitFor();
}

async function stop(page: Page): Promise<void> {
  await press(page, STOP);
  await page.getByText(/^(Stopped by you|你在|你停止了)/).waitFor();
}

async function askSix(page: Page, language: Language): Promise<void> {
  const [notes, script] =
    language === "zh"
      ? ["你有哪些笔记？", "试着运行一个不存在的脚本"]
      : ["Which notes do you have?", "Try to run a script that does not exist"];
  await answer(page, STARTER.count);
  for (let turn = 2; turn <= 6; turn++) {
    await ask(page, turn % 2 === 0 ? notes : script);
    await page.locator(`[data-turn="${turn}"]`).waitFor();
    await answered(page);
  }
}

/** One of the pictures of the panel, which is a sheet where the page is narrow. */
async function show(page: Page, size: Size, place: number): Promise<void> {
  if (SIZES[size].width <= 768) await openDialog(page, TRACE);
  await page.getByRole("tab").nth(place).click();
  // What is fetched when it is first chosen is there. A wide page has no panel for the first, it is beside the turns.
  await page
    .locator(place === 0 ? "[data-trace-row]" : "[role=tabpanel] p")
    .first()
    .waitFor();
}

/** Twenty events after the first. A page that was in the past already stays there. */
async function replay(page: Page): Promise<void> {
  const slider = page.getByRole("slider");
  if ((await slider.count()) === 0) await press(page, REPLAY);
  await slider.press("Home");
  for (let step = 0; step < 20; step++) await slider.press("ArrowRight");
}

async function search(page: Page, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("searchbox").first().fill(words);
}

async function reported(page: Page): Promise<void> {
  await page.getByRole("article").waitFor();
}

async function interrupted(page: Page): Promise<void> {
  await page
    .locator("[data-turn] article")
    .getByText(/interrupted|被中断/)
    .waitFor();
}

async function refusedByNobody(page: Page): Promise<void> {
  await beginAnew(page);
  await ask(page, "Anyone there?");
  await page
    .getByRole("alert")
    .getByText(/did not answer|没有回应/)
    .waitFor();
}

async function askToDelete(page: Page): Promise<void> {
  await page.getByRole("complementary").getByRole("listitem").first().getByRole("button").last().click();
}

async function refuse(page: Page, code: string): Promise<void> {
  await page.unroute("**/api/agent/ask");
  await page.route("**/api/agent/ask", (route) =>
    code in ERRORS
      ? route.fulfill({ status: ERRORS[code as keyof typeof ERRORS].status, json: { error: "", code } })
      : route.abort(),
  );
  await ask(page, "How does the guard decide?");
  await page.getByRole("alert").getByRole("paragraph").waitFor();
}

/** The drawer or the sheet, which are fetched when they are first opened. */
async function openDialog(page: Page, name: RegExp): Promise<void> {
  await press(page, name);
  await page.getByRole("dialog").waitFor();
}

async function press(page: Page, name: RegExp): Promise<void> {
  await page.getByRole("button", { name }).first().click();
}
