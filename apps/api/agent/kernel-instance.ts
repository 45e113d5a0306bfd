/**
 * The kernel of this process, with its results going to the stores. It starts with the process; if the database is not
 * there yet, the next request that needs it tries again. SIGTERM ends running turns as interrupted before the host
 * stops.
 */
import { createKernel } from "../kernel/kernel";
import type { Kernel, KernelSink } from "../kernel/kernel-types";
import { log } from "../lib/log";
import { provideTraceFeed } from "../lib/trace-feed";
import { closeInterruptedTurns, storeTurn } from "../stores/messages";
import { insertTraceRows } from "../stores/trace-events";
import { db, limits } from "./db";
import { schedulePurge } from "./purge";

const sink: KernelSink = {
  storeTraceRows: (sessionId, rows) => insertTraceRows(db, sessionId, rows),
  storeTurn: (sessionId, turn) => storeTurn(db, sessionId, turn),
};

let current: Promise<Kernel> | undefined;

/** The running kernel. Rejects when it cannot start now; a later call starts it again. */
export function kernel(): Promise<Kernel> {
  current ??= start().catch((error) => {
    current = undefined;
    throw error;
  });
  return current;
}

async function start(): Promise<Kernel> {
  // Before the first turn: afterwards a message without a reply is a turn in progress, not one that a stop cut off.
  const closed = await closeInterruptedTurns(db);
  if (closed > 0) log.info("Turns cut off by the last stop were closed.", { turns: closed });
  return createKernel({ sink, log, limits });
}

async function shutdown(): Promise<void> {
  const running = await current?.catch(() => undefined);
  await running?.shutdown().catch((error) => log.error("The kernel did not stop cleanly.", error));
}

provideTraceFeed(async () => (await kernel()).traceBus);
kernel().catch((error) => log.error("The kernel could not start; the next request tries again.", error));
schedulePurge(kernel);
// The host waits for the promise: a turn without a reader is stored, too, before the process ends.
process.once("SIGTERM", shutdown);
process.once("SIGINT", shutdown);
