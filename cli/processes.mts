/**
 * Which process is ours. A pid alone proves nothing, since the system gives it away again; a record holds the pid and
 * the moment the system says it started, and only a process with both is ever signalled.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

export interface ProcessRecord {
  pid: number;
  /** The system's own mark of when the process started; opaque, equal only for the same process. */
  started: string;
}

/** The record of a living process; undefined when there is none or it is only waiting to be reaped. */
export function recordOf(pid: number): ProcessRecord | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
  const started = process.platform === "linux" ? startedOnLinux(pid) : startedByPs(pid);
  return started === undefined ? undefined : { pid, started };
}

/** `ours` runs, `gone` does not, `stranger`: the pid now belongs to somebody else. */
export function stateOfRecord(record: ProcessRecord): "ours" | "gone" | "stranger" {
  const now = recordOf(record.pid);
  if (!now) return "gone";
  return now.started === record.started ? "ours" : "stranger";
}

export function isOurs(record: ProcessRecord | undefined): record is ProcessRecord {
  return record !== undefined && stateOfRecord(record) === "ours";
}

/** Signals a process of ours; a stranger or a dead pid gets nothing. */
export function signal(record: ProcessRecord, name: NodeJS.Signals): boolean {
  if (!isOurs(record)) return false;
  try {
    return process.kill(record.pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

/** True when the process has gone within the time. */
export async function waitGone(record: ProcessRecord, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isOurs(record)) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  return true;
}

/** Asks a process of ours to end, and ends it when it has not within the time. False when it was not ours. */
export async function stopProcess(record: ProcessRecord, name: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
  if (!signal(record, name)) return false;
  if (await waitGone(record, timeoutMs)) return true;
  signal(record, "SIGKILL");
  await waitGone(record, timeoutMs);
  return true;
}

function startedOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything, so fields are counted from the last ")": state is the first.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return `${bootId()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

let boot: string | undefined;
/** Ticks since boot repeat after a restart; the boot's own id does not. */
function bootId(): string {
  boot ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return boot;
}

function startedByPs(pid: number): string | undefined {
  try {
    const [state, ...started] = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "ignore"],
    })
      .trim()
      .split(/\s+/);
    return !state || state.startsWith("Z") ? undefined : started.join(" ");
  } catch {
    return undefined;
  }
}
