/**
 * Titles, labels and prefilled texts, judged by what they become: the first line of a message as a title, a title that
 * a model proposed, a label on one line, a question in the composer (§7, §24.3, §26).
 */
import { z } from "zod";
import { LIMITS } from "../../shared/limits.ts";
import { cleanTitle, cutGraphemes, derivedTitle, oneLine, stripInvisible } from "../../shared/text/clean.ts";
import { type CaseFormat, caseHead, judged, shown } from "./format.mts";

const item = z.object({
  ...caseHead,
  kind: z.enum(["title", "label", "prefill"]),
  input: z.string(),
  expected: z.string(),
  also_ok: z.array(z.string()).default([]),
  /** `U+XXXX`, or `U+XXXX alone` for half of a surrogate pair. */
  must_not_contain: z.array(z.string().regex(/^U\+[0-9A-F]{4,6}(?: alone)?$/)).default([]),
});
type Item = z.infer<typeof item>;

const BECOMES: Record<Item["kind"], readonly ((input: string) => string | null)[]> = {
  title: [derivedTitle, cleanTitle],
  label: [(input) => cutGraphemes(oneLine(input), LIMITS.titleGraphemes)],
  prefill: [(input) => stripInvisible(input, { keep: "\n\t" })],
};

export const unicodeFormat: CaseFormat = {
  name: "unicode",
  recognises: ({ cases }) => Array.isArray(cases) && cases.length > 0 && item.safeParse(cases[0]).success,
  judge: ({ cases }) =>
    z
      .array(item)
      .parse(cases)
      .map((one) => judged(one, () => faultOf(one))),
};

function faultOf(one: Item): string | null {
  for (const becomes of BECOMES[one.kind]) {
    const result = becomes(one.input);
    // A title without a letter or digit is refused when a model proposes it; the session keeps the derived one.
    if (result === null && !/[\p{L}\p{N}]/u.test(one.expected)) continue;
    const fault = textFault(one, result ?? "");
    if (fault) return fault;
  }
  return null;
}

function textFault({ kind, expected, also_ok, must_not_contain }: Item, result: string): string | null {
  if (!result.isWellFormed()) return `half of a surrogate pair is left in ${shown(result)}`;
  for (const mark of must_not_contain) {
    const character = String.fromCodePoint(Number.parseInt(mark.slice(2), 16));
    if (!mark.endsWith("alone") && result.includes(character)) return `${mark} is left in ${shown(result)}`;
  }
  const allowed = [expected, ...also_ok].map((text) => comparable(text, kind));
  if (allowed.includes(comparable(result, kind))) return null;
  return `became ${shown(result)}, should be ${shown(expected)}`;
}

/** Blanks at the ends do not count; in a title or label neither do runs of blanks, nor the mark of a cut. */
function comparable(text: string, kind: Item["kind"]): string {
  return (kind === "prefill" ? text : text.replace(/\s+/g, " ").replace(/…$/, "")).trim();
}
