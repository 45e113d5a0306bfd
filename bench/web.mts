/**
 * Claim: the first visit to the Runtime page brings at most 200 KB of JavaScript and 200 KB of fonts, as the network
 * carries them, and its first paint waits for nothing else. The baseline is the About page: Next, React, the
 * translations and the bars that every page has. Paint and blocking are medians of five fresh visitors.
 */
import type { Browser } from "playwright-core";
import { newVisitor, openBrowser } from "../tests/support/browser.mts";
import { type PageWeight, weighPage } from "../tests/support/page-weight.mts";
import { startWebSite } from "../tests/support/web-site.mts";
import { judge, median } from "./lib.mts";

const VISITS = 5;
const KB = 1_024;
const AT_MOST_KB = 200;
const AT_MOST_PAINT_MS = 2_500;
const AT_MOST_BLOCKED_MS = 200;
const READING = "/about";

interface Visit {
  weight: PageWeight;
  /** Largest contentful paint. */
  paintMs: number;
  /** What tasks took beyond 50 ms each, together. */
  blockedMs: number;
}

const [site, browser] = await Promise.all([startWebSite(), openBrowser()]);
try {
  const runtime: Visit[] = [];
  const reading: Visit[] = [];
  // One more, to warm the server up.
  for (let visit = 0; visit <= VISITS; visit++) {
    const [one, other] = [await visitPage(browser, "/"), await visitPage(browser, READING)];
    if (visit === 0) continue;
    runtime.push(one);
    reading.push(other);
  }
  print("/", runtime);
  print(READING, reading);
  const scriptKb = runtime[0]!.weight.script / KB;
  console.log(`web ratio ${(scriptKb / (reading[0]!.weight.script / KB)).toFixed(2)} to ${READING}, JavaScript`);
  const verdicts = [
    judge({ name: "JavaScript of /", unit: "KB", measured: scriptKb, atMost: AT_MOST_KB }),
    judge({ name: "fonts of /", unit: "KB", measured: runtime[0]!.weight.font / KB, atMost: AT_MOST_KB }),
    judge({
      name: "largest contentful paint of /",
      unit: "ms",
      measured: median(runtime.map(({ paintMs }) => paintMs)),
      atMost: AT_MOST_PAINT_MS,
      digits: 0,
    }),
    judge({
      name: "total blocking time of /",
      unit: "ms",
      measured: median(runtime.map(({ blockedMs }) => blockedMs)),
      atMost: AT_MOST_BLOCKED_MS,
      digits: 0,
    }),
  ];
  process.exitCode = verdicts.every(Boolean) ? 0 : 1;
} finally {
  await browser.close();
  await site.stop();
}

async function visitPage(from: Browser, path: string): Promise<Visit> {
  const { page, close } = await newVisitor(from);
  await page.addInitScript(() => {
    const seen = { paintMs: 0, blockedMs: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      seen.paintMs = list.getEntries().at(-1)!.startTime;
    }).observe({ type: "largest-contentful-paint", buffered: true });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.blockedMs += duration - 50;
    }).observe({ type: "longtask", buffered: true });
  });
  const weight = await weighPage(page, site.url + path);
  const seen = await page.evaluate(() => (window as unknown as { seen: Omit<Visit, "weight"> }).seen);
  await close();
  return { weight, ...seen };
}

function print(path: string, visits: Visit[]): void {
  const bytes = Object.entries(visits[0]!.weight).map(([type, size]) => `${type} ${(size / KB).toFixed(1)} KB`);
  const paint = median(visits.map(({ paintMs }) => paintMs)).toFixed(0);
  const blocked = median(visits.map(({ blockedMs }) => blockedMs)).toFixed(0);
  console.log(`${path}: ${bytes.join(", ")}; largest contentful paint ${paint} ms, blocking ${blocked} ms`);
}
