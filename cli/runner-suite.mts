/**
 * The runner's own tests as one suite: its attacks, walls and skills, by `runner/tests/run.py`. Where it is root it runs
 * twice, side by side, as root and as an ordinary user, since each has walls of its own. The second gets a copy: a clone
 * may lie where only root can enter.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Paths } from "./paths.mts";
import { findPython, isPython } from "./python.mts";
import { runnerPackages } from "./runner-packages.mts";
import { runSuiteProcess } from "./suite-process.mts";
import { type Counts, countPython, total } from "./suites.mts";

/** `absent` says why this machine cannot run it, as the end of a sentence. */
export type RunnerSuite = { counts: Counts; output: string } | { absent: string };

/** What the tests read besides the runner itself. */
const COPIED = ["runner", "shared/fixtures", "tests/cases"];
/** Nobody has it: neither a file nor a process of the machine belongs to it. */
const ORDINARY_UID = 64_990;

export async function runRunnerSuite(paths: Paths, signal: AbortSignal): Promise<RunnerSuite> {
  const python = await findPython();
  if (!isPython(python)) return { absent: "no Python 3.11 that every user can reach" };
  if (python.landlock < 2) return { absent: "this kernel offers no Landlock" };
  // Without them the tests that need them are skipped, each by name.
  const packages = await runnerPackages(paths, python.path, signal);
  const tools = { python: python.path, packages: "python" in packages ? packages.python : "" };
  const isRoot = process.getuid?.() === 0;
  const legs = isRoot ? ["root", "user"] : ["user"];
  const runs = await Promise.all(
    legs.map((leg) =>
      leg === "user" && isRoot
        ? asOrdinary(paths, tools, signal)
        : runLeg(paths, tools, { leg, root: paths.root, signal }),
    ),
  );
  return { counts: total(runs.map(({ counts }) => counts)), output: runs.map(({ output }) => output).join("\n") };
}

async function asOrdinary(paths: Paths, tools: Tools, signal: AbortSignal) {
  const root = mkdtempSync(join(tmpdir(), "xray-runner-tests-"));
  try {
    for (const folder of COPIED) {
      cpSync(join(paths.root, folder), join(root, folder), {
        recursive: true,
        filter: (from) => !from.includes("__pycache__"),
      });
    }
    spawnSync("chmod", ["-R", "a+rX", root]);
    return await runLeg(paths, tools, { leg: "user", root, signal, uid: ORDINARY_UID });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The interpreter, and that of the environment with the packages; empty where there is none. */
interface Tools {
  python: string;
  packages: string;
}

interface Leg {
  leg: string;
  root: string;
  signal: AbortSignal;
  uid?: number;
}

async function runLeg(paths: Paths, { python, packages }: Tools, { leg, root, signal, uid }: Leg) {
  const run = {
    name: `runner-${leg}`,
    command: python,
    args: ["-B", "-s", join(root, "runner/tests/run.py")],
    cwd: join(root, "runner"),
    env: { PATH: `${dirname(python)}:/usr/bin:/bin`, LANG: "C.UTF-8", XRAY_TEST_PACKAGES: packages },
    uid,
  };
  const { code, output } = await runSuiteProcess(paths, run, signal);
  return { counts: countPython(output, code), output: `runner as ${leg}:\n${output}` };
}
