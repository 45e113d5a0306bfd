/**
 * Shows fragments in Chromium as the product shows them, clicks everything in them, and keeps a log of whatever a frame
 * did: scripts run, requests made, pages left. Nothing leaves this machine: a proxy of its own answers for every host.
 * It is the proxy that says what was asked for, since a browser's own tools miss what a sandboxed frame asks for first.
 */
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import type { Browser, Frame, Page } from "playwright-core";
import { SECURITY_HEADERS } from "../../apps/web/headers.mts";
import { openBrowser } from "../chromium.mts";
import type { Walls } from "./html-page.mts";

export interface Happening {
  /** The fragment that did it; for a request the one that was being shown. */
  id: string;
  what: "script" | "request" | "navigation" | "top-navigation" | "popup" | "download" | "parent" | "slow";
  /** Of a request its address; over TLS only host and port can be seen. */
  detail: string;
}

export interface Shown {
  id: string;
  source: string;
  walls: Walls;
}

export const ALL_WALLS: Walls = { clean: true, policy: true, sandbox: true };
export const PAGE_URL = "http://frames.test/";

/** Longer than a refresh of no seconds or a click's navigation takes to be asked for. */
const SETTLE_MS = 400;
const LOAD_MS = 10_000;
/** The bound of a case on time: cleaning, drawing and loading. */
const SLOW_MS = 1_000;
/** A process for each sandboxed frame. It is not ours to count on: whatever gets through must be seen to reach the page. */
const ITS_OWN_WALL = "IsolateSandboxedIframes";
/** What Chromium asks for by itself. */
const BROWSERS_OWN = /(?:^|\.)(?:google|googleapis|gvt1|gstatic)\.com(?::443)?$/;

/**
 * `awaited` ends the wait for what is still to come as soon as it holds, and not long before. The bare page sends no policy of its own, so that what a frame inherits from the product's is not taken for a layer.
 */
export async function watchFragments(
  fragments: readonly Shown[],
  page: "product" | "bare" = "product",
  awaited: (log: readonly Happening[]) => boolean = () => true,
): Promise<Happening[]> {
  const log: Happening[] = [];
  const state = { current: "page", log };
  const proxy = await startProxy(await pageHtml(), page === "product" ? SECURITY_HEADERS : {}, state);
  let browser: Browser | undefined;
  try {
    browser = await openBrowser({ proxy: { server: proxy.url }, without: [ITS_OWN_WALL] });
    await watch(browser, fragments, state);
    const deadline = Date.now() + LOAD_MS;
    while (!awaited(log) && Date.now() < deadline) await rest(SETTLE_MS);
    return log;
  } finally {
    await browser?.close();
    proxy.server.closeAllConnections();
    proxy.server.close();
  }
}

interface State {
  /** Id of the fragment that is being shown. */
  current: string;
  log: Happening[];
}

async function watch(browser: Browser, fragments: readonly Shown[], state: State): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
  const page = await context.newPage();
  const owners = new Map<Frame, string>();
  const ownerOf = (frame: Frame) => owners.get(frame) ?? state.current;
  const note = (id: string, what: Happening["what"], detail: string) => state.log.push({ id, what, detail });

  await context.exposeBinding("itRan", ({ frame }) => void note(ownerOf(frame), "script", "a script ran"));
  await context.addInitScript(() => {
    window.alert = () => (window as unknown as { itRan(): void }).itRan();
  });
  await page.goto(PAGE_URL);
  page.on("framenavigated", (frame) => {
    if (/^about:(?:srcdoc|blank)/.test(frame.url())) return;
    note(ownerOf(frame), frame === page.mainFrame() ? "top-navigation" : "navigation", frame.url());
  });
  page.on("download", (download) => note(state.current, "download", download.url()));
  context.on("page", (popup) => note(state.current, "popup", popup.url()));

  for (const { id, source, walls } of fragments) {
    state.current = id;
    const before = await page.evaluate(() => window.pageAround());
    const ms = await show(page, id, source, walls);
    if (ms === null || ms > SLOW_MS) note(id, "slow", ms === null ? "it never loaded" : `${Math.round(ms)} ms`);
    if ((await page.evaluate(() => window.pageAround())) !== before) note(id, "parent", "the page around it changed");
    const frame = await (await page.$("section iframe"))?.contentFrame();
    if (!frame) continue;
    owners.set(frame, id);
    await clickEverything(page, frame);
  }
  await rest(SETTLE_MS);
}

/** What showing it took; null when it never loads. */
async function show(page: Page, id: string, source: string, walls: Walls): Promise<number | null> {
  const loaded = page.evaluate(([id, source, walls]) => window.showFragment(id, source, walls), [
    id,
    source,
    walls,
  ] as const);
  return await Promise.race([loaded.then(({ ms }) => ms), rest(LOAD_MS, null, { ref: false })]);
}

/**
 * By the mouse on what a mouse is for, and every element by itself. A frame that has gone elsewhere meanwhile needs no
 * more clicks.
 */
async function clickEverything(page: Page, frame: Frame): Promise<void> {
  try {
    const box = await (await frame.frameElement()).boundingBox();
    const places = await frame.evaluate(() => {
      const forAMouse = [...document.querySelectorAll("a, area, summary, button, input, label")];
      return forAMouse.slice(0, 4).map((element) => {
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
    // It went elsewhere under the clicks, which the log has.
  }
  await page.evaluate(() => document.querySelector<HTMLElement>("#composer")!.focus());
}

/** Serves the page once; whatever else is asked for, the page a second time too, goes to the log and is not answered. */
async function startProxy(html: string, headers: Readonly<Record<string, string>>, state: State) {
  let isServed = false;
  const note = (host: string, detail: string) => {
    if (!BROWSERS_OWN.test(host)) state.log.push({ id: state.current, what: "request", detail });
  };
  const server: Server = createServer((request, response) => {
    const url = request.url ?? "";
    if (url === PAGE_URL && !isServed) {
      isServed = true;
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", ...headers }).end(html);
      return;
    }
    note(URL.parse(url)?.host ?? "", url);
    // No content: a navigation to it is called off, and the page stays.
    response.writeHead(204).end();
  });
  server.on("connect", (request, socket) => {
    note(request.url ?? "", request.url ?? "");
    socket.on("error", () => {});
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return { server, url: `http://127.0.0.1:${address.port}` };
}

async function pageHtml(): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dirname, "html-page.mts")],
    target: "browser",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const script = (await built.outputs[0]!.text()).replaceAll("</script", "<\\/script");
  return `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Frames</title><textarea id="composer" autofocus></textarea><main></main><script type="module">${script}</script>`;
}
