/**
 * The tasks of a page's main thread, from Chromium's own trace: how long the longest took, and how much of that the
 * thread really worked, which a busy machine hardly changes. A trace grows with time; a minute of it is fine.
 */
import { loadavg } from "node:os";
import type { Page } from "playwright-core";

/** Of the longest task by each measure; they may be two. */
export interface LongestTask {
  wallMs: number;
  cpuMs: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds: how long it took, and how long its thread worked. */
  dur?: number;
  tdur?: number;
}

const TASK = "ThreadControllerImpl::RunTask";
/** Left on the main thread, so that its events are known. */
const MARK = "watched-main-thread";

/** Begins to watch; what it returns ends that. */
export async function watchTasks(page: Page): Promise<() => Promise<LongestTask>> {
  const session = await page.context().browser()!.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send("Tracing.start", {
    traceConfig: { includedCategories: ["toplevel", "blink.user_timing"], excludedCategories: ["*"] },
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
    const tasks = events.filter(({ name, pid, tid }) => name === TASK && pid === main.pid && tid === main.tid);
    const longestMs = (key: "dur" | "tdur") => tasks.reduce((most, task) => Math.max(most, task[key] ?? 0), 0) / 1_000;
    return { wallMs: longestMs("dur"), cpuMs: longestMs("tdur") };
  };
}

/** For the reader of numbers in milliseconds. */
export const machineLoad = (): string => `load of the machine ${loadavg()[0]!.toFixed(1)}`;
