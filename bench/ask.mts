/**
 * Claims: between a chunk of the provider and the visitor's frame the product adds, to what a bare bun relay of the same
 * chunks takes in the same run, at most 3 ms in the median and 20 ms at the 99th percentile with 20 conversations at
 * once; and with 100 no frame is lost, repeated or out of order. The provider streams 50 tokens a second to each.
 *
 * Provider and readers are this process, so both ends of a delay are read off one clock; the product and the relay are
 * a process each.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type CompletionScript, type OpenAiServer, startOpenAiServer } from "../tests/support/openai-server.mts";
import { startSite } from "../tests/support/site.mts";
import type { Stream, Visitor } from "../tests/support/visitor.mts";
import { judge, median, quantile } from "./lib.mts";

const TOKEN_EVERY_MS = 20;
const TOKENS = 100;
const ROUNDS = 7;
const MOST = 100;
const SELF = fileURLToPath(import.meta.url);

async function measure(): Promise<boolean> {
  // Nobody waits for a slot or a connection: what is measured is the way of a chunk. 0 is no limit.
  const site = await startSite({
    limits: { activeSessions: MOST, networkTurnsAtOnce: 0, networkTurnsPerHour: 0, visitorTurnsPerHour: 0 },
  });
  const upstream = await startOpenAiServer();
  const relay = spawn(process.execPath, ["--bun", SELF, "relay", upstream.baseUrl], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const relayUrl = (await createInterface(relay.stdout!)[Symbol.asyncIterator]().next()).value as string;
    const visitors = Array.from({ length: MOST }, () => site.visitor());
    const product = (count: number) => burst(site.model, count, (n) => readAnswer(visitors[n]!, n));
    const bare = (count: number) => burst(upstream, count, (n) => readRelayed(relayUrl, n));
    // The first bursts warm both up.
    await product(20);
    await bare(20);
    const one = await delays(1, product, bare);
    const twenty = await delays(20, product, bare);
    return [one, twenty, await losses(product)].every(Boolean);
  } finally {
    relay.kill("SIGKILL");
    await site.stop();
    await upstream.close();
  }
}

/** Throws when a reader sees anything but its own tokens in order, once each. */
async function losses(product: (count: number) => Promise<number[]>): Promise<boolean> {
  const seen = await product(MOST);
  return judge({
    name: "ask lost tokens at 100",
    unit: "tokens",
    measured: MOST * TOKENS - seen.length,
    atMost: 0,
    digits: 0,
  });
}

async function delays(count: number, product: Run, bare: Run): Promise<boolean> {
  const rounds: { product: number[]; bare: number[] }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) rounds.push({ bare: await bare(count), product: await product(count) });
    else {
      const measured = await product(count);
      rounds.push({ product: measured, bare: await bare(count) });
    }
  }
  const added = (share: number) =>
    median(rounds.map((round) => quantile(round.product, share) - quantile(round.bare, share)));
  const shown = (of: "product" | "bare", share: number) =>
    median(rounds.map((round) => quantile(round[of], share))).toFixed(2);
  console.log(
    `ask at ${count}: relay ${shown("bare", 0.5)} and ${shown("bare", 0.99)} ms, ` +
      `product ${shown("product", 0.5)} and ${shown("product", 0.99)} ms (median and p99)`,
  );
  const inMedian = judge({ name: `ask added median at ${count}`, unit: "ms", measured: added(0.5), atMost: 3 });
  const atP99 = judge({ name: `ask added p99 at ${count}`, unit: "ms", measured: added(0.99), atMost: 20 });
  return inMedian && atP99;
}

type Run = (count: number) => Promise<number[]>;

/** When each token of each conversation was sent. */
const sentAtMs: number[][] = [];

/** One answer to each of `count` readers at once; every token's delay in milliseconds. */
async function burst(server: OpenAiServer, count: number, read: (n: number) => Promise<number[]>): Promise<number[]> {
  for (let n = 0; n < count; n++) server.next(streamTokens);
  const delays = await Promise.all(Array.from({ length: count }, (_, n) => read(n)));
  server.requests.length = 0;
  return delays.flat();
}

const streamTokens: CompletionScript = async (reply, request) => {
  const n = Number(/reader (\d+)/.exec(JSON.stringify(request.body.messages.at(-1)))![1]);
  const sent: number[] = [];
  sentAtMs[n] = sent;
  // Readers are spread over the interval, as they would be.
  const startedMs = performance.now() + ((n * 7) % TOKEN_EVERY_MS);
  for (let token = 0; token < TOKENS; token++) {
    const waitMs = startedMs + token * TOKEN_EVERY_MS - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    sent.push(performance.now());
    reply.text(`${token};`);
  }
  reply.finish();
};

/** Checks that tokens come as 0, 1, 2 …, and notes how long each took. */
class Reader {
  readonly delays: number[] = [];
  constructor(private readonly n: number) {}

  take(text: string): void {
    const nowMs = performance.now();
    for (const token of text.split(";").slice(0, -1)) {
      if (Number(token) !== this.delays.length) {
        throw new Error(`Reader ${this.n} got token ${token} in place of ${this.delays.length}.`);
      }
      this.delays.push(nowMs - sentAtMs[this.n]![this.delays.length]!);
    }
  }
}

async function readAnswer(visitor: Visitor, n: number): Promise<number[]> {
  const reader = new Reader(n);
  const stream: Stream = await visitor.ask(`I am reader ${n}`);
  let index = 0;
  for (let frame = await stream.next(); frame !== undefined; frame = await stream.next()) {
    if (frame.id !== `0.${index++}`) throw new Error(`Reader ${n} got frame ${frame.id} in place of 0.${index - 1}.`);
    if (frame.event === "error") throw new Error(`Reader ${n} got ${JSON.stringify(frame.data)}`);
    if (frame.event === "delta") reader.take(frame.data.text);
  }
  return reader.delays;
}

async function readRelayed(url: string, n: number): Promise<number[]> {
  const reader = new Reader(n);
  const body = JSON.stringify({ messages: [{ content: `I am reader ${n}` }] });
  const response = await fetch(url, { method: "POST", body });
  const decoder = new TextDecoder();
  let unread = "";
  for await (const chunk of response.body!) {
    const text = unread + decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf("\n\n") + 2;
    unread = text.slice(end);
    for (const block of text.slice(0, end).split("\n\n")) {
      const content = block.startsWith("data: {") ? JSON.parse(block.slice(6)).choices[0]?.delta.content : undefined;
      if (content !== undefined) reader.take(content);
    }
  }
  return reader.delays;
}

/** Passes a request to the provider and its answer back, and does nothing else. */
function serveRelay(upstream: string): void {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: async (request) => {
      const { body } = await fetch(`${upstream}/chat/completions`, { method: "POST", body: await request.text() });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });
  console.log(String(server.url));
}

if (process.argv[2] === "relay") serveRelay(process.argv[3]!);
else process.exit((await measure()) ? 0 : 1);
