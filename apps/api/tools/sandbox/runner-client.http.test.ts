/** The client against a runner that speaks the shared examples, and against ones that do not behave. */
import { afterAll, afterEach, describe, expect, it } from "bun:test";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRunnerAddress, type RunnerAddress } from "./runner-address";
import {
  type RunnerClient,
  runnerClient,
  RunnerFailure,
  runnerHealth,
  type RunReply,
  type RunRequest,
} from "./runner-client";

interface Example {
  name: string;
  request: RunRequest;
  reply: { status: number; body: unknown };
}
const { runs, refusals } = JSON.parse(readFileSync("shared/fixtures/runner-protocol.json", "utf8")) as Record<
  "runs" | "refusals",
  Example[]
>;
const REQUEST = runs[0]!.request;

const folder = mkdtempSync(join(tmpdir(), "xray-runner-client-"));
const socketPath = join(folder, "runner.sock");
let server: Server | TcpServer | undefined;
const clients: RunnerClient[] = [];
const never = () => new AbortController().signal;

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  if (server && "closeAllConnections" in server) server.closeAllConnections();
  await new Promise<void>((done) => (server ? server.close(() => done()) : done()));
  server = undefined;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function serve(listener: RequestListener): Promise<void> {
  server = createServer(listener).listen(socketPath);
  await once(server, "listening");
}
function client(changes: Partial<Parameters<typeof runnerClient>[1]> = {}, address: RunnerAddress = { socketPath }) {
  const made = runnerClient(address, { connections: 4, replyBytes: 100_000, graceMs: 200, ...changes });
  clients.push(made);
  return made;
}
async function bodyOf(request: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk.toString("utf8");
  return text;
}
function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    (value) => `no failure: ${JSON.stringify(value)}`,
    (reason: unknown) => reason,
  );
  return error instanceof RunnerFailure ? error.code : error;
}

describe("a run", () => {
  it("goes over the socket as the shared examples say, on one kept connection", async () => {
    const seen: unknown[] = [];
    let connections = 0;
    await serve(async (request, response) => {
      const sent = await bodyOf(request);
      seen.push({ method: request.method, url: request.url, type: request.headers["content-type"] });
      const example = runs[seen.length - 1]!;
      expect(JSON.parse(sent)).toEqual(example.request);
      expect(request.headers["content-length"]).toBe(String(Buffer.byteLength(sent)));
      answer(response, example.reply.status, example.reply.body);
    });
    server!.on("connection", () => (connections += 1));
    const runner = client();
    for (const { name, request, reply } of runs) {
      expect(await runner.run(request, never()), name).toEqual(reply.body as RunReply);
    }
    expect(new Set(seen.map((each) => JSON.stringify(each)))).toEqual(
      new Set(['{"method":"POST","url":"/run","type":"application/json"}']),
    );
    expect([seen.length, connections]).toEqual([runs.length, 1]);
  });

  it("that a runner refuses ends in the runner's own code, and whether something ran is known", async () => {
    let next = 0;
    await serve(async (request, response) => {
      await bodyOf(request);
      const { status, body } = refusals[next++]!.reply;
      answer(response, status, body);
    });
    const runner = client();
    const got: [string, unknown][] = [];
    for (const { name } of refusals) got.push([name, await failureOf(runner.run(REQUEST, never()))]);
    expect(got).toEqual(refusals.map(({ name, reply }) => [name, (reply.body as { error: string }).error]));
    const started = ["zygote_died", "internal", "lost", "late", "garbage", "too_large"] as const;
    expect(started.filter((code) => new RunnerFailure(code).startedNothing)).toEqual([]);
    expect(new RunnerFailure("queue_full").startedNothing && new RunnerFailure("unreachable").startedNothing).toBe(
      true,
    );
  });

  it("works the same over loopback, which development may use", async () => {
    server = createServer(async (request, response) => {
      await bodyOf(request);
      answer(response, 200, runs[0]!.reply.body);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = parseRunnerAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)!;
    expect(await client({}, address).run(REQUEST, never())).toEqual(runs[0]!.reply.body as RunReply);
  });
});

describe("a runner that misbehaves", () => {
  const good = runs[0]!.reply.body as RunReply;
  it("is never believed: not words, not another shape, not an unknown outcome, not an unknown code", async () => {
    const replies: [number, unknown][] = [
      [200, "Traceback (most recent call last): /opt/skills/x.py"],
      [200, ""],
      [200, []],
      [200, { ...good, outcome: "splendid" }],
      [200, { ...good, stdout: 7 }],
      [200, { ...good, stdoutBytes: -1 }],
      [500, "<html>"],
      [404, { error: 404 }],
      [503, { error: "/run/runner/runner.sock is broken" }],
      [302, { error: "internal" }],
    ];
    let next = 0;
    await serve(async (request, response) => {
      await bodyOf(request);
      answer(response, ...replies[next++]!);
    });
    const runner = client();
    const codes: unknown[] = [];
    for (const _ of replies) codes.push(await failureOf(runner.run(REQUEST, never())));
    expect(codes).toEqual([...Array(8).fill("garbage"), "internal", "internal"]);
  });

  it("cannot fill the memory: past the bound the connection is cut", async () => {
    let cut = Promise.withResolvers<void>();
    await serve(async (request, response) => {
      await bodyOf(request);
      response.on("close", () => cut.resolve());
      response.writeHead(200, { "content-type": "application/json" });
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(16_384)));
      };
      response.on("drain", more);
      more();
    });
    expect(await failureOf(client().run(REQUEST, never()))).toBe("too_large");
    await cut.promise;
    // A body of exactly the bound is read.
    cut = Promise.withResolvers();
    const text = JSON.stringify(good);
    server!.removeAllListeners("request").on("request", async (request, response) => {
      await bodyOf(request);
      answer(response, 200, text);
    });
    expect(await client({ replyBytes: text.length }).run(REQUEST, never())).toEqual(good);
    expect(await failureOf(client({ replyBytes: text.length - 1 }).run(REQUEST, never()))).toBe("too_large");
  });

  it("that is slow is left at the run's own time and the grace, and hears of it", async () => {
    const left = Promise.withResolvers<void>();
    await serve(async (request, response) => {
      await bodyOf(request);
      response.on("close", left.resolve);
    });
    expect(await failureOf(client({ graceMs: 30 }).run({ ...REQUEST, timeoutMs: 20 }, never()))).toBe("late");
    await left.promise;
  });

  it("that drips is left at the same time", async () => {
    await serve(async (request, response) => {
      await bodyOf(request);
      response.writeHead(200);
      const drip = setInterval(() => response.write(" "), 10);
      response.on("close", () => clearInterval(drip));
    });
    expect(await failureOf(client({ graceMs: 40 }).run({ ...REQUEST, timeoutMs: 40 }, never()))).toBe("late");
  });

  it("that hangs up, before or within its answer, has given none", async () => {
    let within = false;
    server = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        if (within) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"outcome":"ok"');
        socket.end();
      });
    }).listen(socketPath);
    await once(server, "listening");
    expect(await failureOf(client().run(REQUEST, never()))).toBe("lost");
    within = true;
    expect(await failureOf(client().run(REQUEST, never()))).toBe("lost");
  });

  it("that is not there, or left its socket behind, is unreachable", async () => {
    expect(await failureOf(client({}, { socketPath: join(folder, "nobody.sock") }).run(REQUEST, never()))).toBe(
      "unreachable",
    );
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    expect(await failureOf(client({}, { host: "127.0.0.1", port }).run(REQUEST, never()))).toBe("unreachable");
  });
});

