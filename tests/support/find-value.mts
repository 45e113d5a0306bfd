/**
 * Looks for a value in raw bytes as a curious reader would: as it stands, and in each dress in which it could have left
 * unnoticed. A stream of answer pieces is also read as the text that they add up to.
 */
import { parseSse } from "./visitor.mts";

/** Digits that hashes hold by chance: they count where they are a number of their own. */
const SHORT_NUMBER = /^\d{1,8}$/;
const wholeNumber = (text: string, digits: string) => text.search(new RegExp(`(?<![\\w#])${digits}(?!\\w)`));

/** Where the value stands, with what is around it; undefined when it is nowhere. */
export function findValue(haystack: string, value: string): string | undefined {
  for (const text of [haystack, joinedDeltas(haystack)]) {
    for (const form of formsOf(value)) {
      const at = SHORT_NUMBER.test(form) ? wholeNumber(text, form) : text.toLowerCase().indexOf(form.toLowerCase());
      if (at >= 0) return text.slice(Math.max(0, at - 60), at + form.length + 60);
    }
  }
  return undefined;
}

/** As JSON inside JSON, in an address, in base64 wherever it begins, in hex, and backwards. */
function formsOf(value: string): Set<string> {
  if (SHORT_NUMBER.test(value)) return new Set([value]);
  const escaped = JSON.stringify(value).slice(1, -1);
  return new Set([
    value,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString("hex"),
    [...value].reverse().join(""),
    ...[0, 1, 2].map((offset) => base64Core(value, offset)),
  ]);
}

/** What base64 makes of the value when so many bytes stand before it, without the characters that its neighbours share. */
function base64Core(value: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 3));
  return whole.toString("base64").slice(Math.ceil((offset * 8) / 6));
}

function joinedDeltas(text: string): string {
  if (!text.includes("event: delta")) return "";
  return parseSse(text)
    .flatMap(({ event, data }) => (event === "delta" ? [data.text] : []))
    .join("");
}
