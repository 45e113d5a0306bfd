/**
 * The states of the pages that pictures are taken of, and how a visitor gets there. A state is brought about once a
 * language; what a change of size undoes, or what does not last, is done again for each picture.
 */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { ERRORS } from "../../shared/errors.ts";
import {
  CARD_BEING_WRITTEN,
  cardReplies,
  INVALID_CARD,
  type Language,
  PICTURE_PATH,
  pictureReply,
  proseReply,
} from "./picture-replies.mts";
import type { WrittenAnswers } from "./written-answers.mts";

export const SIZES = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 800 },
  laptop: { width: 1024, height: 720 },
  small: { width: 320, height: 640 },
  lying: { width: 740, height: 360 },
};
export type Size = keyof typeof SIZES;

export interface Picture {
  name: string;
  path: string;
  /** Sizes that show something of their own; desktop and phone unless said. */
  sizes?: readonly Size[];
  /** Only this part of the page. */
  part?: string;
  /** Answers are written here and not by the demo. */
  written?: boolean;
  /** The session is a made one, in which a guard stopped a call. */
  made?: boolean;
  /** Brings the page into its state, once for a language. */
  act?(page: Page, language: Language, answers: WrittenAnswers | null): Promise<unknown>;
  /** Once more for each picture: what a change of size undoes, or what does not last. */
  dress?(page: Page, size: Size, language: Language): Promise<unknown>;
}

const ALL_SIZES = Object.keys(SIZES) as Size[];
const STOP = /^(Stop|停止)$/;
const MENU = /^(Open sessions|Sessions|打开会话列表|会话)$/;
const TRACE = /^(Open the trace|打开追踪)/;
const REPLAY = /^(replay|回放)$/;
const STARTER = { road: 0, count: 1, script: 2 };

export const PICTURES: readonly Picture[] = [
  { name: "landing", path: "/", sizes: ALL_SIZES },
  { name: "running", path: "/", dress: (page) => begin(page, STARTER.road) },
  { name: "answered", path: "/", act: (page) => answer(page, STARTER.count) },
  { name: "answered-folded", path: "/", act: (page) => answer(page, STARTER.count).then(() => fold(page)) },
  { name: "failed-call", path: "/", sizes: ALL_SIZES, act: (page) => answer(page, STARTER.script) },
  { name: "stopped", path: "/", act: (page) => begin(page, STARTER.road).then(() => stop(page)) },
  { name: "long-session", path: "/", act: askSix },
  {
    name: "long-session-scrolled",
    path: "/",
    sizes: ["desktop"],
    act: askSix,
    dress: (page) => page.mouse.wheel(0, -900),
  },
  {
    name: "delete",
    path: "/",
    sizes: ["desktop"],
    act: (page) => answer(page, STARTER.script).then(() => askToDelete(page)),
  },
  {
    name: "drawer",
    path: "/",
    sizes: ["phone", "laptop", "small"],
    act: (page) => answer(page, STARTER.script),
    dress: (page) => openDialog(page, MENU),
  },
  ...["timeline", "chain", "lifecycle", "tools"].map((view, place) => ({
    name: `view-${view}`,
    path: "/",
    sizes: ALL_SIZES,
    act: (page: Page) => answer(page, STARTER.script),
    dress: (page: Page, size: Size) => show(page, size, place),
  })),
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
    act: (page) => answer(page, STARTER.script),
    dress: (page, size) => show(page, size, 0).then(() => replay(page)),
  },
  {
    name: "filter",
    path: "/",
    sizes: ["desktop", "laptop"],
    act: (page) => answer(page, STARTER.script).then(() => page.locator("[data-trace-filter]").fill("tool")),
  },
  { name: "sheet-empty", path: "/", sizes: ["phone", "small"], dress: (page) => openDialog(page, TRACE) },
  { name: "help", path: "/", dress: (page) => page.keyboard.press("?") },
  {
    name: "search",
    path: "/",
    act: (page) => answer(page, STARTER.script),
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
    name: "report",
    path: "/",
    act: (page) => answer(page, STARTER.script).then(() => toReport(page)),
  },
  { name: "report-none", path: "/report" },
  ...[...Object.keys(ERRORS), "unreachable"].map((code) => ({
    name: `refused-${code}`,
    path: "/",
    part: "form",
    act: (page: Page) => refuse(page, code),
  })),
  { name: "notes", path: "/notes", sizes: ALL_SIZES },
  { name: "series", path: "/notes/first-word" },
  { name: "chapter", path: "/notes/events/saying-no", sizes: ALL_SIZES },
  { name: "chapter-end", path: "/notes/events/saying-no", dress: (page) => page.keyboard.press("End") },
  { name: "skills", path: "/skills", sizes: ALL_SIZES },
  { name: "skill", path: "/skills/text-tools" },
  { name: "skill-code", path: "/skills/text-tools/scripts/word_frequency.py" },
  { name: "source", path: "/source" },
  { name: "source-code", path: "/source/apps/web/server.mts#L10-L20" },
  { name: "source-search", path: "/source?q=asRole" },
  { name: "about", path: "/about", sizes: ALL_SIZES },
  { name: "not-found", path: "/nothing" },
];

