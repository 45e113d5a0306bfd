/**
 * The tasks of a page's main thread: how long the longest took, and how much of that the thread really worked, which a
 * busy machine hardly changes.
 */
import { loadavg } from "node:os";
import type { Page } from "playwright-core";
import { traceMainThread } from "../tests/support/page-trace.mts";

/** Of the longest task by each measure; they may be two. */
export interface LongestTask {
  wallMs: number;
  cpuMs: number;
}

const TASK = "ThreadControllerImpl::RunTask";

/** Begins to watch; what it returns ends that. */
export async function watchTasks(page: Page): Promise<() => Promise<LongestTask>> {
  const traced = await traceMainThread(page, ["toplevel"]);
  return async () => {
    const tasks = (await traced()).filter(({ name }) => name === TASK);
    const longestMs = (key: "dur" | "tdur") => tasks.reduce((most, task) => Math.max(most, task[key] ?? 0), 0) / 1_000;
    return { wallMs: longestMs("dur"), cpuMs: longestMs("tdur") };
  };
}

/** For the reader of numbers in milliseconds. */
export const machineLoad = (): string => `load of the machine ${loadavg()[0]!.toFixed(1)}`;
