/**
 * A load generator in a process of its own, so that it does not share a thread with what it measures. It holds
 * connections over which one request follows another, and counts the answers of a burst.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

interface Burst {
  connections: number;
  /** It lasts so long, and then goes on until `atLeast` answers came or `WARM_MS` are over. */
  burstMs: number;
  port: number;
  /** One HTTP request, whole. */
  request: string;
  atLeast: number;
}
export interface LoadGenerator {
  /** Requests per second of one burst against a port of this machine. Rejects when an answer is not 200. */
  rateOf(port: number, request: string, atLeast?: number): Promise<number>;
  stop(): void;
}

const WARM_MS = 60_000;

export function startLoad(connections: number, burstMs: number): LoadGenerator {
  const self = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, ["--bun", self], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    async rateOf(port, request, atLeast = 0) {
      child.stdin.write(`${JSON.stringify({ connections, burstMs, port, request, atLeast } satisfies Burst)}\n`);
      const rate = Number((await answers.next()).value);
      if (!(rate > 0)) throw new Error("The load generator gave no rate.");
      return rate;
    },
    stop: () => void child.kill("SIGKILL"),
  };
}

/** Reads a burst a line and answers with its rate. All answers of a burst have one length. */
async function generateLoad(): Promise<void> {
  for await (const line of createInterface(process.stdin)) {
    const { connections, burstMs, port, request, atLeast } = JSON.parse(line) as Burst;
    const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
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
    do await new Promise((resolve) => setTimeout(resolve, burstMs));
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
    const length = wholeLength(text);
    if (length === undefined || text.length < length) continue;
    if (!text.startsWith("HTTP/1.1 200 ") || text.includes('"error":')) {
      throw new Error(`The server answered ${text.slice(0, 400)}`);
    }
    return length;
  }
}

/** Bytes of the answer that begins here, by its length or its last chunk; undefined while neither has come. */
function wholeLength(text: string): number | undefined {
  const body = text.indexOf("\r\n\r\n") + 4;
  if (body < 4) return undefined;
  const stated = /content-length: (\d+)/i.exec(text.slice(0, body));
  if (stated) return body + Number(stated[1]);
  const last = text.indexOf("0\r\n\r\n", body);
  return last < 0 ? undefined : last + 5;
}

if (import.meta.main) await generateLoad();
