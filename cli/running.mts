/**
 * What runs at the moment: the file that `up` writes step by step, so that `down` finds every process even after a
 * start that was cut off. Entries are records (pid and start time), never bare pids.
 */
import { readFileSync, rmSync } from "node:fs";
import type { DatabaseAddress } from "./infra.mts";
import { writeJson } from "./files.mts";
import { isOurs, type ProcessRecord } from "./processes.mts";
import { Refusal } from "./refusal.mts";

/** In the order they start; they stop in the opposite one. */
export const PROCESS_NAMES = ["postgres", "runner", "runner-egress", "api", "web"] as const;
export type ProcessName = (typeof PROCESS_NAMES)[number];

export interface Running {
  /** The one address a person needs. */
  url: string;
  /** Where the web server listens; not in a record of an earlier version. */
  host?: string;
  port?: number;
  apiUrl: string;
  database: "embedded" | "external";
  /** Where its database is; known once that runs. Holds no credential. */
  address?: DatabaseAddress;
  /** Administrator's address of the embedded cluster; an external one stays in `DATABASE_URL`. */
  adminUrl?: string;
  dev: boolean;
  /** Hash of the sources it was started from. */
  inputs: string;
  /** False until everything answered. */
  ready: boolean;
  /** The command that is replacing a process on purpose, so that nobody takes the gap for a crash. */
  restarter?: ProcessRecord;
  /** A foreground `up`, which watches the rest. */
  supervisor?: ProcessRecord;
  /** Where scripts of skills run, by network tier. */
  runnerUrls?: { none?: string; egress?: string };
  /** Why a tier has no runner although it was to have one, as the end of a sentence. */
  runnersAbsent?: { none?: string; egress?: string };
  processes: Partial<Record<ProcessName, ProcessRecord>>;
}

export type SiteState = "running" | "starting" | "broken" | "stopped";

/** Undefined when nothing is recorded. A record that cannot be read is refused: what it names may still run. */
export function readRunning(path: string): Running | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    const isForeign = code === "EACCES" || code === "EPERM";
    throw isForeign
      ? new Refusal(`What runs here is recorded in ${path}, which only its owner may read.`, "Run this as that user.")
      : unreadable(path);
  }
  const running = parsed(text) as Partial<Running> | undefined;
  const isRecord =
    typeof running?.url === "string" && typeof running.processes === "object" && running.processes !== null;
  if (!isRecord) throw unreadable(path);
  return running as Running;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreadable(path: string): Refusal {
  return new Refusal(
    `The record of what runs, ${path}, cannot be read.`,
    "Stop what may still run by hand (./xray doctor names who holds the port), then delete that file.",
  );
}

export function writeRunning(path: string, running: Running): void {
  writeJson(path, running);
}

export function clearRunning(path: string): void {
  rmSync(path, { force: true });
}

/**
 * The processes without which there is no site; with an external database, Postgres is not among them. A runner never
 * is: without it only scripts of skills are refused.
 */
export function expected(running: Running): ProcessName[] {
  return PROCESS_NAMES.filter((name) => !isRunner(name) && (name !== "postgres" || running.database === "embedded"));
}

function isRunner(name: ProcessName): boolean {
  return name === "runner" || name === "runner-egress";
}

/** What a person is shown: those, and the runners that were started. */
export function shown(running: Running): ProcessName[] {
  const needed = expected(running);
  return PROCESS_NAMES.filter((name) => needed.includes(name) || (isRunner(name) && running.processes[name]));
}

export function deadProcesses(running: Running): ProcessName[] {
  return expected(running).filter((name) => !isOurs(running.processes[name]));
}

/** `isStarting` tells whether a living process holds the start lock. */
export function siteState(running: Running | undefined, isStarting: boolean): SiteState {
  if (isStarting) return "starting";
  if (!running) return "stopped";
  const dead = deadProcesses(running);
  if (running.ready && (dead.length === 0 || isOurs(running.restarter))) return "running";
  return dead.length === expected(running).length ? "stopped" : "broken";
}
