/**
 * Text as people see it. Whatever a person reads and whatever is sent or stored on their behalf must be the same
 * characters, so everything invisible goes before a text becomes a prompt, a title or a label (§7, §24.3,
 * architecture §14 "Text"). Pure and idempotent, alike in the browser and on the server; results are well-formed.
 */
import { LIMITS } from "../limits";

const LINE_BREAK = /\r\n?|[\u0085\u2028\u2029]/g;
const PICTOGRAPH = "\\p{Extended_Pictographic}";
const LETTER = `[${["Arab", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Sinh"]
  .map((script) => `\\p{Script=${script}}`)
  .join("")}]`;

/** Made when first used: the tables of Unicode behind them take a browser longer than all else a page needs to begin. */
const unicode = once(() => ({
  /** Controls, format characters, lone surrogates and all that Unicode leaves out of display. */
  invisible:
    /(?!\n|\t|\u200C|\u200D|[\uFE00-\uFE0F])[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/gu,
  /** A joiner shows where it shapes something: inside an emoji, and between letters of scripts that spell with it. */
  joiner: new RegExp(
    `((?<=${PICTOGRAPH}[\\uFE0F\\u{1F3FB}-\\u{1F3FF}]?)\\u200D(?=${PICTOGRAPH})` +
      `|(?<=${LETTER})[\\u200C\\u200D](?=${LETTER}))|[\\u200C\\u200D]`,
    "gu",
  ),
  /** One variation selector picks a form of the character before it; a second in a row could only carry a message. */
  idleSelector: /(?<=^|\n|\t|[\uFE00-\uFE0F])[\uFE00-\uFE0F]/gu,
}));

/**
 * Removes what cannot be seen. With `keep: "\n\t"` line breaks and tabs stay and every kind of line break becomes
 * `\n` (prompts, prefilled text); with `keep: ""` they go too.
 */
export function stripInvisible(text: string, options: { keep: "\n\t" | "" }): string {
  const lines = options.keep === "" ? text.replace(/[\n\t]/g, "") : text.replace(LINE_BREAK, "\n");
  const { invisible, joiner, idleSelector } = unicode();
  // Joiners before selectors: a removed joiner may leave two selectors side by side.
  return lines.replace(invisible, "").replace(joiner, "$1").replace(idleSelector, "");
}

/** The text on one line: visible characters, each run of blanks a single space, no blank at either end. */
export function oneLine(text: string): string {
  return stripInvisible(text, { keep: "\n\t" })
    .replace(/[\s\u2800]+/g, " ")
    .trim();
}

/** The first line in which anything can be seen, as `oneLine` leaves it; empty when there is none. */
export function firstLine(text: string): string {
  for (const line of stripInvisible(text, { keep: "\n\t" }).split("\n")) {
    const shown = oneLine(line);
    if (shown !== "") return shown;
  }
  return "";
}

const graphemes = once(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

/** At most `max` grapheme clusters from the start: never half a flag, a syllable or an emoji. */
export function cutGraphemes(text: string, max: number): string {
  if (text.length <= max) return text;
  let count = 0;
  for (const { index } of graphemes().segment(text)) {
    if (count === max) return text.slice(0, index);
    count += 1;
  }
  return text;
}

/** A session's title before anyone names it: the first line of the first message (§7). Empty when nothing shows. */
export function derivedTitle(prompt: string): string {
  const line = firstLine(prompt);
  const title = cutGraphemes(line, LIMITS.titleGraphemes);
  return title === line ? title : `${title.trimEnd()}…`;
}

const OPENING = "\"'`*“‘„«‹「『《〈【";
const CLOSING = "\"'`*”’“»›」』》〉】";
const TRAILING = /[\s.,;:!?…·~\-–—。．，、；：！？～]+$/u;

/**
 * A title that a model proposed, fit to be stored and shown: one line, not wrapped in quotes, no closing punctuation,
 * at most 40 graphemes (§7). Null when no letter or digit is left.
 */
export function cleanTitle(raw: string): string | null {
  let title = firstLine(raw);
  // Each step may uncover work for another: `"Hello."!`, or a cut that ends on a comma.
  for (let before = ""; before !== title; ) {
    before = title;
    title = cutGraphemes(unquote(title.replace(TRAILING, "")).trim(), LIMITS.titleGraphemes);
  }
  return /[\p{L}\p{N}]/u.test(title) ? title : null;
}

/** Removes one pair of quotes around the whole text. `"A" or "B"` begins and ends with quotes that are no pair. */
function unquote(text: string): string {
  const open = text.charAt(0);
  const close = CLOSING.charAt(OPENING.indexOf(open));
  if (text.length < 2 || !OPENING.includes(open) || !text.endsWith(close)) return text;
  const inner = text.slice(1, -1);
  const nested = inner.startsWith(open) && inner.endsWith(close);
  return nested || !(inner.includes(open) || inner.includes(close)) ? inner : text;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
