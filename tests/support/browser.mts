/**
 * One Chromium for browser tests. Every page is watched: what it asks of the network and what it complains about is
 * kept, so that a test can say "nothing left this machine" and "no error".
 */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

export { openBrowser } from "../../cli/chromium.mts";

export interface Watched {
  page: Page;
  /** Origins of all requests so far. */
  origins: Set<string>;
  /** Console errors and uncaught exceptions so far. */
  complaints: string[];
  close(): Promise<void>;
}

export interface VisitorOptions extends BrowserContextOptions {
  language?: "en" | "zh";
  /** Called before anything is loaded, with the page. */
  prepare?(page: Page): Promise<void>;
}

/** A new visitor with an own cookie jar. */
export async function newVisitor(browser: Browser, options: VisitorOptions = {}): Promise<Watched> {
  const { language = "en", prepare, ...context } = options;
  const jar = await browser.newContext({
    locale: language === "zh" ? "zh-CN" : "en-US",
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    ...context,
  });
  const page = await jar.newPage();
  const origins = new Set<string>();
  const complaints: string[] = [];
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await prepare?.(page);
  return { page, origins, complaints, close: () => jar.close() };
}
