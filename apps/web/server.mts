/**
 * Starts the web server: the pages (Next) behind the web port.
 *
 *   bun --bun apps/web/server.mts [--dev]
 *
 * Environment: HOST (127.0.0.1), PORT (3000; 0 picks one), API_INTERNAL_URL, SITE_ORIGIN. When it is ready it prints
 * one JSON line on stderr, `{"message":"listening","address":"127.0.0.1:3000"}`. SIGTERM and SIGINT stop it: no new
 * connections, running answers may end, then the rest is cut.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { LIMITS } from "../../shared/limits.ts";
import { createPort } from "./port.mts";

const directory = fileURLToPath(new URL(".", import.meta.url));
// Next resolves its own files, and PostCSS its plugins, from the working directory.
process.chdir(directory);

const host = process.env.HOST || "127.0.0.1";
const apiUrl = process.env.API_INTERNAL_URL;
if (!apiUrl || !URL.canParse(apiUrl)) {
  log("API_INTERNAL_URL must be the address of the API, such as http://127.0.0.1:4000");
  process.exit(1);
}

const dev = process.argv.includes("--dev");
// React picks its build when it is loaded, so this comes before Next is.
(process.env as Record<string, string>).NODE_ENV = dev ? "development" : "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";
const { default: next } = await import("next");
// Next takes every upgrade of the server that its first request came in on: hot reload is one. Outside development it
// would leave each waiting for ever, so it gets a server that never listens, and the port answers an upgrade as the
// plain request that it also is.
const upgrades = dev ? {} : { httpServer: createServer() };
const pages = next({ dev, dir: directory, hostname: host, quiet: true, ...upgrades });
await pages.prepare();
const page = pages.getRequestHandler();

const server = createPort({
  apiUrl,
  siteOrigin: process.env.SITE_ORIGIN,
  bodyBytes: LIMITS.webBodyBytes,
  page: (request, response) => page(request, response),
  log: (message, error) => log(message, { cause: error instanceof Error ? error.message : String(error) }),
});
server.on("error", (error: NodeJS.ErrnoException) => {
  log(error.code === "EADDRINUSE" ? "the port is taken" : "the web server failed", { cause: error.message });
  process.exit(1);
});
server.listen(Number(process.env.PORT || 3000), host, () => {
  const { address, family, port } = server.address() as AddressInfo;
  log("listening", { address: family === "IPv6" ? `[${address}]:${port}` : `${address}:${port}` });
});

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, stop);

function stop(): void {
  server.close(() => process.exit(0));
  server.closeIdleConnections();
  setTimeout(() => {
    server.closeAllConnections();
    process.exit(0);
  }, LIMITS.webShutdownMs).unref();
}

function log(message: string, facts: Record<string, unknown> = {}): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), part: "web", message, ...facts })}\n`);
}
