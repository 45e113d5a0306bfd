/**
 * The host's log: one JSON object a line on standard error. Lines are gathered until the current round of the event
 * loop is over and written in one call; a reader that does not read loses lines, never stops the server.
 */
import { writeSync } from "node:fs";
import { LIMITS } from "../../shared/limits.ts";
import { safeErrorText } from "../api/lib/safe-error.ts";

/** Ranks of Encore's levels; `ENCORE_LOG` names the lowest that is written, `ENCORE_NOLOG` silences all. */
export const LEVELS = { trace: 1, debug: 2, info: 3, warn: 4, error: 5 } as const;
export type Level = keyof typeof LEVELS;

const STDERR = 2;
const RETRY_MS = 20;
const lowest = process.env.ENCORE_NOLOG
  ? Number.POSITIVE_INFINITY
  : (LEVELS[(process.env.ENCORE_LOG ?? "") as Level] ?? LEVELS.trace);

let pending = "";
/** When the first pending line was written; lines of one round of the event loop share it. */
let pendingSince = "";
let dropped = 0;
let isScheduled = false;

/** Writes one line: level, time, message, then the facts. A fact that JSON cannot hold is left out with its line kept. */
export function writeLog(level: Level, message: string, facts: Record<string, unknown> = {}): void {
  if (!isWritten(level)) return;
  const head = { level, time: pendingSince, message };
  pending += `${stringify({ ...head, ...facts }) ?? JSON.stringify(head)}\n`;
}

/** The access line: all that is ever recorded of a request. `path` is without its query. */
export function logRequest(method: string, path: string, status: number, durationMs: number): void {
  if (!isWritten("info")) return;
  const origin = `"method":${JSON.stringify(method)},"path":${JSON.stringify(path)}`;
  pending += `{"level":"info","time":"${pendingSince}","message":"request",${origin},"status":${status},"durationMs":${durationMs}}\n`;
}

/** Whether a line of this level is to be added to the pending ones, which are then on their way out. */
function isWritten(level: Level): boolean {
  if (LEVELS[level] < lowest) return false;
  if (pending.length > LIMITS.hostLogBufferBytes) {
    dropped++;
    return false;
  }
  if (pending === "") pendingSince = new Date().toISOString();
  schedule(() => setImmediate(flushLog));
  return true;
}

/** An error line: the cause is reduced to its redacted message, without its stack. */
export function logError(message: string, cause?: unknown, facts: Record<string, unknown> = {}): void {
  writeLog("error", message, cause === undefined ? facts : { ...facts, error: safeErrorText(cause) });
}

/** Writes what is pending, as far as the reader takes it. */
function flushLog(): void {
  isScheduled = false;
  if (pending === "") return;
  if (dropped > 0) {
    pending += `${JSON.stringify({ level: "warn", time: pendingSince, message: "log lines dropped", dropped })}\n`;
    dropped = 0;
  }
  const bytes = Buffer.from(pending);
  pending = "";
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(STDERR, bytes, written);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
    pending = bytes.subarray(written).toString() + pending;
    schedule(() => setTimeout(flushLog, RETRY_MS).unref());
  }
}

process.on("exit", flushLog);

function schedule(start: () => void): void {
  if (isScheduled) return;
  isScheduled = true;
  start();
}

function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
