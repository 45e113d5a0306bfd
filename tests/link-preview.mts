/**
 * Draws the picture that other sites show beside a link to this one, `apps/web/app/link-preview.png`, from the page's own
 * tokens and faces. Run by hand when the look changes; nothing is fetched, then or later.
 *
 *   bun --bun tests/link-preview.mts
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "./support/browser.mts";
import en from "../apps/web/messages/en.json";

const here = (path: string) => join(import.meta.dirname, path);
const face = readFileSync(
  here("../node_modules/@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2"),
).toString("base64");
/** Heights of the film's lines, in percent: one turn, as the page draws it. */
const FILM = [30, 30, 55, 30, 80, 30, 30, 55, 100, 30, 55, 30, 30, 80, 30, 55, 30, 30, 100, 55, 30, 30, 80, 30];
const HUES = { 55: "--notify", 80: "--veto", 100: "--chain" } as Record<number, string>;

const browser = await openBrowser();
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await page.setContent(`<!doctype html><html lang="en"><style>
@font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${face}) }
${readFileSync(here("../apps/web/app/tokens.css"), "utf8")}
body { margin: 0; height: 630px; display: grid; grid-template-rows: auto 1fr auto; background: var(--sheet);
  color: var(--ink); font-family: Inter; }
header { display: flex; align-items: center; gap: 18px; padding: 56px 72px 0; font: 600 30px Inter; }
h1 { margin: auto 72px; font: 600 104px/1.02 Inter; letter-spacing: -0.035em; white-space: pre-line }
footer { display: flex; align-items: end; gap: 20px; height: 120px; padding: 0 72px; background: var(--chart);
  border-top: 1px solid var(--hair) }
i { flex: 1; max-width: 4px; margin-right: auto; background: var(--edge) }
</style><header><svg viewBox="0 0 20 20" width="40"><path d="M1 1h9v18H1z"/><path d="M10 1.5h8.5v17H10M12.6 1.5v17M14.6
1.5v17M16.6 1.5v17" fill="none" stroke="currentColor"/></svg>Agent X-Ray</header><h1>${en.landing.title}</h1>
<footer>${FILM.map((height) => `<i style="height:${height}%;background:var(${HUES[height] ?? "--edge"})"></i>`).join("")}</footer>`);
await page.evaluate(() => document.fonts.ready);
await page.screenshot({ path: here("../apps/web/app/link-preview.png") });
await browser.close();
