/**
 * What runs at the moment: the file that `up` writes step by step, so that `down` finds every process even after a
 * start that was cut off. Entries are records (pid and start time), never bare pids.
 */
import { rmSync } from "node:fs";
import type { DatabaseAddress } from "./infra.mts";
import { readJson, writeJson } from "./files.mts";
import { isOurs, type ProcessRecord } from "./processes.mts";

/** In the order they start; they stop in the opposite one. */
export const PROCESS_NAMES = ["postgres", "api", "web"] as const;
export type ProcessName = (typeof PROCESS_NAMES)[number];

export interface Running {
  /** The one address a person needs. */
  url: string;
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
  processes: Partial<Record<ProcessName, ProcessRecord>>;
}

export type SiteState = "running" | "starting" | "broken" | "stopped";

export function readRunning(path: string): Running | undefined {
  return readJson<Running>(path);
}

export function writeRunning(path: string, running: Running): void {
  writeJson(path, running);
}

export function clearRunning(path: string): void {
  rmSync(path, { force: true });
}

/** The processes a running site consists of; with an external database, Postgres is not among them. */
export function expected(running: Running): ProcessName[] {
  return PROCESS_NAMES.filter((name) => name !== "postgres" || running.database === "embedded");
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
