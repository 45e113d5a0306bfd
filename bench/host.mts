/**
 * Claim: a JSON endpoint on the bundled host, through Encore's own request and response classes, serves at least 0.6
 * of the requests per second of a bare `node:http` handler on the same runtime. Host, bare server and load generator
 * are three processes; both servers answer the same body and write nothing anywhere but the host's access log.
 */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { fileURLToPath } from "node:url";
import { compare } from "./lib.mts";
import { startLoad } from "./lib-load.mts";

const CONNECTIONS = 32;
const BURST_MS = 1_000;
const WARM_REQUESTS = 20_000;
const ROUNDS = 9;
const START_ATTEMPTS = 200;
const START_WAIT_MS = 50;
const REQUEST = "GET /ping HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
const FIXTURE = fileURLToPath(new URL("../apps/host/__tests__/app", import.meta.url));
const HOST = fileURLToPath(new URL("../apps/host/main.mts", import.meta.url));
const SELF = fileURLToPath(import.meta.url);

const [role, argument] = process.argv.slice(2);
if (role === "bare") serveBare(Number(argument));
else process.exit((await measure()) ? 0 : 1);

async function measure(): Promise<boolean> {
  const children: ChildProcess[] = [];
  const load = startLoad(CONNECTIONS, BURST_MS);
  const rateOf = (port: number, atLeast?: number) => load.rateOf(port, REQUEST, atLeast);
  const run = (args: string[], options: SpawnOptions = {}) => {
    const child = spawn(process.execPath, ["--bun", ...args], { stdio: ["ignore", "ignore", "ignore"], ...options });
    children.push(child);
    return child;
  };
  try {
    const [hostPort, barePort] = await freePorts(2);
    const env = { ...process.env, ENCORE_LISTEN_ADDR: `127.0.0.1:${hostPort}` };
    run([HOST], { cwd: FIXTURE, env });
    run([SELF, "bare", String(barePort)]);
    await Promise.all([listening(hostPort!), listening(barePort!)]);
    // Both are compiled while they serve; on a busy machine time alone would not get them there.
    for (const port of [barePort!, hostPort!]) await rateOf(port, WARM_REQUESTS);
    return await compare({
      name: "host",
      unit: "req/s",
      rounds: ROUNDS,
      baseline: () => rateOf(barePort!),
      measured: () => rateOf(hostPort!),
      claim: { atLeast: 0.6 },
    });
  } finally {
    load.stop();
    for (const child of children) child.kill("SIGKILL");
  }
}

/** Ports that were free a moment ago; the servers' output goes nowhere, so they cannot name their own. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt++) {
    const socket = connect(port, "127.0.0.1");
    const isUp = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, START_WAIT_MS));
  }
  throw new Error(`Nothing listens on port ${port}.`);
}

function serveBare(port: number): void {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"ok":true}');
  });
  server.listen(port, "127.0.0.1");
}
