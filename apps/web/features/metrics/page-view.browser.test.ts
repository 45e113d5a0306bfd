/** What a page tells of being opened, as it goes over the wire: a path a page, no cookie, and nothing when asked not to. */
import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { newVisitor, openBrowser } from "../../../../tests/support/browser.mts";
import { START_MS, startWebSite, type WebSite } from "../../../../tests/support/web-site.mts";

const PATIENCE_MS = 60_000;

describe("a page view", () => {
  let site: WebSite;
  let browser: Browser;
  beforeAll(async () => {
    [site, browser] = await Promise.all([startWebSite(), openBrowser()]);
  }, START_MS);
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });

  /** Goes through three pages, and gives what the beacon sent meanwhile. */
  async function walk(prepare: (page: Page) => Promise<unknown> = async () => {}) {
    const sent: { body: string | null; cookie: string | undefined; status: number | undefined }[] = [];
    const reading: Promise<void>[] = [];
    const { page, complaints, close } = await newVisitor(browser, {
      prepare: async (fresh) => {
        await prepare(fresh);
        fresh.on("request", (request) => {
          if (!request.url().endsWith("/api/t")) return;
          const read = async () => {
            const { cookie } = await request.allHeaders();
            sent.push({ body: request.postData(), cookie, status: (await request.response())?.status() });
          };
          reading.push(read());
        });
      },
    });
    // A visitor with a cookie, so that there is one to leave behind.
    await page.context().addCookies([{ name: "xr_visitor", value: "c0ffee", url: site.url }]);
    await page.goto(`${site.url}/notes?ask=private#place`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator('a[href="/notes/events"]').first().click();
    await page.waitForURL("**/notes/events");
    await page.locator('a[href="/notes/events/one-turn"]').first().click();
    await page.waitForURL("**/notes/events/one-turn");
    await page.waitForLoadState("networkidle");
    await Promise.all(reading);
    const stored = await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]);
    await close();
    return { sent, stored, complaints };
  }

  it(
    "is told once for each page, by its path alone, without the visitor's cookie, and nothing is stored",
    async () => {
      const { sent, stored, complaints } = await walk();
      expect(sent).toEqual(
        ["/notes", "/notes/events", "/notes/events/one-turn"].map((path) => ({
          body: JSON.stringify({ path }),
          cookie: undefined,
          status: 204,
        })),
      );
      expect(stored).toEqual([0, 0, "xr_visitor=c0ffee"]);
      expect(complaints).toEqual([]);
    },
    PATIENCE_MS,
  );

  it.each(["globalPrivacyControl", "doNotTrack"] as const)(
    "is not told where %s asks for that",
    async (wish) => {
      const { sent } = await walk((page) =>
        page.addInitScript((name) => {
          Object.defineProperty(navigator, name, { value: name === "doNotTrack" ? "1" : true });
        }, wish),
      );
      expect(sent).toEqual([]);
    },
    PATIENCE_MS,
  );
});
