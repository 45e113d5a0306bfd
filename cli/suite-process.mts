/**
 * One process of a test suite, in a group of its own, so that servers that a test left behind end with it. What it says
 * goes to a log file at once, where a person can watch a long suite, and comes back whole when it ends.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { LIMITS } from "../shared/limits.ts";
import { privateFolder } from "./files.mts";
import { logPath } from "./launch.mts";
import type { Paths } from "./paths.mts";

export interface SuiteProcess {
  /** Of the log file. */
  name: string;
  command: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Runs it as this user and group. */
  uid?: number;
}

/** Resolves when it ended, was stopped by the signal or ran out of time; the code is null when a signal killed it. */
export async function runSuiteProcess(
  paths: Paths,
  { name, command, args, cwd, env, uid }: SuiteProcess,
  signal: AbortSignal,
): Promise<{ code: number | null; output: string }> {
  privateFolder(paths.logs);
  const log = logPath(paths, `test-${name}`);
  writeFileSync(log, "", { mode: 0o600 });
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      writeFileSync(log, text, { flag: "a" });
    });
  }
  const endGroup = () => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // Nobody is left.
    }
  };
  const overdue = setTimeout(() => {
    output += `\nThe suite did not end within ${LIMITS.suiteMs / 60_000} minutes and was stopped.\n`;
    endGroup();
  }, LIMITS.suiteMs);
  signal.addEventListener("abort", endGroup);
  if (signal.aborted) endGroup();
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
    // A leftover that holds the pipe open must not keep the run from ending.
    child.once("exit", (exit) => setTimeout(() => resolve(exit), 1_000));
  });
  clearTimeout(overdue);
  signal.removeEventListener("abort", endGroup);
  endGroup();
  return { code, output };
}
