/** A turn as markup: what is said of an answer that broke off. */
import { expect, it } from "bun:test";
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import en from "../../messages/en.json";
import type { Answer } from "./chat-model";
import { Turn } from "./turn";

function wordsOf(answer: Partial<Answer>): string {
  const turn = {
    number: 1,
    turnSeq: 0,
    prompt: "Why?",
    askedAt: "2026-11-30T12:00:00.000Z",
    answer: { text: "", steps: [], status: "interrupted" as const, watchedFromMs: null, ...answer },
  };
  const nothing = () => {};
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={en} timeZone="UTC">
      <Turn turn={turn} last onAskAgain={nothing} onAskWhy={nothing} onShowInTrace={nothing} />
    </NextIntlClientProvider>,
  );
}

it("an interrupted turn says that what arrived is kept only where something is", () => {
  expect(wordsOf({ text: "Because" })).toContain(en.chat.interrupted);
  expect(wordsOf({})).toContain(en.chat.interruptedEmpty);
  expect(wordsOf({})).not.toContain("kept");
});
