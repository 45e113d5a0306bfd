/** What a fence of the language `xray-html` may ask for: how much HTML, and how high a frame (§25). */
import { LIMITS } from "../limits";

export const FRAME_LANGUAGE = "xray-html";

/** Whether the source of a fence may become a frame; one byte more and it stays a block of code. Counts UTF-8 bytes. */
export function fitsFrame(source: string): boolean {
  // A UTF-16 unit is at least one byte, so a longer text need not be encoded to be refused.
  return source.length <= LIMITS.frameSourceBytes && new TextEncoder().encode(source).length <= LIMITS.frameSourceBytes;
}

/** Height in CSS pixels, from `height=<integer>` among the words behind the fence's language; held within the bounds. */
export function frameHeight(meta: string): number {
  const asked = /(?:^|\s)height=(-?\d+)(?=\s|$)/.exec(meta)?.[1];
  if (asked === undefined) return LIMITS.frameHeightDefault;
  return Math.min(LIMITS.frameHeightMax, Math.max(LIMITS.frameHeightMin, Number(asked)));
}
