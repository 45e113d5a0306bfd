import { describe, expect, it } from "bun:test";
import { createTranslator } from "next-intl";
import { ERRORS, TURN_ERRORS } from "../../../shared/errors";
import cardsEn from "./cards.en.json";
import cardsZh from "./cards.zh.json";
import extrasEn from "./chat-extras.en.json";
import extrasZh from "./chat-extras.zh.json";
import en from "./en.json";
import framesEn from "./frames.en.json";
import framesZh from "./frames.zh.json";
import panelEn from "./panel.en.json";
import panelZh from "./panel.zh.json";
import reportEn from "./report.en.json";
import reportZh from "./report.zh.json";
import traceEn from "./trace.en.json";
import traceZh from "./trace.zh.json";
import zh from "./zh.json";

type Tree = { [key: string]: string | Tree };

describe("the two languages", () => {
  it("have the same keys, in the same order", () => {
    expect(keysOf(zh)).toEqual(keysOf(en));
    expect(keysOf(cardsZh)).toEqual(keysOf(cardsEn));
    expect(keysOf(extrasZh)).toEqual(keysOf(extrasEn));
    expect(keysOf(framesZh)).toEqual(keysOf(framesEn));
    expect(keysOf(panelZh)).toEqual(keysOf(panelEn));
    expect(keysOf(reportZh)).toEqual(keysOf(reportEn));
    expect(keysOf(traceZh)).toEqual(keysOf(traceEn));
  });

  it("use in Chinese only values and marks that English is given too", () => {
    const namesIn = (text: string) => new Set([...argumentsOf(text), ...tagsOf(text)]);
    for (const [chinese, english] of [
      [zh, en] as const,
      [cardsZh, cardsEn] as const,
      [extrasZh, extrasEn] as const,
      [framesZh, framesEn] as const,
      [panelZh, panelEn] as const,
      [reportZh, reportEn] as const,
      [traceZh, traceEn] as const,
    ]) {
      const given = new Map(flat(english).map(([key, text]) => [key, namesIn(text)]));
      const strange = flat(chinese).filter(([key, text]) =>
        [...namesIn(text)].some((name) => !given.get(key)!.has(name)),
      );
      expect(strange).toEqual([]);
    }
  });

  it("can be formatted, every sentence", () => {
    for (const [locale, messages] of [
      ["en", { ...en, ...cardsEn, ...extrasEn, ...framesEn, ...panelEn, ...reportEn }] as const,
      ["zh", { ...zh, ...cardsZh, ...extrasZh, ...framesZh, ...panelZh, ...reportZh }] as const,
    ]) {
      const problems: string[] = [];
      const t = createTranslator({
        locale,
        messages: messages as Tree,
        onError: (error) => problems.push(error.message),
      });
      for (const [key, text] of flat(messages)) {
        const values = Object.fromEntries([
          ...[...argumentsOf(text)].map((name) => [name, 2]),
          ...[...tagsOf(text)].map((name) => [name, (inside: unknown) => inside]),
        ]);
        (t.rich as unknown as (key: string, values: object) => unknown)(key, values);
      }
      expect(problems).toEqual([]);
    }
  });

  it("have a sentence for every refusal and every way a turn may fail", () => {
    for (const messages of [en, zh]) {
      expect(Object.keys(messages.refusals)).toEqual(expect.arrayContaining(Object.keys(ERRORS)));
      expect(Object.keys(messages.chat)).toEqual(expect.arrayContaining(Object.keys(TURN_ERRORS)));
    }
  });

  it("keep full-width punctuation in Chinese, and 你 for the reader", () => {
    const wrong = flat({ ...zh, ...cardsZh, ...extrasZh, ...framesZh }).filter(([, text]) =>
      /[\u4e00-\u9fff][,.!?;:]|您|！/.test(text.replace(/\{[^{}]*\}/g, "")),
    );
    expect(wrong).toEqual([]);
  });
});

function flat(tree: Tree, path = ""): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [[path + key, value] as [string, string]] : flat(value, `${path}${key}.`),
  );
}
const keysOf = (tree: Tree) => flat(tree).map(([key]) => key);

function argumentsOf(text: string): Set<string> {
  return new Set([...text.matchAll(/\{(\w+)(?=[},])/g)].map((match) => match[1]!).filter((name) => !/^\d/.test(name)));
}

function tagsOf(text: string): Set<string> {
  return new Set([...text.matchAll(/<(\w+)>/g)].map((match) => match[1]!));
}
