/**
 * Which test file belongs to which suite, and what the closing lines of a run say about it. The file's name decides:
 * `x.db.test.ts`, `x.http.test.ts`, `x.mcp.test.ts` and `x.browser.test.ts` need a database, the API, its admin
 * endpoint, Chromium; the rest are unit tests. The tests of the runner are Python's own.
 */
import { join, relative } from "node:path";
import { filesBelow } from "./files.mts";

export const SUITES = ["static", "unit", "runner", "db", "http", "mcp", "browser", "screenshots"] as const;
export type Suite = (typeof SUITES)[number];
export type TestSuite = Exclude<Suite, "static" | "runner" | "screenshots">;

/** Pictures for eyes: made when they are asked for by name. */
export const isOnRequest = (suite: Suite): boolean => suite === "screenshots";

/**
 * What runs side by side, after the static checks: two lanes, each one suite after the other, of about the same length.
 * The pages are built beside the first suite of each, before those that show them.
 */
export const LANES: readonly (readonly Exclude<Suite, "static">[])[] = [
  ["unit", "db", "http"],
  ["mcp", "browser", "screenshots", "runner"],
];

/** How many files of a suite run at once, each as its own process. Chromium's tests wait for most of their time. */
const FILES_AT_ONCE: Partial<Record<TestSuite, number>> = { browser: 3 };

/** The processes of a suite: what each runs, and how many run at once. */
export function processesOf(suite: TestSuite, files: readonly string[]): { runs: string[][]; atOnce: number } {
  const atOnce = FILES_AT_ONCE[suite] ?? 1;
  return { runs: atOnce === 1 ? [[...files]] : files.map((file) => [file]), atOnce };
}

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const FOLDERS = ["apps", "bench", "cli", "shared", "tests"];
const IGNORED = /^(?:node_modules|\.next|screenshots)$/;

/** Paths of the suite's files below the root, sorted. */
export function testFiles(root: string, suite: TestSuite): string[] {
  return FOLDERS.flatMap((folder) => filesBelow(join(root, folder), IGNORED))
    .map((path) => relative(root, path))
    .filter((file) => suiteOf(file) === suite);
}

export function suiteOf(file: string): TestSuite | undefined {
  const match = /(?:\.(db|http|mcp|browser))?\.test\.tsx?$/.exec(file);
  return match ? ((match[1] as TestSuite | undefined) ?? "unit") : undefined;
}

/**
 * Reads the summary that bun prints last. A run that ended badly without a counted failure (a crash, an error between
 * tests, no summary at all) counts as one failed, and so does a suite in which no test ran.
 */
export function countRun(output: string, exitCode: number | null): Counts {
  const starts = [...output.matchAll(/^ *\d+ pass$/gm)];
  const summary = starts.length > 0 ? output.slice(starts.at(-1)!.index) : "";
  const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, "m").exec(summary)?.[1] ?? 0);
  const counts = { passed: count("pass"), failed: count("fail"), skipped: count("skip") + count("todo") };
  const ranNothing = counts.passed + counts.failed === 0;
  if (counts.failed === 0 && (exitCode !== 0 || ranNothing)) counts.failed = 1;
  return counts;
}

/** The same for the runner's tests, whose last line counts them. */
export function countPython(output: string, exitCode: number | null): Counts {
  const [, passed, failed, skipped] =
    [...output.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)].at(-1) ?? [];
  const counts = { passed: Number(passed ?? 0), failed: Number(failed ?? 0), skipped: Number(skipped ?? 0) };
  if (counts.failed === 0 && (exitCode !== 0 || counts.passed === 0)) counts.failed = 1;
  return counts;
}

/** Each picture taken is a line with its file's name, and each fault one that begins with ✗. */
export function countPictures(output: string, exitCode: number | null): Counts {
  const passed = output.match(/^\S+\.png$/gm)?.length ?? 0;
  const faults = output.match(/^✗ /gm)?.length ?? 0;
  return { passed, failed: faults || (exitCode !== 0 || passed === 0 ? 1 : 0), skipped: 0 };
}

export function summaryLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

export function total(all: readonly Counts[]): Counts {
  return all.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}
