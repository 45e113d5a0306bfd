/**
 * `./xray test`: every suite from bare, each against what it needs: one Postgres for the run, the pages built once,
 * Chromium where it is installed. Two suites run side by side, and the files of one may too (`cli/suites.mts`). Closes
 * with `N passed, N failed`, and exits 1 on a failure or an empty suite.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { LIMITS } from "../../shared/limits.ts";
import { nearest, type Words } from "../args.mts";
import { isExecutable } from "../files.mts";
import { bunPath } from "../launch.mts";
import { type Paths, pathsOf } from "../paths.mts";
import { startCluster } from "../postgres-cluster.mts";
import { chromiumPath } from "../prerequisites.mts";
import { openProgress, type Progress, seconds } from "../progress.mts";
import { Refusal, UsageError } from "../refusal.mts";
import { runRunnerSuite } from "../runner-suite.mts";
import { STATIC_CHECKS } from "../static-checks.mts";
import { runSuiteProcess } from "../suite-process.mts";
import {
  type Counts,
  countPictures,
  countRun,
  isOnRequest,
  LANES,
  processesOf,
  SUITES,
  type Suite,
  summaryLine,
  testFiles,
  type TestSuite,
  total,
} from "../suites.mts";
import { buildWeb } from "../web-build.mts";

interface Row extends Counts {
  suite: Suite;
  ms: number;
}

export default async function test(words: Words): Promise<number> {
  const paths = pathsOf();
  const suites = chosen(words.values("only"));
  const progress = openProgress();
  const ended = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => ended.abort(new Refusal("Stopped.", "", 130)));
  say("");

  const rows: Row[] = [];
  const measure = async (suite: Suite, work: () => Promise<Counts>) => {
    const started = Date.now();
    const counts = await work();
    ended.signal.throwIfAborted();
    rows.push({ suite, ...counts, ms: Date.now() - started });
  };
  if (suites.includes("static")) await measure("static", () => runStatic(paths, progress));

  const lanes = LANES.map((lane) => lane.filter((suite) => suites.includes(suite)));
  const needsDatabase = suites.some((suite) => !["static", "unit", "runner"].includes(suite));
  const database = needsDatabase ? await progress.step("database", () => testServer()) : undefined;
  try {
    const pages = suites.some(needsPages)
      ? progress.step("pages", async (step) => void (await buildWeb(paths, ended.signal, step.note)))
      : Promise.resolve();
    const runLane = async (lane: (typeof LANES)[number]) => {
      for (const suite of lane) {
        if (needsPages(suite)) await pages;
        await measure(suite, () =>
          suite === "runner"
            ? runRunner(paths, progress, ended.signal)
            : runSuite(paths, suite, database?.adminUrl, progress, ended.signal),
        );
      }
    };
    await allToTheEnd([pages, ...lanes.map(runLane)], ended);
  } finally {
    await database?.stop();
  }

  rows.sort((a, b) => SUITES.indexOf(a.suite) - SUITES.indexOf(b.suite));
  const sum = total(rows);
  say(`\n${table(rows)}\n${summaryLine(sum)}`);
  return sum.failed === 0 ? 0 : 1;
}

function needsPages(suite: Suite): boolean {
  return suite === "http" || suite === "browser" || suite === "screenshots";
}

/** The first that fails ends the others, whose processes are gone when its error is thrown. */
async function allToTheEnd(works: readonly Promise<void>[], ended: AbortController): Promise<void> {
  await Promise.allSettled(works.map((work) => work.catch((error) => ended.abort(error))));
  ended.signal.throwIfAborted();
}

function chosen(only: string[]): Suite[] {
  const known: readonly string[] = SUITES;
  for (const name of only) {
    if (known.includes(name)) continue;
    const guess = nearest(name, known);
    throw new UsageError(
      `There is no suite "${name}".`,
      guess ? `Did you mean ${guess}?` : `It is one of: ${known.join(", ")}.`,
    );
  }
  return SUITES.filter((suite) => (only.length === 0 ? !isOnRequest(suite) : only.includes(suite)));
}

async function runStatic(paths: Paths, progress: Progress): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { name, find } of STATIC_CHECKS) {
    let faults = "";
    await progress.step("static", async (step) => {
      step.note(name);
      faults = await find(paths);
      if (faults) step.fault(name);
    });
    if (faults) say(`\n${faults}\n`);
    counts[faults ? "failed" : "passed"] += 1;
  }
  return counts;
}

