/**
 * Claims: the admin endpoint serves a small `tools/call` at no less than a sixth, and `tools/list` of all tools at no less
 * than a ninth, of the requests per second of a JSON endpoint of the same application that touches nothing. That call is
 * one whose arguments are refused, since it goes all the way and stops before the database, as the baseline does. A call
 * that reads is held against the page's endpoint of the same read: no less than a quarter. Application and load generator
 * are a process each.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type McpSite, MODERN, modernMessage, startMcpSite } from "../tests/support/mcp.mts";
import { compare } from "./lib.mts";

const CONNECTIONS = 16;
const BURST_MS = 700;
const WARM_REQUESTS = 2_000;
const WARM_MS = 60_000;
const ROUNDS = 7;
const SELF = fileURLToPath(import.meta.url);

interface Burst {
  port: number;
  /** One HTTP request, whole. */
  request: string;
  /** Goes on until so many were served. */
  atLeast: number;
}

async function measure(): Promise<boolean> {
  const site = await startMcpSite({ provider: null });
  const load = spawn(process.execPath, ["--bun", SELF, "load"], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const answers = createInterface(load.stdout!)[Symbol.asyncIterator]();
    const port = Number(new URL(site.app.url).port);
    const rateOf = async (request: string, atLeast = 0) => {
      load.stdin!.write(`${JSON.stringify({ port, request, atLeast } satisfies Burst)}\n`);
      const rate = Number((await answers.next()).value);
      if (!(rate > 0)) throw new Error("The load generator gave no rate.");
      return rate;
    };
    const bare = "GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
    const page = "GET /site/tabs HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
    const call = requestOf(site, "tools/call", { name: "site_tabs_list", arguments: { none: 1 } });
    const read = requestOf(site, "tools/call", { name: "site_tabs_list", arguments: {} });
    const list = requestOf(site, "tools/list", {});
    // Compiled while it serves; on a busy machine time alone would not get it there.
    for (const request of [bare, page, call, read, list]) await rateOf(request, WARM_REQUESTS);
    const claims = [
      ["mcp tools/call", call, bare, 1 / 6],
      ["mcp tools/list", list, bare, 1 / 9],
      ["mcp tools/call that reads", read, page, 1 / 4],
    ] as const;
    const held: boolean[] = [];
    for (const [name, request, baseline, share] of claims) {
      held.push(
        await compare({
          name,
          unit: "req/s",
          rounds: ROUNDS,
          baseline: () => rateOf(baseline),
          measured: () => rateOf(request),
          claim: { atLeast: Number(share.toFixed(3)) },
        }),
      );
    }
    return held.every(Boolean);
  } finally {
    load.kill("SIGKILL");
    await site.stop();
  }
}

function requestOf(site: McpSite, method: string, params: Record<string, unknown>): string {
  const body = JSON.stringify(modernMessage(1, method, params));
  const name = typeof params.name === "string" ? [`mcp-name: ${params.name}`] : [];
  const head = [
    "POST /mcp HTTP/1.1",
    "host: 127.0.0.1",
    `authorization: Bearer ${site.tokens.owner}`,
    "content-type: application/json",
    "accept: application/json, text/event-stream",
    `mcp-protocol-version: ${MODERN}`,
    `mcp-method: ${method}`,
    ...name,
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

/** Reads a burst a line and answers with its requests per second. All answers of a burst have one length. */
async function generateLoad(): Promise<void> {
  for await (const line of createInterface(process.stdin)) {
    const { port, request, atLeast } = JSON.parse(line) as Burst;
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(port)));
    const answerBytes = await answerLength(sockets[0]!, request);
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
        socket.write(request);
      });
      socket.write(request);
    }
    do await new Promise((resolve) => setTimeout(resolve, BURST_MS));
    while (served < atLeast && elapsedMs() < WARM_MS);
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

/** Throws when the answer is none of the endpoint's own: an error of the protocol is quick, and would count as speed. */
async function answerLength(socket: Socket, request: string): Promise<number> {
  socket.write(request);
  let text = "";
  for (;;) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    text += chunk.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    if (head < 0) continue;
    const length = head + 4 + Number(/content-length: (\d+)/i.exec(text.slice(0, head))![1]);
    if (text.length < length) continue;
    if (!text.startsWith("HTTP/1.1 200 ") || text.includes('"error":')) {
      throw new Error(`The server answered ${text.slice(0, 400)}`);
    }
    return length;
  }
}

if (process.argv[2] === "load") await generateLoad();
else process.exit((await measure()) ? 0 : 1);
