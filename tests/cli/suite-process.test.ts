/** What becomes of a suite's process: its output, its exit code, and what it left running. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logPath } from "../../cli/launch.mts";
import { pathsOf } from "../../cli/paths.mts";
import { recordOf } from "../../cli/processes.mts";
import { runSuiteProcess } from "../../cli/suite-process.mts";

const root = mkdtempSync(join(tmpdir(), "xray-suite-process-"));
const paths = { ...pathsOf(), logs: join(root, "logs") };
afterAll(() => rmSync(root, { recursive: true, force: true }));

function runShell(script: string, signal = new AbortController().signal) {
  const run = { name: "shell", command: "/bin/sh", args: ["-c", script], cwd: root, env: { PATH: process.env.PATH } };
  return runSuiteProcess(paths, run, signal);
}

test("both outputs come back with the exit code, and are in the log", async () => {
  const { code, output } = await runShell("echo said; echo complained >&2; exit 3");
  expect(code).toBe(3);
  expect(output.trim().split("\n").toSorted()).toEqual(["complained", "said"]);
  expect(readFileSync(logPath(paths, "test-shell"), "utf8")).toBe(output);
});

test("a server that it leaves behind, with its output open, neither holds up the end nor outlives it", async () => {
  const { code, output } = await runShell("sleep 600 & echo $!");
  expect(code).toBe(0);
  expect(await endOf(Number(output))).toBe(true);
});

test("a stop ends it with all that it started, also when it came before the start", async () => {
  const stop = new AbortController();
  const running = runShell("sleep 600 & echo $!; wait", stop.signal);
  const pid = await firstLine();
  expect(recordOf(pid)).toBeDefined();
  stop.abort();
  expect((await running).code).toBe(null);
  expect(await endOf(pid)).toBe(true);
  expect((await runShell("sleep 600", stop.signal)).code).toBe(null);
});

test("a command that does not exist is an end without a code", async () => {
  const run = { name: "nothing", command: join(root, "nothing"), args: [], cwd: root, env: {} };
  expect((await runSuiteProcess(paths, run, new AbortController().signal)).code).toBe(null);
});

/** The number that the shell has written to its log. */
async function firstLine(): Promise<number> {
  for (;;) {
    const text = readFileSync(logPath(paths, "test-shell"), "utf8");
    if (text.endsWith("\n")) return Number(text);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A killed process is still there until the system has got round to it; the test's time is the bound. */
async function endOf(pid: number): Promise<boolean> {
  while (recordOf(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
  return true;
}