/** Faces are there, and the frame after the last change is drawn. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });
}

/** Chooses a starter in a new session and waits until the answer has begun. */
export async function begin(page: Page, starter: number): Promise<void> {
  await beginAnew(page);
  await page.getByRole("main").getByRole("listitem").getByRole("button").nth(starter).click();
  await page.locator("[data-turn] article").last().getByText("before_agent_start").waitFor();
}

/** The landing, as in a new tab: forgotten on a page that does not remember the session again. */
export async function beginAnew(page: Page): Promise<void> {
  await page.goto(new URL("/about", page.url()).href);
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(new URL("/", page.url()).href);
}

export async function ask(page: Page, question: string): Promise<void> {
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
}

async function reply(page: Page, answers: WrittenAnswers, text: string): Promise<void> {
  await ask(page, "?");
  await answers.say(text);
  await answers.end();
  await page.locator('[data-turn] article[aria-busy="false"]').last().waitFor();
  // Cards and frames are fetched when the first one is needed.
  await page
    .getByText(/^(Card is being written|卡片生成中)$/)
    .first()
    .waitFor({ state: "detached" });
}

async function fold(page: Page): Promise<void> {
  await page.locator("[data-turn] article button[aria-expanded]").first().click();
}

async function stop(page: Page): Promise<void> {
  await press(page, STOP);
  await page.getByText(/^(Stopped by you|你在|你停止了)/).waitFor();
}

async function askSix(page: Page): Promise<void> {
  await answer(page, STARTER.count);
  for (let turn = 2; turn <= 6; turn++) {
    await ask(page, turn % 2 === 0 ? "Which notes do you have?" : "Try to run a script that does not exist");
    await page.locator(`[data-turn="${turn}"]`).waitFor();
    await answered(page);
  }
}

/** One of the pictures of the panel, which is a sheet where the page is narrow. */
async function show(page: Page, size: Size, place: number): Promise<void> {
  if (SIZES[size].width <= 768) await openDialog(page, TRACE);
  await page.getByRole("tab").nth(place).click();
  // What is fetched when it is first chosen is there.
  await page.getByRole("tabpanel").locator("p, [data-trace-row]").first().waitFor();
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

async function toReport(page: Page): Promise<void> {
  await page.goto(new URL("/report", page.url()).href);
  await page.getByRole("article").waitFor();
}

async function askToDelete(page: Page): Promise<void> {
  await page.getByRole("complementary").getByRole("listitem").first().getByRole("button").last().click();
}

async function refuse(page: Page, code: string): Promise<void> {
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
