/** What the composer says of a message that is too long: by how much, and how long one may be. */
import { expect, it } from "bun:test";
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { LIMITS } from "../../../../shared/limits";
import extras from "../../messages/chat-extras.en.json";
import extrasZh from "../../messages/chat-extras.zh.json";
import en from "../../messages/en.json";
import zh from "../../messages/zh.json";
import type { Refusal } from "./chat-model";
import { Composer } from "./composer";

const MESSAGES = { en: { ...en, ...extras }, zh: { ...zh, ...extrasZh } };

function wordsOf(locale: "en" | "zh", text: string, refusal: Refusal | null = null): string {
  const nothing = () => {};
  const markup = renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={MESSAGES[locale]} timeZone="UTC">
      <Composer
        text={text}
        onTextChange={nothing}
        running={false}
        stopping={false}
        narrow={false}
        refusal={refusal}
        refusedText
        again={false}
        demo={false}
        onSend={nothing}
        onStop={nothing}
        onNewSession={nothing}
        field={null}
      />
    </NextIntlClientProvider>,
  );
  return markup.replace(/<textarea.*<\/textarea>/s, "").replace(/<[^>]*>/g, "");
}

it("a text one over the limit says so, and the limit", () => {
  const over = "a".repeat(LIMITS.promptChars + 1);
  expect(wordsOf("en", over)).toContain("1 character too many, 4,000 at most");
  expect(wordsOf("zh", over)).toContain("超出 1 字，最多 4,000 字");
  expect(wordsOf("en", over.slice(1))).not.toContain("at most");
});

it("a text that was refused as too long says the limit", () => {
  const refusal = { code: "too_large" } as const;
  expect(wordsOf("en", "a", refusal)).toContain("This message is too long: 4,000 characters at most.");
  expect(wordsOf("zh", "a", refusal)).toContain("最多 4,000 字");
});
