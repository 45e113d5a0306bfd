/**
 * What is kept of a User-Agent header: browser family and platform family, 42 pairs in all (§22.1). The header itself
 * tells machines apart, so it goes no further than this function.
 */
export const BROWSERS = ["Bot", "Edge", "Opera", "Firefox", "Chrome", "Safari", "Other"] as const;
export const PLATFORMS = ["Android", "iOS", "Windows", "macOS", "Linux", "Other"] as const;
type Browser = (typeof BROWSERS)[number];
type Platform = (typeof PLATFORMS)[number];

export type AgentFamily = `${Browser}/${Platform}`;

/** In the order they are asked for: most browsers claim to be Chrome, and Chrome to be Safari. */
const BROWSER_MARKS: readonly [Browser, RegExp][] = [
  [
    "Bot",
    /bot\b|bot[-/;]|crawl|spider|slurp|headless|preview|monitor|curl|wget|python|go-http|java\/|okhttp|axios|node/i,
  ],
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\b(?:OPR|OPiOS|OPT|Opera)\b/],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|Chromium|CriOS)\//],
  ["Safari", /\bSafari\//],
];

/** Android names Linux, and iOS names Mac OS. */
const PLATFORM_MARKS: readonly [Platform, RegExp][] = [
  ["Android", /Android/],
  ["iOS", /\b(?:iPhone|iPad|iPod)\b/],
  ["Windows", /Windows/],
  ["macOS", /Macintosh|Mac OS X/],
  ["Linux", /Linux|X11/],
];

export function agentFamily(userAgent: string): AgentFamily {
  const [browser = "Other"] = BROWSER_MARKS.find(([, mark]) => mark.test(userAgent)) ?? [];
  const [platform = "Other"] = PLATFORM_MARKS.find(([, mark]) => mark.test(userAgent)) ?? [];
  return `${browser}/${platform}`;
}
