/**
 * Shows fragments in Chromium as the product shows them, clicks everything in them, and keeps a log of whatever a frame
 * did: scripts run, requests made, pages left. Nothing leaves this machine: the log answers for every host but the page's.
 */
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { type Browser, chromium, type Frame, type Page } from "playwright-core";
import { SECURITY_HEADERS } from "../../apps/web/headers.mts";
import { chromiumPath } from "../prerequisites.mts";
import type { Walls } from "./html-page.mts";

export interface Happening {
  /** Which fragment did it. */
  id: string;
  what: "script" | "request" | "navigation" | "top-navigation" | "popup" | "download" | "parent" | "slow";
  detail: string;
}

export interface Shown {
  id: string;
  source: string;
  walls: Walls;
}

export const ALL_WALLS: Walls = { clean: true, policy: true, sandbox: true };

/** Longer than a refresh of no seconds or a click's navigation takes to be asked for. */
const SETTLE_MS = 400;
const LOAD_MS = 5_000;
/** The bound of a case on time: cleaning, drawing and loading. */
const SLOW_MS = 1_000;

/** The bare page sends no policy of its own, so that what a frame inherits from the product's is not taken for a layer. */
export async function watchFragments(
  fragments: readonly Shown[],
  page: "product" | "bare" = "product",
): Promise<Happening[]> {
  const server = await servePage(page === "product" ? SECURITY_HEADERS : {});
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-dev-shm-usage"],
    });
    return await watch(browser, server.url, fragments);
  } finally {
    await browser?.close();
    server.close();
  }
}

async function watch(browser: Browser, url: string, fragments: readonly Shown[]): Promise<Happening[]> {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
  const page = await context.newPage();
  /** Whose a frame is; what happens in one that is not known yet belongs to the fragment being shown. */
  const owners = new Map<Frame, string>();
  const log: Happening[] = [];
  let current = "page";
  const ownerOf = (frame: Frame | null): string => {
    for (let at = frame; at; at = at.parentFrame()) {
      const owner = owners.get(at);
      if (owner !== undefined) return owner;
    }
    return current;
  };
  const note = (id: string, what: Happening["what"], detail: string) => log.push({ id, what, detail });

  await context.exposeBinding("itRan", ({ frame }) => void note(ownerOf(frame), "script", "a script ran"));
  await context.addInitScript(() => {
    window.alert = () => (window as unknown as { itRan(): void }).itRan();
  });
  await page.goto(url);
  // From here on everything is a fragment's doing. What a policy stops in the page never comes this far.
  await context.route("**/*", async (route) => {
    const request = route.request();
    const frame = frameOf(request);
    note(ownerOf(frame), request.isNavigationRequest() ? whoLeaves(frame) : "request", request.url());
    // As if nobody had asked: an error page in the frame's place would take the clicks.
    await route.abort("aborted");
  });
  const whoLeaves = (frame: Frame | null): Happening["what"] => {
    if (frame === null || frame.page() !== page) return "popup";
    if (frame === page.mainFrame()) return "top-navigation";
    return frame.parentFrame() === page.mainFrame() ? "navigation" : "request";
  };
  // Addresses that need no request, such as `data:`.
  page.on("framenavigated", (frame) => {
    if (/^about:(?:srcdoc|blank)/.test(frame.url())) return;
    note(ownerOf(frame), frame === page.mainFrame() ? "top-navigation" : "navigation", frame.url());
  });
  page.on("download", (download) => note(current, "download", download.url()));
  context.on("page", (popup) => note(current, "popup", popup.url()));

  for (const { id, source, walls } of fragments) {
    current = id;
    const before = await page.evaluate(() => window.pageAround());
    await show(page, id, source, walls).then(
      ({ ms }) => ms > SLOW_MS && note(id, "slow", `${Math.round(ms)} ms`),
      (error) => note(id, "slow", `it never loaded: ${error instanceof Error ? error.name : "unknown"}`),
    );
    const frame = await (await page.$(`section[id="${id}"] iframe`))?.contentFrame();
    if (!frame) continue;
    owners.set(frame, id);
    if ((await page.evaluate(() => window.pageAround())) !== before) note(id, "parent", "the page around it changed");
    await clickEverything(page, frame);
  }
  await rest(SETTLE_MS);
  return log;
}

async function show(page: Page, id: string, source: string, walls: Walls): Promise<{ ms: number }> {
  const loaded = page.evaluate(([id, source, walls]) => window.showFragment(id, source, walls), [
    id,
    source,
    walls,
  ] as const);
  const late = rest(LOAD_MS, undefined, { ref: false }).then(() => Promise.reject(new Error("late")));
  return await Promise.race([loaded, late]);
}

/**
 * By the mouse in the middle and on what a mouse is for, and every element by itself. A frame that has gone elsewhere
 * meanwhile needs no more clicks.
 */
async function clickEverything(page: Page, frame: Frame): Promise<void> {
  try {
    const box = await (await frame.frameElement()).boundingBox();
    const places = await frame.evaluate(() => {
      const seen = [...document.querySelectorAll("a, area, summary, button, input, label")].slice(0, 4);
      return [document.documentElement, ...seen].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x: x + width / 2, y: Math.min(y + height / 2, innerHeight / 2) };
      });
    });
    for (const { x, y } of box ? places : []) await page.mouse.click(box!.x + x, box!.y + y);
    await frame.evaluate(() => {
      for (const element of document.querySelectorAll("body *"))
        element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
    });
  } catch {
    // It navigated under the clicks, which the log has.
  }
  await page.evaluate(() => document.querySelector<HTMLElement>("#composer")!.focus());
}

function frameOf(request: { frame(): Frame }): Frame | null {
  try {
    return request.frame();
  } catch {
    return null;
  }
}

async function servePage(headers: Readonly<Record<string, string>>): Promise<{ url: string; close(): void }> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dirname, "html-page.mts")],
    target: "browser",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const script = await built.outputs[0]!.text();
  const html = `<!doctype html><meta charset="utf-8"><title>Frames</title><textarea id="composer" autofocus></textarea><main></main><script type="module">${script.replaceAll("</script", "<\\/script")}</script>`;
  const server = createServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", ...headers }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the page has no port");
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}
