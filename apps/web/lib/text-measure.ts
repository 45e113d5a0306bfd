/**
 * What language a text of the owner's is written in and how long it takes to read, whatever language the page around it
 * speaks: Chinese is counted in characters, anything else in words.
 */
import type { Language } from "./preference";

const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const WORD = /[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*/gu;
/** Reading for understanding; slower than a novel. */
const HAN_PER_MINUTE = 350;
const WORDS_PER_MINUTE = 220;

export interface TextMeasure {
  language: Language;
  /** At least one. */
  minutes: number;
}

export function measureText(text: string): TextMeasure {
  const { han, words } = count(text);
  return {
    language: languageOfCounts(han, words),
    minutes: Math.max(1, Math.round(han / HAN_PER_MINUTE + words / WORDS_PER_MINUTE)),
  };
}

/** For the `lang` of an element: Chinese as soon as its characters outnumber the Latin words between them. */
export function languageOf(text: string): Language {
  const { han, words } = count(text);
  return languageOfCounts(han, words);
}

const languageOfCounts = (han: number, words: number): Language => (han > words ? "zh" : "en");

function count(text: string): { han: number; words: number } {
  return { han: text.match(HAN)?.length ?? 0, words: text.replace(HAN, " ").match(WORD)?.length ?? 0 };
}
