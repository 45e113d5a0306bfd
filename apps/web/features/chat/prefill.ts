/**
 * The question that a link carries into the composer (§26): `/?ask=…`. Read once and taken out of the address; nothing
 * is sent and nothing is stored. A text over the limit is dropped whole, measured as it arrived; then whatever cannot
 * be seen is removed.
 */
import { LIMITS } from "../../../../shared/limits";
import { stripInvisible } from "../../../../shared/text/clean";

export interface Prefill {
  /** Empty when there was none, or none that may be used. */
  text: string;
  /** The address without the question; null when it held none. */
  address: string | null;
}

export function readPrefill(location: { pathname: string; search: string; hash: string }): Prefill {
  const query = new URLSearchParams(location.search);
  const raw = query.get("ask");
  if (raw === null) return { text: "", address: null };
  query.delete("ask");
  const rest = query.toString();
  const address = location.pathname + (rest === "" ? "" : `?${rest}`) + location.hash;
  const text = raw.length > LIMITS.prefillChars ? "" : stripInvisible(raw, { keep: "\n\t" }).trim();
  return { text, address };
}

/** The link that opens Runtime with a question in the composer. */
export function prefillHref(question: string): string {
  return `/?${new URLSearchParams({ ask: question })}`;
}

/** A part of a composed question, short enough that the whole stays under the limit. Never half a character. */
export function cutPart(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
