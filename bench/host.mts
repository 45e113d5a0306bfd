/**
 * Claim: a JSON endpoint on the bundled host, through Encore's own request and response classes, serves at least 0.6
 * of the requests per second of a bare `node:http` handler on the same runtime. Host, bare server and load generator
 * are three processes; both servers answer the same body and write nothing anywhere but the host's access log.
 */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { compare } from "./lib.mts";

const CONNECTIONS = 32;
const BURST_MS = 1_000;
const WARM_REQUESTS = 20_000;
const WARM_MS = 60_000;
const ROUNDS = 9;
const START_ATTEMPTS = 200;
const START_WAIT_MS = 50;
const REQUEST = "GET /ping HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
const FIXTURE = fileURLToPath(new URL("../apps/host/__tests__/app", import.meta.url));
const HOST = fileURLToPath(new URL("../apps/host/main.mts", import.meta.url));
const SELF = fileURLToPath(import.meta.url);

const [role, argument] = process.argv.slice(2);
if (role === "bare") serveBare(Number(argument));
else if (role === "load") await generateLoad(Number(argument));
else process.exit((await measure()) ? 0 : 1);

async function measure(): Promise<boolean> {
  const children: ChildProcess[] = [];
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
    const load = run([SELF, "load", String(BURST_MS)], { stdio: ["pipe", "pipe", "inherit"] });
    const answers = createInterface(load.stdout!)[Symbol.asyncIterator]();
    const rateOf = async (port: number, requests = 0) => {
      load.stdin!.write(`${port} ${requests}\n`);
      const rate = Number((await answers.next()).value);
      if (!(rate > 0)) throw new Error("The load generator gave no rate.");
      return rate;
    };
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

/**
 * Reads a port and a number of requests a line; answers with the requests per second of one burst, which lasts until
 * its time is over and so many requests were served. Every answer of a server has one length.
 */
async function generateLoad(burstMs: number): Promise<void> {
  for await (const line of createInterface(process.stdin)) {
    const [port, requests] = line.split(" ").map(Number) as [number, number];
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(port)));
    const answerBytes = await answerLength(sockets[0]!);
    let served = 0;
    const startedMs = performance.now();
    const elapsedMs = () => performance.now() - startedMs;
    for (const socket of sockets) {
      let received = 0;
      socket.on("data", (chunk) => {
        received += chunk.length;
        if (received < answerBytes) return;
        received -= answerBytes;
        served++;
        socket.write(REQUEST);
      });
      socket.write(REQUEST);
    }
    do await new Promise((resolve) => setTimeout(resolve, burstMs));
    while (served < requests && elapsedMs() < WARM_MS);
    const rate = (served * 1_000) / elapsedMs();
    for (const socket of sockets) socket.destroy();
    console.log(rate);
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  await once(socket, "connect");
  return socket;
}

async function answerLength(socket: Socket): Promise<number> {
  socket.write(REQUEST);
  let text = "";
  for (;;) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    text += chunk.toString("latin1");
    const end = text.indexOf('{"ok":true}');
    if (end < 0) continue;
    if (!text.startsWith("HTTP/1.1 200 ")) throw new Error(`The server answered ${text.slice(0, 40)}`);
    return end + '{"ok":true}'.length;
  }
}