describe("leaving a run", () => {
  it("closes its connection, so that the runner kills it, and the next run has another", async () => {
    const arrived = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    let first = true;
    await serve(async (request, response) => {
      await bodyOf(request);
      if (!first) return answer(response, 200, runs[0]!.reply.body);
      first = false;
      response.on("close", left.resolve);
      arrived.resolve();
    });
    const runner = client();
    const stop = new AbortController();
    const run = failureOf(runner.run(REQUEST, stop.signal));
    await arrived.promise;
    stop.abort(new Error("the visitor went"));
    expect(await run).toEqual(new Error("the visitor went"));
    await left.promise;
    expect(await runner.run(REQUEST, never())).toEqual(runs[0]!.reply.body as RunReply);
  });

  it("before it was sent sends nothing", async () => {
    let requests = 0;
    await serve((_request, response) => {
      requests += 1;
      answer(response, 200, runs[0]!.reply.body);
    });
    expect(await failureOf(client().run(REQUEST, AbortSignal.abort(new Error("gone"))))).toEqual(new Error("gone"));
    expect(requests).toBe(0);
  });
});

describe("an address", () => {
  it("is a socket by its absolute path, or a port of this machine, and nothing else", () => {
    expect(parseRunnerAddress("unix:/run/runner/runner.sock")).toEqual({ socketPath: "/run/runner/runner.sock" });
    expect(parseRunnerAddress("http://127.0.0.1:9000")).toEqual({ host: "127.0.0.1", port: 9_000 });
    const refused = [
      "",
      "unix:runner.sock",
      "unix:",
      "unix:/a\0b",
      "/run/runner.sock",
      "http://localhost:9000",
      "http://127.0.0.1",
      "http://127.0.0.1:0",
      "http://127.0.0.1:65536",
      "http://127.0.0.1:9000/x",
      "http://127.0.0.1:9000@evil.example",
      "http://user@127.0.0.1:9000",
      "http://127.0.0.2:9000",
      "https://127.0.0.1:9000",
      "http://10.0.0.1:9000",
    ];
    expect(refused.filter((text) => parseRunnerAddress(text))).toEqual([]);
  });
});

describe("health", () => {
  const HEALTH = { ok: true, missing: [], slots: 2, active: 1, waiting: 0 };
  const ask = (timeoutMs = 5_000) => runnerHealth({ socketPath }, timeoutMs);

  it("is asked for without a body, and only its known fields are taken", async () => {
    const seen: unknown[] = [];
    await serve(async (request, response) => {
      seen.push([request.method, request.url, await bodyOf(request)]);
      answer(response, 200, { ...HEALTH, user: "root", zygote: { pid: 7 } });
    });
    expect(await ask()).toEqual(HEALTH);
    expect(seen).toEqual([["GET", "/health", ""]]);
  });

  it("is also that of a runner that refuses, which answers 503", async () => {
    await serve((_, response) => answer(response, 503, { ...HEALTH, ok: false, missing: ["landlock"] }));
    expect(await ask()).toEqual({ ...HEALTH, ok: false, missing: ["landlock"] });
  });

  it("is unknown where nobody listens, and of whoever answers otherwise, too much or never", async () => {
    expect(await runnerHealth({ socketPath: join(folder, "nobody.sock") }, 5_000)).toBeUndefined();
    const bodies = [
      "<html>",
      "",
      "null",
      { ...HEALTH, missing: ["/a/path"] },
      { ...HEALTH, slots: "2" },
      { ...HEALTH, more: "x".repeat(70_000) },
    ];
    await serve((_, response) => answer(response, 200, bodies.shift()));
    for (const body of [...bodies]) expect([body, await ask()]).toEqual([body, undefined]);
    expect(bodies).toEqual([]);
    (server as Server).removeAllListeners("request").on("request", () => {});
    expect(await ask(50)).toBeUndefined();
  });
});
