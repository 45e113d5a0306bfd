/**
 * The sources of a search (§10.3): web addresses that are marked as such, each once, in the order in which they came. A
 * bare address in prose is none, since nobody can tell where it ends. Nothing here resolves or follows one.
 */
import { LIMITS } from "../../../../shared/limits";
import { oneLine, cutGraphemes } from "../../../../shared/text/clean";
import { isWebUrl } from "../../../../shared/text/web-url";

export type Citation = {
  title: string;
  url: string;
};

/** A Markdown link: a title without brackets, an address without blanks whose parentheses are in pairs. No picture. */
const LINK = /(?<!!)\[([^[\]\n]{1,300})\]\(<?(https?:\/\/(?:[^\s()<>]|\([^\s()<>]*\))+)>?(?:\s+"[^"\n]*")?\)/gi;

/** The links that stand in a text. */
export function markdownLinks(text: string): Citation[] {
  return [...text.matchAll(LINK)].map(([, title, url]) => ({ title: title!, url: url! }));
}

/** Those that may be shown: web addresses that are short enough, each once, and only so many. A cut address leads nowhere. */
export function citationsOf(found: readonly { title?: unknown; url?: unknown }[]): Citation[] {
  const citations = new Map<string, Citation>();
  for (const { title, url } of found) {
    if (citations.size === LIMITS.searchLinks) break;
    if (typeof url !== "string" || url.length > LIMITS.searchLinkUrlChars || !isWebUrl(url)) continue;
    const { href, hostname } = new URL(url);
    if (citations.has(href)) continue;
    citations.set(href, { title: titleOf(title) || hostname, url });
  }
  return [...citations.values()];
}

function titleOf(title: unknown): string {
  if (typeof title !== "string") return "";
  const line = oneLine(title.slice(0, 4 * LIMITS.searchLinkTitleChars));
  const cut = cutGraphemes(line, LIMITS.searchLinkTitleChars);
  return cut.length <= LIMITS.searchLinkTitleChars ? cut : oneLine(cut.slice(0, LIMITS.searchLinkTitleChars));
}
