/**
 * Starts one process of the site and waits until it answers. Each is its own process group with its output in a log
 * file: Ctrl-C reaches only `up`, which then stops them in order, and a background site outlives its terminal.
 */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { privateFolder, readIfThere } from "./files.mts";
import { noteUse } from "./in-use.mts";
import type { Paths } from "./paths.mts";
import { isOurs, type ProcessRecord, recordOf } from "./processes.mts";
import { Refusal } from "./refusal.mts";

export interface Launch {
  name: string;
  /** Absolute path; absent: bun, on whose command line `argv` follows `--bun`. */
  program?: string;
  argv: string[];
  cwd: string;
  /** The whole environment: nothing is inherited, so that no key of the person's shell reaches the site. */
  env: Record<string, string>;
  /** It serves the built pages, which may then not be replaced. */
  pages?: boolean;
}

export function launch(paths: Paths, what: Launch): ProcessRecord {
  const file = freshLog(paths, what.name);
  const log = openSync(file, "a", 0o600);
  try {
    const [program, argv] = what.program ? [what.program, what.argv] : [bunPath(paths), ["--bun", ...what.argv]];
    const child = spawn(program, argv, {
      cwd: what.cwd,
      env: what.env,
      detached: true,
      stdio: ["ignore", log, log],
    });
    child.on("error", () => {}); // A failed start has no pid, which is refused below.
    child.unref();
    const record = child.pid === undefined ? undefined : recordOf(child.pid);
    if (!record) throw new Refusal(`${what.name} could not be started.`, `Its log is ${file}.`);
    noteUse(paths.root, { record, name: what.name, pages: what.pages === true });
    return record;
  } finally {
    closeSync(log);
  }
}

/**
 * Polls until the process has taken its port and the address answers with a status below 500. Refuses when the process
 * ends or time is up.
 */
export async function waitUntilAnswers(
  paths: Paths,
  name: string,
  record: ProcessRecord,
  url: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const status = saysListening(paths, name)
      ? await statusOf(url, Math.max(1_000, deadline - Date.now()), record)
      : undefined;
    if (status !== undefined && status < 500) return;
    if (!isOurs(record)) throw died(paths, name, "ended while it was starting");
    if (Date.now() > deadline) {
      throw died(paths, name, status === undefined ? "does not answer" : `answers with an error (${status})`);
    }
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
}

/** Before that, whoever sits on the port would be taken for ours, and get what visitors send. */
function saysListening(paths: Paths, name: string): boolean {
  return readFileSync(logPath(paths, name), "utf8").includes('"message":"listening"');
}

/** The refusal for a process that failed: its last words and where the rest is. */
export function died(paths: Paths, name: string, how: string): Refusal {
  const tail = lastLines(logPath(paths, name), 12);
  const words = tail ? `\n\n${tail.replace(/^/gm, "    ")}\n` : "";
  return new Refusal(`The ${name} process ${how}.${words}`, `The whole log is in ${logPath(paths, name)}.`);
}

/** Postgres writes its own log, beside its data. */
export function logPath(paths: Paths, name: string): string {
  return name === "postgres" ? join(paths.cluster, "postgres.log") : join(paths.logs, `${name}.log`);
}

export function lastLines(path: string, count: number): string {
  return (readIfThere(path) ?? "").trimEnd().split("\n").slice(-count).join("\n");
}

export function bunPath(paths: Paths): string {
  return join(paths.root, "node_modules/.bin/bun");
}

/** What every process of the site gets, and all that it gets, from the person's environment. */
export function baseEnv(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const kept: Record<string, string> = { NODE_ENV: "production" };
  for (const name of ["PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "HOME"]) {
    const value = env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** Keeps the log of the run before as `<name>.log.1`. */
function freshLog(paths: Paths, name: string): string {
  privateFolder(paths.logs);
  const file = logPath(paths, name);
  if (existsSync(file)) renameSync(file, `${file}.1`);
  return file;
}

/** The status of one request; undefined when nothing answered, or the process died meanwhile. */
async function statusOf(url: string, timeoutMs: number, record: ProcessRecord): Promise<number | undefined> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  const watch = setInterval(() => isOurs(record) || stop.abort(), 250);
  try {
    const answer = await fetch(url, { signal: stop.signal, redirect: "manual" });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
  }
}
