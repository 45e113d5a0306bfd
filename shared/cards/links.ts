/** Which addresses a card may link to: pages of this site and the web, nothing that runs and no other scheme (§24.2). */
import { LIMITS } from "../limits";
import { isWebUrl } from "../text/web-url";

/** A path must stay on the site whichever that is, so it is resolved on two that do not exist. */
const SITES = ["https://a.invalid", "https://b.invalid"];

/** The address in the form in which it is followed, or undefined for one that a card must not hold. */
export function linkAddress(href: unknown): string | undefined {
  if (typeof href !== "string" || href.length > LIMITS.cardLinkChars) return undefined;
  if (isWebUrl(href)) return new URL(href).href;
  return sitePath(href);
}

function sitePath(href: string): string | undefined {
  if (!href.startsWith("/")) return undefined;
  // The parser takes `//host` and `/\host` for another site, also with line breaks and tabs in between.
  const leaves = SITES.some((site) => !URL.canParse(href, site) || new URL(href, site).origin !== site);
  if (leaves) return undefined;
  const { pathname, search, hash } = new URL(href, SITES[0]);
  // What `/.//host` comes to: resolved once more it would leave.
  return pathname.startsWith("//") ? undefined : pathname + search + hash;
}
