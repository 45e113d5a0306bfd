/** The panel in Chromium: what only a laid-out page can show. Axis over bars, leaders, keys, and what a running clock may touch. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../../../../tests/support/browser.mts";
import { rowWriter, T0, wholeTurn } from "./__tests__/scripted-turn";
import type { StageHandle } from "./__tests__/stage-page";

/** For a machine under load; nothing here measures time. */
const PATIENCE_MS = 60_000;
setDefaultTimeout(PATIENCE_MS);

const BARE =
  "*{box-sizing:border-box}body,h3,p,ol,dl,dd{margin:0;padding:0}ol{list-style:none}button{font:inherit;border:0;padding:0}.glyph{width:10px}";

declare const window: { stage: StageHandle } & typeof globalThis;

describe("the panel on a page", () => {
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    const html = await bundledPage();
    browser = await openBrowser();
    page = await browser.newPage();
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.setContent(html);
    await page.waitForFunction(() => "stage" in window);
  }, PATIENCE_MS);
  afterAll(() => browser?.close());

  beforeEach(async () => {
    await page.setViewportSize({ width: 1300, height: 800 });
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.evaluate(() => window.stage.reset());
    await page.waitForFunction(() => document.querySelector("[data-trace-turn]") === null);
  });

  const add = (rows: unknown[], receivedAtMs = T0) =>
    page.evaluate(({ rows, receivedAtMs }) => window.stage.add(rows, receivedAtMs), { rows, receivedAtMs });
  const show = async (rows: unknown[]) => {
    await add(rows);
    await page.waitForSelector("[data-trace-row]");
  };
  const row = (key: string) => page.locator(`[data-trace-row="${key}"]`);
  const focused = () =>
    page.evaluate(
      () =>
        (document.activeElement as HTMLElement).dataset.traceRow ??
        (document.activeElement as HTMLElement).dataset.link,
    );

  it("puts every tick of the axis over the moment that it names", async () => {
    const write = rowWriter();
    await show([write("input", 0), write("context", 3_000), write("agent_end", 9_000), write("agent_settled", 12_000)]);
    const measured = await page.evaluate(() => {
      const middle = (box: DOMRect) => box.left + box.width / 2;
      const tick = (label: string) =>
        [...document.querySelectorAll("[class*=ticks] span")].find((span) => span.textContent === label)!;
      const mark = (key: string) =>
        document.querySelector(`[data-trace-row="${key}"] [class*=tick]`)!.getBoundingClientRect().left;
      return [
        ["0", "event-0"],
        ["12 s", "event-3"],
      ].map(([label, key]) => mark(key!) - middle(tick(label!).getBoundingClientRect()));
    });
    expect(measured.map((off) => Math.abs(off) < 1)).toEqual([true, true]);
    const [third, whole] = await page.evaluate(() => {
      const x = (key: string) =>
        document.querySelector(`[data-trace-row="${key}"] [class*=tick]`)!.getBoundingClientRect().left;
      return [x("event-1") - x("event-0"), x("event-3") - x("event-0")];
    });
    expect(third! / whole!).toBeCloseTo(0.25, 2);
  });

  it("joins each linked line of the chat to its row, and follows when a round trip folds", async () => {
    await show(wholeTurn());
    const ends = () =>
      page.evaluate(() => {
        const first = (element: Element) => {
          const box = element.getBoundingClientRect();
          return Math.floor(box.top + Math.min(box.height / 2, 15) - origin);
        };
        const origin =
          document.querySelector("main")!.getBoundingClientRect().top - document.querySelector("main")!.scrollTop;
        const links = ["0:user", "0:a", "0:b", "0:answer"];
        const half = (name: string, link: string) => document.querySelector(`[${name}="${link}"]`)!;
        const wanted = links.map((link) => [first(half("data-link", link)), first(half("data-link-row", link))]);
        const drawn = [...document.querySelectorAll("[class*=leaders] g")].map((group) =>
          [...group.querySelectorAll("circle")].map((circle) => Math.floor(Number(circle.getAttribute("cy")))),
        );
        return { wanted, drawn };
      });
    const settled = async () => {
      await page.waitForFunction(() => document.querySelectorAll("[class*=leaders] g").length === 4);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      return ends();
    };
    const open = await settled();
    expect(open.drawn).toEqual(open.wanted);
    await row("trip-3").click();
    await row("trip-24").click();
    await page.waitForSelector('[data-trace-row="trip-24"][data-link-row="0:answer"]');
    const folded = await settled();
    expect(folded.drawn).toEqual(folded.wanted);
    expect(folded.drawn).not.toEqual(open.drawn);
    const tones = await page.evaluate(() =>
      [...document.querySelectorAll("[class*=leaders] g")].map(
        (group) => /danger|live|picked/.exec(group.getAttribute("class") ?? "")?.[0] ?? "linked",
      ),
    );
    expect(tones.filter((tone) => tone === "danger").length).toBe(1);
  });

  it("draws no leaders where the halves are not side by side", async () => {
    await page.setViewportSize({ width: 1000, height: 800 });
    await show(wholeTurn());
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await page.locator("[class*=leaders] g").count()).toBe(0);
  });

  it("is walked by keys alone: arrows move, Enter opens, W asks why, L goes to the chat", async () => {
    await show(wholeTurn());
    await row("event-0").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe("event-2");
    await page.keyboard.press("End");
    expect(await focused()).toBe("event-29");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe("event-29");
    await row("tool-a").focus();
    expect(await row("tool-a").getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("Enter");
    expect(await row("tool-a").getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("w");
    expect(await page.locator("output").textContent()).toBe(
      'In turn 1 you called notes_search with input {"query":"x"}. Why?',
    );
    await page.keyboard.press("l");
    await page.waitForFunction(() => (document.activeElement as HTMLElement).dataset.link === "0:a");
  });

  it("has one tab stop in the rows, and it is the row that was last reached", async () => {
    await show(wholeTurn());
    await row("event-4").focus();
    const stops = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("[data-trace-row]")]
        .filter((one) => one.tabIndex === 0)
        .map((one) => one.dataset.traceRow),
    );
    expect(stops).toEqual(["event-4"]);
  });

  it("lets the running clock touch the clocks and nothing else", async () => {
    await page.evaluate(() => window.stage.run(0));
    const now = await page.evaluate(() => Date.now());
    const begun = wholeTurn().slice(0, 13);
    await add(
      begun.map((one) => ({ ...one, timestamp: new Date(Date.parse(one.timestamp) - T0 + now).toISOString() })),
      now + 220,
    );
    await page.waitForSelector("[data-live-clock]");
    const touched = await page.evaluate(async () => {
      const seen = new Set<string>();
      const watch = new MutationObserver((records) => {
        for (const { target, attributeName } of records) {
          const element = target instanceof Element ? target : target.parentElement!;
          seen.add(
            element.closest("[data-live-clock]") ? "clock" : attributeName === "style" ? "style" : element.tagName,
          );
        }
      });
      watch.observe(document.querySelector("[data-trace-turn]")!, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
      const clock = document.querySelector("[data-live-clock]")!;
      for (let change = 0; change < 3; change += 1) {
        const before = clock.textContent;
        while (clock.textContent === before) await new Promise(requestAnimationFrame);
      }
      return [...seen].sort();
    });
    expect(touched).toEqual(["clock", "style"]);
  });

  it("stands still between events for a reader who asked for less motion", async () => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.evaluate(() => window.stage.run(0));
    await show(wholeTurn().slice(0, 13));
    await page.waitForFunction(
      () =>
        document.querySelector<HTMLElement>("[data-trace-turn] > [data-now]")!.style.getPropertyValue("--now") !== "",
    );
    const now = await page.evaluate(() =>
      document.querySelector<HTMLElement>("[data-trace-turn] > [data-now]")!.style.getPropertyValue("--now"),
    );
    expect(now).toBe("220");
  });

  it("adds one event to a thousand rows by adding one row", async () => {
    const write = rowWriter();
    const rows = [
      write("input", 0),
      ...Array.from({ length: 1_000 }, (_, index) => write("session_info_changed", index, { name: `n${index}` })),
    ];
    await show(rows);
    await row("event-0").focus();
    await page.keyboard.press("End");
    expect(await focused()).toBe("event-1000");
    await settle();
    const added = await page.evaluate(
      async (next) => {
        const list = document.querySelector("[data-trace-turn] [role=list]")!;
        const records: string[] = [];
        const watch = new MutationObserver((seen) =>
          records.push(...seen.map(({ type, addedNodes }) => `${type} ${addedNodes.length}`)),
        );
        watch.observe(list, { subtree: true, childList: true, characterData: true, attributes: true });
        window.stage.add([JSON.parse(next)], 0);
        while (document.querySelector('[data-trace-row="event-1001"]') === null) {
          await new Promise(requestAnimationFrame);
        }
        return records;
      },
      JSON.stringify(write("agent_end", 1_000)),
    );
    expect(added).toEqual(["childList 1"]);
  });

  const settle = () =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
    });
  const longTurn = (count: number) => {
    const write = rowWriter();
    return [
      write("input", 0),
      ...Array.from({ length: count - 2 }, (_, index) => write("session_info_changed", index, { name: `n${index}` })),
      write("tool_execution_start", count, { toolCallId: "a", toolName: "notes_search" }),
    ];
  };

  it("draws only the rows near the view, at the height that all of them would have", async () => {
    await show(longTurn(10_000));
    await settle();
    const seen = await page.evaluate(() => ({
      drawn: document.querySelectorAll("[data-trace-row]").length,
      height: document.querySelector("[data-trace-turn] [role=list]")!.getBoundingClientRect().height,
    }));
    expect(seen.drawn).toBeLessThan(300);
    expect(seen.height).toBe(10_000 * 22);
    expect(await page.locator("[data-trace-turn]").innerText()).toContain("10,000 events");
    await page.evaluate(() => document.querySelector("main")!.scrollTo(0, 100_000));
    await settle();
    const gap = await page.evaluate(() => {
      const { top, bottom, left } = document.querySelector("main")!.getBoundingClientRect();
      const blank = (y: number) => document.elementFromPoint(left + 700, y)?.closest("[data-trace-blank]") ?? null;
      return [blank(top + 200), blank((top + bottom) / 2), blank(bottom - 20)];
    });
    expect(gap).toEqual([null, null, null]);
  });

  it("reaches a row that is not drawn: by a link of the chat, by a key, by Tab, on paper", async () => {
    await show(longTurn(1_000));
    await settle();
    expect(await row("tool-a").count()).toBe(0);
    await page.evaluate(() => window.stage.focusRow("0:a"));
    expect(await focused()).toBe("tool-a");
    await settle();
    await page.keyboard.press("Home");
    expect(await focused()).toBe("event-0");
    await page.evaluate(() => document.querySelector("main")!.scrollTo(0, 12_000));
    await settle();
    // The focus has stayed where it was, and goes on from there.
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe("event-1");
    await page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
      document.querySelector("main")!.scrollTo(0, 12_000);
    });
    await settle();
    expect(await row("event-1").count()).toBe(0);
    await page.locator('[data-trace-blank][tabindex="0"]').focus();
    expect(await focused()).toBe("event-1");
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    expect(await page.locator("[data-trace-row]").count()).toBe(1_000);
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    await settle();
    expect(await page.locator("[data-trace-row]").count()).toBeLessThan(300);
  });

  it("throws and logs nothing on the way", async () => {
    await show([...wholeTurn(), ...wholeTurn(2, 30), rowWriter(null, 90)("session_start", 0)]);
    for (const fold of await page.locator('[data-trace-row^="trip-"]').all()) await fold.click();
    await page.locator("h3 button").press("Enter");
    await page.waitForSelector('[data-trace-row="event-90"]');
    expect(errors).toEqual([]);
  });
});

/** One document with script and styles inside; nothing is fetched. */
async function bundledPage(): Promise<string> {
  const built = await Bun.build({
    entrypoints: [`${import.meta.dir}/__tests__/stage-page.tsx`],
    target: "browser",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const parts = await Promise.all(built.outputs.map(async (output) => [output.path, await output.text()] as const));
  const of = (ending: string) =>
    parts
      .filter(([path]) => path.endsWith(ending))
      .map(([, text]) => text)
      .join("\n");
  const script = of(".js").replaceAll("</script", "<\\/script");
  return `<!doctype html><style>${BARE}${of(".css")}</style><div id="page"></div><script type="module">${script}</script>`;
}
