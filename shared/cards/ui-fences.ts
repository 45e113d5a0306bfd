/**
 * Which fences of an answer may become a card or a frame: the first two, both languages counted together (§24.1),
 * whatever their content turns out to be. One counter belongs to one text, asked in the order of its parsed tree.
 */
import { FRAME_LANGUAGE } from "../frames/frame-bounds";
import { LIMITS } from "../limits";
import { CARD_LANGUAGE } from "./card";

export interface FenceMark {
  language: string;
  source: string;
  closed: boolean;
  /** Where it begins in the text. */
  offset: number;
}

/** The languages that cards and frames are written in. */
export const isUiLanguage = (language: string): boolean => language === CARD_LANGUAGE || language === FRAME_LANGUAGE;

/** Answers the same for the same fence however often it is asked, while the text grows. */
export function uiFenceCounter(): (fence: FenceMark) => boolean {
  const taken = new Set<number>();
  return ({ language, source, closed, offset }) => {
    if (!isUiLanguage(language)) return false;
    if (taken.has(offset)) return true;
    if (taken.size >= LIMITS.cardFences) return false;
    // While the opening line is still being written, its language may go on: it takes no place yet.
    if (source !== "" || closed) taken.add(offset);
    return true;
  };
}
