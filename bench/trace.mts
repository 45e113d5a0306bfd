/**
 * Claim: with 500 watchers of one busy session each sees every event, in order, once, and a delivered event costs the
 * application at most twice the CPU of a bare fan-out: a server that encodes an event once and writes it to every open
 * response. The turn that makes the events is part of the product's cost. CPU is what the kernel counted for the
 * process, read from `/proc`, so this one runs on Linux only.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { encodeSse } from "../shared/sse.ts";
import type { CompletionScript } from "../tests/support/openai-server.mts";
import { type Site, startSite } from "../tests/support/site.mts";
import type { Visitor } from "../tests/support/visitor.mts";
import { compare } from "./lib.mts";

const WATCHERS = 500;
const WAVE = 25;
const TOKENS = 100;
const TOKEN_EVERY_MS = 40;
const ROUNDS = 5;
/** `getconf CLK_TCK`, which Linux fixes for user space. */
const TICK_MICROS = 10_000;
const SELF = fileURLToPath(import.meta.url);

async function measure(): Promise<boolean> {
  const site = await startSite({
    limits: {
      traceConnections: WATCHERS,
      traceConnectionsPerSession: WATCHERS,
      traceConnectionsPerVisitor: WATCHERS,
      traceConnectionsPerNetwork: WATCHERS,
      mergedRowsPerSecond: 1_000,
    },
  });
  let bare: BareFanOut | undefined;
  try {
    const visitor = site.visitor();
    // One turn makes the rows that the bare fan-out repeats.
    const rows = (await watchTurn(site, visitor, 1)).rows;
    bare = await startBare(rows);
    return await compare({
      name: "trace",
      unit: "ns of CPU an event",
      rounds: ROUNDS,
      baseline: () => bare!.burst(),
      measured: async () => (await watchTurn(site, visitor, WATCHERS)).nanosAnEvent,
      claim: { atMost: 2 },
    });
  } finally {
    bare?.stop();
    await site.stop();
  }
}

/** One turn of a new session with so many watchers. Throws when one of them misses an event or sees another order. */
async function watchTurn(
  site: Site,
  visitor: Visitor,
  watchers: number,
): Promise<{ rows: string[]; nanosAnEvent: number }> {
  const id = (await visitor.post("/agent/sessions", {})).body.session.id;
  const sockets: Watcher[] = [];
  // In waves: how many can come at once is another question.
  while (sockets.length < watchers) {
    const wave = Array.from({ length: Math.min(WAVE, watchers - sockets.length) }, (_, n) => {
      const path = `/trace/stream?sessionId=${id}&clientId=w${sockets.length + n}`;
      return watch(site.app.url, path, visitor.cookie!, "ready");
    });
    sockets.push(...(await Promise.all(wave)));
  }
  const ends = sockets.map((watcher) => watcher.until("agent_settled"));
  const startedMicros = cpuMicros(site.app.pid);
  site.model.next(streamTokens);
  await (await visitor.ask("Go on for a while", id)).rest();
  const seen = await Promise.all(ends);
  const spentMicros = cpuMicros(site.app.pid) - startedMicros;
  for (const { socket } of sockets) socket.destroy();
  const rows = framesOf(seen[0]!);
  for (const text of seen) if (text !== seen[0]) checkOrder(framesOf(text), rows.length);
  checkOrder(rows, rows.length);
  return { rows, nanosAnEvent: (spentMicros * 1_000) / (rows.length * watchers) };
}

const streamTokens: CompletionScript = async (reply) => {
  for (let token = 0; token < TOKENS; token++) {
    reply.text(`token ${token} of an answer; `);
    await new Promise((resolve) => setTimeout(resolve, TOKEN_EVERY_MS));
  }
  reply.finish();
};

function framesOf(text: string): string[] {
  return [...text.matchAll(/event: trace\ndata: (\{.*\})\n\n/g)].map(([, data]) => data!);
}

function checkOrder(rows: readonly string[], count: number): void {
  const seqs = rows.map((row) => (JSON.parse(row) as { seq: number }).seq);
  if (seqs.length !== count || seqs.some((seq, index) => seq !== index)) {
    throw new Error(`A watcher saw ${seqs.length} of ${count} events, or not in order: ${seqs.join(" ")}`);
  }
}

interface Watcher {
  socket: Socket;
  /** Everything received up to and including the first occurrence of the mark. */
  until(mark: string): Promise<string>;
}

/** Opens a stream by hand: 500 readers in one process should cost little more than the bytes they get. */
async function watch(url: string, path: string, cookie: string, opened: string): Promise<Watcher> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = "";
  let wanted: { mark: string; found: (text: string) => void; failed: (error: Error) => void } | undefined;
  const check = () => {
    // A mark may lie across two chunks; it is short, and so is what is looked through again.
    if (!wanted || !text.includes(wanted.mark, Math.max(0, text.length - 4_096))) return;
    wanted.found(text);
    wanted = undefined;
  };
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    text += chunk;
    check();
  });
  socket.on("close", () => wanted?.failed(new Error(`A stream ended early: ${text.slice(-300)}`)));
  socket.write(`GET ${path} HTTP/1.0\r\nhost: x\r\ncookie: ${cookie}\r\n\r\n`);
  const watcher: Watcher = {
    socket,
    until: (mark) =>
      new Promise((found, failed) => {
        wanted = { mark, found, failed };
        check();
      }),
  };
  await watcher.until(opened);
  return watcher;
}

/** CPU time that the process has used, user and system, all threads, in microseconds. */
function cpuMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS;
}

interface BareFanOut {
  /** Sends every row to every watcher; nanoseconds of CPU an event. */
  burst(): Promise<number>;
  stop(): void;
}

async function startBare(rows: readonly string[]): Promise<BareFanOut> {
  const child: ChildProcess = spawn(process.execPath, ["--bun", SELF, "bare"], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface(child.stdout!)[Symbol.asyncIterator]();
  child.stdin!.write(`${JSON.stringify(rows)}\n`);
  const url = (await answers.next()).value as string;
  return {
    stop: () => child.kill("SIGKILL"),
    burst: async () => {
      const watchers = await Promise.all(Array.from({ length: WATCHERS }, () => watch(url, "/", "none=1", ": hb")));
      const ends = watchers.map((watcher) => watcher.until("agent_settled"));
      const startedMicros = cpuMicros(child.pid!);
      child.stdin!.write("go\n");
      await Promise.all(ends);
      const spentMicros = cpuMicros(child.pid!) - startedMicros;
      for (const { socket } of watchers) socket.destroy();
      return (spentMicros * 1_000) / (rows.length * WATCHERS);
    },
  };
}

/** Reads the rows, then sends them at each further line of standard input, two a token as the product does. */
async function serveBare(): Promise<void> {
  const open = new Set<ServerResponse>();
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": hb\n\n");
    open.add(response);
    response.on("close", () => open.delete(response));
  });
  server.listen(0, "127.0.0.1");
  let rows: unknown[] | undefined;
  for await (const line of createInterface(process.stdin)) {
    if (rows === undefined) {
      rows = (JSON.parse(line) as string[]).map((row) => JSON.parse(row));
      console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      continue;
    }
    for (const [index, row] of rows.entries()) {
      const text = encodeSse({ event: "trace", data: row });
      for (const response of open) response.write(text);
      if (index % 2 === 1) await new Promise((resolve) => setTimeout(resolve, TOKEN_EVERY_MS));
    }
  }
}

if (process.argv[2] === "bare") await serveBare();
else process.exit((await measure()) ? 0 : 1);
