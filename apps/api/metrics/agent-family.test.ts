/** Real headers of browsers and programs, each with the pair that is kept of it. */
import { expect, it } from "bun:test";
import { agentFamily, BROWSERS, PLATFORMS } from "./agent-family";

const KIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KIT} Chrome/140.0.0.0 Safari/537.36`, "Chrome/Windows"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, "Edge/Windows"],
  [`Mozilla/5.0 (Linux; Android 10; K) ${KIT} Chrome/140.0.0.0 Mobile Safari/537.36 EdgA/140.0.0.0`, "Edge/Android"],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${KIT} Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0`,
    "Opera/macOS",
  ],
  ["Opera/9.80 (X11; Linux x86_64) Presto/2.12.388 Version/12.16", "Opera/Linux"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", "Firefox/Linux"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 FxiOS/143.0 Mobile Safari/605.1.15",
    "Firefox/iOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/140.0 Mobile Safari/604.1",
    "Chrome/iOS",
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari/iOS",
  ],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15", "Safari/macOS"],
  ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Bot/Other"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${KIT} HeadlessChrome/140.0.0.0 Safari/537.36`, "Bot/Linux"],
  ["curl/8.5.0", "Bot/Other"],
  ["", "Other/Other"],
  ["\u0000' OR 1=1", "Other/Other"],
])("%p is %p", (header, family) => {
  expect(agentFamily(header)).toBe(family as never);
});

it("has 42 pairs", () => {
  expect(BROWSERS.length * PLATFORMS.length).toBe(42);
});
