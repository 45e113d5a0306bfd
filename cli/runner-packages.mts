/**
 * The Python packages that reading a web page needs, in a virtual environment beside the runner's folders: installed by
 * hash and from wheels alone, once for each list of packages and interpreter. What cannot be installed is told, and
 * keeps nothing else from starting.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LIMITS } from "../shared/limits.ts";
import { lastLines, logPath } from "./launch.mts";
import type { Paths } from "./paths.mts";

/** `python` is the environment's own; `absent` says why there is none, as the end of a sentence. */
export type RunnerPackages = { python: string } | { absent: string };

export async function runnerPackages(paths: Paths, base: string, signal: AbortSignal): Promise<RunnerPackages> {
  const list = join(paths.root, "runner/requirements.txt");
  const folder = join(paths.runner, "venv");
  const python = join(folder, "bin/python");
  const marker = join(folder, "installed");
  const wanted = createHash("sha256").update(`${base}\n`).update(readFileSync(list)).digest("hex");
  if (existsSync(marker) && readFileSync(marker, "utf8") === wanted) return { python };

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(paths.logs, { recursive: true, mode: 0o700 });
  const log = logPath(paths, "runner-packages");
  writeFileSync(log, "", { mode: 0o600 });
  // The runs' own user must be able to read them, whatever the umask here is.
  const step = (program: string, ...args: string[]) =>
    finishes("/bin/sh", ["-c", 'umask 022; exec "$0" "$@"', program, ...args], log, signal);
  mkdirSync(dirname(folder), { recursive: true });
  if (!(await step(base, "-I", "-m", "venv", folder))) {
    return { absent: "Python cannot make a virtual environment (Debian: apt-get install python3-venv)" };
  }
  const pip = ["-I", "-m", "pip", "install", "--require-hashes", "--only-binary", ":all:", "--no-deps"];
  const quiet = ["--disable-pip-version-check", "--no-input", "--retries", "1", "--timeout", "15"];
  if (!(await step(python, ...pip, ...quiet, "-r", list))) {
    const isUnbuilt = /No matching distribution|from versions: none/i.test(lastLines(log, 20));
    return {
      absent: isUnbuilt ? "no wheel of a package fits this machine" : `its packages were not installed (${log})`,
    };
  }
  writeFileSync(marker, wanted);
  return { python };
}

/** Whether the program ended well in time; what it says goes to the log. A person's own pip settings hold. */
function finishes(program: string, args: string[], log: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: "/",
      signal,
      timeout: LIMITS.packagesMs,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => writeFileSync(log, chunk, { flag: "a" }));
    }
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
}
