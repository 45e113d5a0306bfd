/**
 * Where a provider may live (§2.3 constraint 2, §21.3): the host list in code, which configuration can only add to, and
 * the one rule that compares an address to it. Checked when a provider is written and again before it is used.
 */

/**
 * What each family may call without configuration, by https on the usual port. The lists are apart: a host that may
 * answer questions is not thereby one that may search or draw (§10.2, §11.1).
 */
export const PROVIDER_HOSTS = {
  llm: ["api.deepseek.com", "api.openai.com", "api.anthropic.com"],
  websearch: ["api.deepseek.com"],
  imagegen: ["api.openai.com"],
} as const satisfies Record<string, readonly string[]>;

export type ProviderFamily = keyof typeof PROVIDER_HOSTS;

export type ProviderUrlRefusal =
  | "not_a_url"
  | "not_https"
  | "has_userinfo"
  | "has_query_or_fragment"
  | "host_not_listed";

export type ProviderUrlCheck =
  | { ok: true; url: string }
  | {
      ok: false;
      reason: ProviderUrlRefusal /** What to add to the list, when that is all that is missing. */;
      host?: string;
    };

/** Splits the comma list of one family's variable, such as `XRAY_LLM_EXTRA_HOSTS`. A malformed entry is dropped: it cannot open anything. */
export function parseExtraHosts(list = ""): string[] {
  return list
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => /^([a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(:[1-9]\d{0,4})?$/.test(entry));
}

/**
 * Checks a provider's base URL against its family's built-in hosts and `extraHosts`, entries `host` (port 443) or `host:port`.
 * The host must equal an entry: never a suffix, never a pattern. Plain http is for loopback only, and only for a listed
 * `host:port`. Returns the URL in normal form without a trailing slash.
 */
export function checkProviderUrl(
  text: string,
  family: ProviderFamily,
  extraHosts: readonly string[],
): ProviderUrlCheck {
  const url = parsed(text);
  if (!url) return { ok: false, reason: "not_a_url" };
  const plain = url.protocol === "http:";
  if (!(url.protocol === "https:" || (plain && isLoopback(url.hostname)))) return { ok: false, reason: "not_https" };
  if (url.username || url.password || authorityOf(text).includes("@")) return { ok: false, reason: "has_userinfo" };
  if (/[?#]/.test(text)) return { ok: false, reason: "has_query_or_fragment" };

  const entry = entryOf(url);
  const listed = allowedHosts(family, extraHosts).some((allowed) => normalEntry(allowed, plain) === entry);
  if (!listed) return { ok: false, reason: "host_not_listed", host: entry };
  return { ok: true, url: url.href.replace(/\/+$/, "") };
}

/** Every host that a family may call: its own, then those that the configuration adds. */
export function allowedHosts(family: ProviderFamily, extraHosts: readonly string[]): string[] {
  return [...new Set([...PROVIDER_HOSTS[family], ...extraHosts])];
}

/** Only what is written as a URL in plain ASCII: no spaces or controls that the parser would drop, no `\` for `/`. */
function parsed(text: string): URL | undefined {
  if (!/^https?:\/\/[!-~]+$/i.test(text) || text.includes("\\")) return undefined;
  return URL.canParse(text) ? new URL(text) : undefined;
}

function authorityOf(text: string): string {
  return text.slice(text.indexOf("//") + 2).split(/[/?#]/)[0]!;
}

/** `host`, or `host:port` where the port says something: any but 443, and always with plain http. */
function entryOf(url: URL): string {
  const port = url.port || (url.protocol === "http:" ? "80" : "");
  return port ? `${url.hostname}:${port}` : url.hostname;
}

/** An entry as `entryOf` would spell it. Without a port it means https, so it never admits plain http. */
function normalEntry(entry: string, plain: boolean): string | undefined {
  const candidate = `${plain ? "http" : "https"}://${entry}`;
  if (!URL.canParse(candidate)) return undefined;
  const url = new URL(candidate);
  if (plain && !/:\d+$/.test(entry)) return undefined;
  return url.pathname === "/" && !url.search && !url.hash && !url.username ? entryOf(url) : undefined;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