async function runRunner(paths: Paths, progress: Progress, signal: AbortSignal): Promise<Counts> {
  let output = "";
  const counts = await progress.step("runner", async (step) => {
    step.note("attacks, walls and skills");
    const run = await runRunnerSuite(paths, signal);
    if ("absent" in run) {
      const isFailure = process.env.CI === "true";
      step[isFailure ? "fault" : "note"](`skipped: ${run.absent} (see ./xray doctor)`);
      return { passed: 0, failed: isFailure ? 1 : 0, skipped: isFailure ? 0 : 1 };
    }
    output = run.output;
    step[run.counts.failed > 0 ? "fault" : "note"](summaryLine(run.counts));
    return run.counts;
  });
  if (counts.failed > 0) say(`\n${output.trim()}\n`);
  return counts;
}

async function runSuite(
  paths: Paths,
  suite: TestSuite | "screenshots",
  adminUrl: string | undefined,
  progress: Progress,
  signal: AbortSignal,
): Promise<Counts> {
  if ((suite === "browser" || suite === "screenshots") && !isExecutable(chromiumPath())) {
    const isFailure = process.env.CI === "true";
    say(`  ${isFailure ? "✗" : "-"} ${suite.padEnd(10)} skipped: no Chromium at ${chromiumPath()} (see ./xray doctor)`);
    return { passed: 0, failed: isFailure ? 1 : 0, skipped: isFailure ? 0 : 1 };
  }
  const files = suite === "screenshots" ? [] : testFiles(paths.root, suite);
  if (suite !== "screenshots" && files.length === 0) {
    say(`  ✗ ${suite.padEnd(10)} has no test`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  let output = "";
  const counts = await progress.step(suite, async (step) => {
    step.note(suite === "screenshots" ? "into tests/screenshots" : `${files.length} files`);
    const env = { ...process.env, ...(adminUrl ? { XRAY_TEST_ADMIN_URL: adminUrl } : {}) };
    const run = async (args: readonly string[], name: string, count: typeof countRun) => {
      const ended = await runSuiteProcess(paths, { name, command: bunPath(paths), args, cwd: paths.root, env }, signal);
      output += ended.output;
      return count(ended.output, ended.code);
    };
    const found =
      suite === "screenshots"
        ? await run(["--bun", "./tests/screenshots.mts"], suite, countPictures)
        : await runTests(suite, files, run);
    step[found.failed > 0 ? "fault" : "note"](summaryLine(found));
    return found;
  });
  if (counts.failed > 0) say(`\n${output.trim()}\n`);
  return counts;
}

/** Runs the suite's processes, so many at once; the log of each is named after the suite, or after its file. */
async function runTests(
  suite: TestSuite,
  files: readonly string[],
  run: (args: readonly string[], name: string, count: typeof countRun) => Promise<Counts>,
): Promise<Counts> {
  const { runs, atOnce } = processesOf(suite, files);
  const waiting = runs.values();
  const counts: Counts[] = [];
  const worker = async () => {
    for (const some of waiting) {
      const args = [
        "--bun",
        "test",
        `--timeout=${LIMITS.testMs}`,
        "--only-failures",
        ...some.map((file) => `./${file}`),
      ];
      const name = atOnce === 1 ? suite : `${suite}-${basename(some[0]!).split(".")[0]}`;
      counts.push(await run(args, name, countRun));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return total(counts);
}

/** The server that `XRAY_TEST_ADMIN_URL` names, or an embedded one in a folder of its own for this run. */
async function testServer(): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  const given = process.env.XRAY_TEST_ADMIN_URL;
  if (given) return { adminUrl: given, stop: async () => {} };
  const folder = mkdtempSync(join(tmpdir(), "xray-test-"));
  chmodSync(folder, 0o755); // As root the server runs under another user, who must get through.
  const log: string[] = [];
  try {
    const cluster = await startCluster({ home: join(folder, "postgres"), log: (line: string) => log.push(line) });
    return {
      adminUrl: cluster.adminUrl,
      async stop() {
        await cluster.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    if (log.length > 0) say(log.join("\n"));
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function table(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) =>
    `  ${cells[0]!.padEnd(12)}${cells
      .slice(1)
      .map((cell) => cell.padStart(9))
      .join("")}`;
  return [
    line(["suite", "passed", "failed", "skipped", "time"]),
    ...rows.map(({ suite, passed, failed, skipped, ms }) =>
      line([suite, String(passed), String(failed), String(skipped), seconds(ms)]),
    ),
    "",
  ].join("\n");
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
