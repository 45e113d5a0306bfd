/** What an application under test holds on to: for tests that ask whether everything came back. Linux counts connections. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RunningApp } from "./app.mts";

/** The environment of an application whose holdings can be asked for. */
export const PROBED = { BUN_OPTIONS: `--preload ${fileURLToPath(new URL("held-probe.mts", import.meta.url))}` };

export interface Held {
  /** Timers and intervals of application, kernel and database driver that are neither over nor cleared. */
  timers: number;
  /** Subscriptions to the trace bus. */
  listeners: number;
  /** Connections of clients; 0 where the system does not tell. */
  connections: number;
}

const looks = new WeakMap<RunningApp, number>();

export async function heldBy(app: RunningApp): Promise<Held> {
  const look = (looks.get(app) ?? 0) + 1;
  looks.set(app, look);
  process.kill(app.pid, "SIGUSR2");
  const log = await app.logged(`{"held":${look},`);
  const { timers, listeners } = JSON.parse(log.split("\n").find((line) => line.startsWith(`{"held":${look},`))!);
  return { timers, listeners, connections: connectionsTo(app.url) };
}

/** `/proc/net/tcp` lists local and remote address as hex, then the state; 01 is an open connection, 08 a half-closed one. */
function connectionsTo(url: string): number {
  if (process.platform !== "linux") return 0;
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
  const isOpen = new RegExp(`^ *\\d+: [0-9A-F]{8}:${port} [0-9A-F:]+ 0[18] `);
  return readFileSync("/proc/net/tcp", "latin1")
    .split("\n")
    .filter((line) => isOpen.test(line)).length;
}
