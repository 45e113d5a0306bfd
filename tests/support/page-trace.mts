/** What a page's main thread did, from Chromium's own trace. A trace grows with time; a minute of it is fine. */
import type { Page } from "playwright-core";

export interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds: how long it took, and how long its thread worked. */
  dur?: number;
  tdur?: number;
  args?: Record<string, unknown>;
}

/** Left on the main thread, so that its events are known. */
const MARK = "watched-main-thread";

/** Begins to watch; what it returns ends that, and gives the events of the main thread. */
export async function traceMainThread(page: Page, categories: readonly string[]): Promise<() => Promise<TraceEvent[]>> {
  const session = await page.context().browser()!.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send("Tracing.start", {
    traceConfig: { includedCategories: [...categories, "blink.user_timing"], excludedCategories: ["*"] },
    transferMode: "ReportEvents",
  });
  await page.evaluate((name) => performance.mark(name), MARK);
  return async () => {
    const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
    await session.send("Tracing.end");
    await complete;
    await session.detach();
    const main = events.find(({ name }) => name === MARK);
    if (main === undefined) throw new Error("the trace does not hold the page's main thread");
    return events.filter(({ pid, tid }) => pid === main.pid && tid === main.tid);
  };
}
