/**
 * The one way a tool's input or output becomes a short text that a visitor may see (§4.2, §5.3): keys and values
 * redacted, at most `previewChars` UTF-16 units, then a mark where it was cut. Both streams call it with the same
 * value, so that they cut at the same place; only the mark differs, and neither mark is in a language.
 */
import { LIMITS } from "../limits";
import { boundedJson, cutText } from "./bounded-json";

export type PreviewMark = "ask" | "trace";

/** Ends a cut preview of the ask stream; the page may show it in the visitor's language. */
export const ASK_CUT_MARK = "…[cut]";

const CUT_MARKS: Record<PreviewMark, (omittedChars: number) => string> = {
  ask: () => ASK_CUT_MARK,
  trace: (omittedChars) => `…[+${omittedChars} chars]`,
};

/** `…[+N chars]`, the mark of the trace stream, as a function of N. */
export const traceCutMark = CUT_MARKS.trace;

/** Text as it is, anything else as JSON; "" for what JSON does not have. */
export function previewText(value: unknown, options: { mark: PreviewMark; chars?: number }): string {
  const chars = options.chars ?? LIMITS.previewChars;
  const cutMark = CUT_MARKS[options.mark];
  if (typeof value === "string") return cutText(value, chars, cutMark);
  let omittedInside = 0;
  const json = boundedJson(value, {
    // Longer than the preview, so that the one cut that shows is the outer one.
    stringChars: 2 * chars,
    totalChars: 4 * chars,
    cutMark: (omitted) => {
      omittedInside += omitted;
      return "";
    },
  });
  if (json === undefined) return "";
  return cutText(JSON.stringify(json), chars, (omitted) => cutMark(omitted + omittedInside));
}
