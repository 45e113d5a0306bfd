/**
 * The listening side: an HTTP server with bounded patience for slow or malformed clients, and the order of a graceful
 * stop. Health says no, the listener closes, the application's own signal listeners end what runs, and the process
 * leaves when the last response has left, or when the time is up.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { LIMITS, type Limits } from "../../shared/limits.ts";
import type { Dispatcher } from "./dispatcher.mts";
import { logError, writeLog } from "./host-log.mts";

export interface Listening {
  /** `host:port` as bound. */
  address: string;
  server: Server;
}

type Patience = Pick<Limits, "hostHeadersMs" | "hostRequestMs" | "hostKeepAliveMs">;

/** `listenAddress` is `host:port`; port 0 picks a free one. Rejects when it cannot be bound. */
export async function listen(
  dispatcher: Pick<Dispatcher, "handle">,
  listenAddress: string,
  limits: Patience = LIMITS,
): Promise<Listening> {
  const { host, port } = parseAddress(listenAddress);
  const server = createServer({
    headersTimeout: limits.hostHeadersMs,
    requestTimeout: limits.hostRequestMs,
    keepAliveTimeout: limits.hostKeepAliveMs,
    connectionsCheckingInterval: limits.hostHeadersMs / 4,
  });
  server.on("request", dispatcher.handle);
  server.on("clientError", refuseMalformed);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const bound = server.address() as AddressInfo;
  const shownHost = bound.family === "IPv6" ? `[${bound.address}]` : bound.address;
  return { address: `${shownHost}:${bound.port}`, server };
}

const MALFORMED = "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/** A request that never became one. A connection that was already answered on is only closed. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: import("node:stream").Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable || (socket as Socket).bytesWritten > 0)
    return void socket.destroy();
  socket.end(MALFORMED);
}

function parseAddress(text: string): { host: string; port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  if (match === null) throw new Error(`ENCORE_LISTEN_ADDR is "${text}", not host:port.`);
  return { host: (match[1] ?? match[2])!, port: Number(match[3]) };
}

type Signal = "SIGTERM" | "SIGINT";

/**
 * Waits for SIGTERM or SIGINT, stops as described above, and resolves to the exit code: 0 when everything ended within
 * `shutdownMs`, else 1. The application's listeners for the signal that were there at start are called by the host, so
 * that a promise they return counts as work to wait for. A second SIGINT leaves at once; a person pressed it.
 */
export async function runUntilStopped(server: Server, dispatcher: Dispatcher, shutdownMs: number): Promise<number> {
  const applicationListeners = { SIGTERM: takeListeners("SIGTERM"), SIGINT: takeListeners("SIGINT") };
  const cause = await firstStop();
  process.on("SIGINT", () => process.exit(1));
  writeLog("info", "stopping", { cause: cause.name });
  dispatcher.drain();
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  server.closeIdleConnections();
  const ended = Promise.all([
    dispatcher.idle(),
    ...applicationListeners[cause.signal].map(async (listener) => listener(cause.signal)),
  ]).then(
    () => undefined,
    (error: unknown) => logError("a signal listener failed", error),
  );
  const inTime = await Promise.race([ended.then(() => true), delay(shutdownMs).then(() => false)]);
  server.closeAllConnections();
  if (inTime) await Promise.race([closed, delay(CLOSE_GRACE_MS)]);
  writeLog("info", "stopped", { inTime });
  return inTime ? cause.exitCode : 1;
}

const CLOSE_GRACE_MS = 200;

type SignalListener = (signal: Signal) => unknown;

function takeListeners(signal: Signal): SignalListener[] {
  const listeners = process.listeners(signal) as SignalListener[];
  process.removeAllListeners(signal);
  return listeners;
}

/** An exception that nobody caught leaves the process in an unknown state: it stops in good order and reports failure. */
function firstStop(): Promise<{ name: string; signal: Signal; exitCode: number }> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => resolve({ name: signal, signal, exitCode: 0 }));
    }
    process.on("uncaughtException", (error) => {
      logError("uncaught exception", error);
      resolve({ name: "uncaught exception", signal: "SIGTERM", exitCode: 1 });
    });
  });
}

function delay(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
