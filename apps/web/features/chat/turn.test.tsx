/** A turn as markup: what is said of an answer that broke off, of a call that was blocked, and what can be done. */
import { expect, it } from "bun:test";
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import extras from "../../messages/chat-extras.en.json";
import en from "../../messages/en.json";
import type { Blocked } from "../trace";
import type { Answer } from "./chat-model";
import { Turn } from "./turn";

function wordsOf(answer: Partial<Answer>, blocked: ReadonlyMap<string, Blocked> = new Map(), last = true): string {
  const turn = {
    number: 1,
    turnSeq: 0,
    prompt: "Why?",
    askedAt: "2026-11-30T12:00:00.000Z",
    answer: { text: "", steps: [], status: "interrupted" as const, watchedFromMs: null, ...answer },
  };
  const nothing = () => {};
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={{ ...en, ...extras }} timeZone="UTC">
      <Turn turn={turn} last={last} blocked={blocked} onAskAgain={nothing} onAskWhy={nothing} onShowInTrace={nothing} />
    </NextIntlClientProvider>,
  );
}

it("an interrupted turn says that what arrived is kept only where something is", () => {
  expect(wordsOf({ text: "Because" })).toContain(en.chat.interrupted);
  expect(wordsOf({})).toContain(en.chat.interruptedEmpty);
  expect(wordsOf({})).not.toContain("kept");
});

const FAILED = {
  toolCallId: "a",
  name: "skill_run",
  at: 0,
  inputPreview: "word_cloud",
  resultPreview: "No such script.",
  state: "failed" as const,
  durationMs: 3,
};

it("a blocked call says who said no and why, and only a failed one its duration and its result", () => {
  const answer = { status: "completed", steps: [FAILED], watchedFromMs: 1 } as const;
  const failed = wordsOf(answer);
  for (const words of [">failed<", "3 ms", "No such script."]) expect(failed).toContain(words);
  const blocked = wordsOf(answer, new Map([["a", { by: "xray-guard", reason: "not in the list" }]]));
  for (const words of [">blocked<", "<bdi>xray-guard</bdi>: not in the list", "ask why"])
    expect(blocked).toContain(words);
  for (const words of [">failed<", "3 ms", "No such script."]) expect(blocked).not.toContain(words);
  expect(wordsOf(answer, new Map([["a", { by: "xray-guard" }]]))).toContain("blocked by <bdi>xray-guard</bdi>");
});

it("a turn that is over offers its texts, and only the last whole one its question again", () => {
  const acts = [extras.extras.copyAnswer, extras.extras.copyQuestion, extras.extras.again];
  const offered = (answer: Partial<Answer>, last = true) => {
    const words = wordsOf(answer, undefined, last);
    return acts.filter((act) => words.includes(act));
  };
  expect(offered({ status: "completed", text: "Because" })).toEqual(acts);
  expect(offered({ status: "completed", text: "Because" }, false)).toEqual(acts.slice(0, 2));
  expect(offered({ status: "interrupted" })).toEqual(acts.slice(1, 2));
  expect(offered({ status: "running", text: "Be" })).toEqual([]);
});
