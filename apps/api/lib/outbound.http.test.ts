/** The guarded way out, against servers that do what they should not. */
import { afterEach, describe, expect, test } from "bun:test";
import { Readable } from "node:stream";
import { brotliCompressSync, createDeflate, deflateSync, gzipSync } from "node:zlib";
import { withEnvironment } from "../../../tests/support/environment.mts";
import { type Answer, openStream, type RudeServer, rudeServer } from "../../../tests/support/rude-server.mts";
import { guardedFetch, OutboundError, type OutboundPolicy } from "./outbound";
import { eventDataCheck } from "./outbound-events";

const open: RudeServer[] = [];
const serve = async (behaviour: Answer) => {
  const server = await rudeServer(behaviour);
  open.push(server);
  return server;
};
const answer =
  (text: string): Answer =>
  (response) =>
    response.end(text);
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const KEY = "0123456789abcdef";
const failures: string[] = [];
function guarded(origin: string, changes: Partial<OutboundPolicy> = {}): typeof fetch {
  failures.length = 0;
  return guardedFetch({
    origin,
    headers: ["authorization", "content-type"],
    idleMs: 10_000,
    totalMs: 10_000,
    maxBytes: 100_000,
    maxSseLineChars: 10_000,
    errorBytes: 100,
    secrets: [KEY],
    onFailure: (line) => failures.push(line),
    ...changes,
  });
}
const post = {
  method: "POST",
  body: "{}",
  headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
};

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof OutboundError ? error.failure : String(error);
}

/** Packed without ever being in memory as a whole. */
async function deflatedMegabytes(count: number): Promise<Buffer> {
  const megabyte = Buffer.alloc(1_048_576, "x");
  const packing = Readable.from(Array(count).fill(megabyte)).pipe(createDeflate());
  return Buffer.concat(await Array.fromAsync(packing as AsyncIterable<Buffer>));
}

describe("where it goes", () => {
  test("reaches its origin and no other", async () => {
    const mine = await serve(answer("hello"));
    const other = await serve(answer("never"));
    const call = guarded(mine.origin);
    expect((await call(`${mine.origin}/v1`, post)).status).toBe(200);
    expect(await failureOf(call(`${other.origin}/v1`, post))).toBe("blocked_origin");
    expect(await failureOf(call(`${mine.origin}@${new URL(other.origin).host}/v1`, post))).toBe("blocked_origin");
    expect(other.seen).toEqual([]);
  });

  test.each([301, 302, 303, 307, 308])("refuses a %i, and the server behind it receives nothing", async (status) => {
    const trap = await serve(answer("never"));
    const mine = await serve((response) => response.writeHead(status, { location: `${trap.origin}/x` }).end());
    // Without the guard the same call arrives at the second server.
    await (await fetch(`${mine.origin}/v1`, post)).text();
    expect(trap.seen.length).toBe(1);
    expect(await failureOf(guarded(mine.origin)(`${mine.origin}/v1`, post))).toBe("redirect");
    expect(trap.seen.length).toBe(1);
  });

  test.each([
    ["a redirect", 302, {}],
    ["an error", 401, {}],
    ["a packing that it cannot undo", 200, { "content-encoding": "br" }],
  ])("hangs up on %s that never ends", async (_case, status, headers) => {
    const hungUp = Promise.withResolvers<void>();
    const mine = await serve((response) => {
      response.on("close", () => hungUp.resolve());
      response.writeHead(status, headers).write("x".repeat(200));
    });
    await guarded(mine.origin)(`${mine.origin}/v1`, post).catch(() => {});
    await hungUp.promise;
  });

  test("uses no proxy from the environment", async () => {
    const proxy = await serve((response) => response.end("proxied"));
    const mine = await serve((response) => response.end("direct"));
    await withEnvironment({ HTTP_PROXY: proxy.origin, http_proxy: proxy.origin }, async () => {
      expect(await (await fetch(`${mine.origin}/v1`)).text()).toBe("proxied");
      expect(await (await guarded(mine.origin)(`${mine.origin}/v1`)).text()).toBe("direct");
    });
  });

  test("sends the named headers and no others", async () => {
    const mine = await serve(answer("x"));
    const headers = { ...post.headers, "openai-organization": "org-1", "x-stainless-os": "Linux", cookie: "a=b" };
    await (await guarded(mine.origin)(`${mine.origin}/v1`, { ...post, headers })).text();
    // Nothing is unpacked on the way in, so the bytes that are counted are the bytes that came.
    expect(mine.seen[0]?.headers["accept-encoding"]).toBe("identity");
    expect(Object.keys(mine.seen[0]?.headers ?? {}).sort()).toEqual([
      "accept",
      "accept-encoding",
      "authorization",
      "connection",
      "content-length",
      "content-type",
      "host",
      "user-agent",
    ]);
  });
});

describe("how long it waits", () => {
  test("ends when no head comes", async () => {
    const mine = await serve(() => {});
    expect(await failureOf(guarded(mine.origin, { idleMs: 30 })(`${mine.origin}/v1`, post))).toBe("idle");
  });

  test("ends when the body stalls, and keeps what arrived", async () => {
    const mine = await serve((response) => openStream(response).write("data: {}\n\n"));
    const response = await guarded(mine.origin, { idleMs: 400 })(`${mine.origin}/v1`, post);
    const reader = response.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("data: {}\n\n");
    expect(await failureOf(reader.read())).toBe("idle");
    expect(failures).toEqual(["idle: idle timeout"]);
  });

  test("does not end a slow body that is never silent for too long", async () => {
    const mine = await serve((response) => {
      openStream(response);
      let left = 14;
      const drip = setInterval(() => {
        response.write(": hb\n\n");
        left -= 1;
        if (left > 0) return;
        clearInterval(drip);
        response.end();
      }, 50);
    });
    const response = await guarded(mine.origin, { idleMs: 500 })(`${mine.origin}/v1`, post);
    expect(await response.text()).toBe(": hb\n\n".repeat(14));
  });

  test("ends a body that trickles for too long, although it is never silent", async () => {
    const mine = await serve((response) => {
      openStream(response);
      const drip = setInterval(() => response.write(": hb\n\n"), 5);
      response.on("close", () => clearInterval(drip));
    });
    const response = await guarded(mine.origin, { idleMs: 5_000, totalMs: 100 })(`${mine.origin}/v1`, post);
    expect(await failureOf(response.text())).toBe("total");
  });

  test("hangs up when the reader gives up", async () => {
    const closed = Promise.withResolvers<void>();
    const mine = await serve((response) => {
      openStream(response).write("data: {}\n\n");
      response.on("close", () => closed.resolve());
    });
    const response = await guarded(mine.origin)(`${mine.origin}/v1`, post);
    await response.body?.cancel();
    await closed.promise;
    expect(failures).toEqual([]);
  });

  test("ends with the caller's own reason when the caller stops", async () => {
    const mine = await serve((response) => openStream(response).write("data: {}\n\n"));
    const stop = new AbortController();
    const response = await guarded(mine.origin)(`${mine.origin}/v1`, { ...post, signal: stop.signal });
    const body = response.text();
    stop.abort(new Error("stopped by the caller"));
    expect(await failureOf(body)).toBe("Error: stopped by the caller");
    expect(failures).toEqual([]);
  });
});

describe("what it takes back", () => {
  test("counts a body of any kind", async () => {
    const mine = await serve((response) => response.end("x".repeat(200_000)));
    const response = await guarded(mine.origin)(`${mine.origin}/v1`, post);
    expect(await failureOf(response.text())).toBe("too_large");
  });

  test("gives the status of an error answer and nothing that upstream said", async () => {
    const mine = await serve((response) => {
      response.writeHead(401, { "x-internal": "host-17" }).end(`bad key ${KEY}, ${"more ".repeat(1_000)}`);
    });
    const response = await guarded(mine.origin)(`${mine.origin}/v1`, post);
    expect(response.status).toBe(401);
    expect([...response.headers.keys()]).toEqual(["content-type"]);
    expect(await response.text()).toBe('{"error":{"message":"upstream error"}}');
    expect(failures.length).toBe(1);
    expect(failures[0]).toStartWith("upstream 401: bad key [redacted], more");
    expect(failures[0]!.length).toBeLessThan(150);
  });

  test("refuses event data that is no JSON before a client library can print it", async () => {
    const mine = await serve((response) => openStream(response).end("data: {}\n\ndata: <html>secret</html>\n\n"));
    const response = await guarded(mine.origin)(`${mine.origin}/v1`, post);
    expect(await failureOf(response.text())).toBe("malformed");
    expect(failures).toEqual(["malformed: event data is not JSON"]);
  });

  test.each([
    ["without a last line break", "data: {}\n\ndata: {secret", "text/event-stream"],
    ["under another type", "data: {}\n\ndata: {secret\n\n", "text/plain"],
    ["with lines that end in CR", "data: {}\r\rdata: {secret\r\r", "text/event-stream"],
    ["over two lines", "data: {\ndata: secret\n\n", "text/event-stream"],
  ])("refuses data that is no JSON, %s", async (_name, text, type) => {
    const mine = await serve((response) => response.writeHead(200, { "content-type": type }).end(text));
    const response = await guarded(mine.origin)(`${mine.origin}/v1`, post);
    expect(await failureOf(response.text())).toBe("malformed");
    expect(failures).toEqual(["malformed: event data is not JSON"]);
  });

  test.each([
    ["after a byte order mark", "\uFEFFdata: {}\n\n"],
    ["over several lines", 'data: {\ndata: "a": 1}\n\n'],
    ["with lines that end in CRLF, CR or LF", "data: {}\r\n\r\ndata: {}\r\rdata: {}\n\n"],
    ["with its end mark", "data: {}\n\ndata: [DONE]\n\n"],
    ["without a last line break", 'data: {"a":\ndata: 1}'],
    ["between comments and other fields", ": ping\n\nevent: x\nid: 7\nretry: 3\ndata: {}\n\n:\n"],
  ])("takes JSON data %s, also one byte at a time", async (_name, text) => {
    for (const step of [1, 2, 1_000]) {
      const check = eventDataCheck(1_000);
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += step) expect(check.add(bytes.subarray(at, at + step))).toBeUndefined();
      expect(check.end()).toBeUndefined();
    }
  });

  test("a connection that breaks is a network failure, logged once, and no timer outlives it", async () => {
    let calls = 0;
    const mine = await serve((response) => {
      calls += 1;
      if (calls > 1) return;
      openStream(response).write("data: {}\n\n");
      setImmediate(() => response.destroy());
    });
    const call = guarded(mine.origin, { idleMs: 100 });
    expect(await failureOf((await call(`${mine.origin}/v1`, post)).text())).toBe("network");
    // A timer left behind by the first call would fire before that of the second.
    expect(await failureOf(call(`${mine.origin}/v1`, post))).toBe("idle");
    expect(failures.map((line) => line.split(":")[0])).toEqual(["network", "idle"]);
  });

  test("unpacks what was packed although nobody asked for it, and counts what came out", async () => {
    const text = 'data: {"a":"你好"}\n\n';
    const packed = (packing: string, body: Buffer, status = 200): Answer => {
      return (response) => response.writeHead(status, { "content-encoding": packing }).end(body);
    };
    for (const answer of [packed("gzip", gzipSync(text)), packed("deflate", deflateSync(text))]) {
      const mine = await serve(answer);
      expect(await (await guarded(mine.origin)(`${mine.origin}/v1`, post)).text()).toBe(text);
    }
    const failing = async (answer: Answer) => {
      const mine = await serve(answer);
      return failureOf(guarded(mine.origin)(`${mine.origin}/v1`, post).then((response) => response.text()));
    };
    expect(await failing(packed("br", brotliCompressSync(text)))).toBe("malformed");
    expect(await failing(packed("gzip, gzip", gzipSync(gzipSync(text))))).toBe("malformed");
    expect(await failing(packed("gzip", Buffer.from(text)))).toBe("network");
    // A thousandth on the wire of what it would be in memory, and never is.
    const bomb = await deflatedMegabytes(128);
    const peakKiB = () => process.resourceUsage().maxRSS;
    const before = peakKiB();
    expect(await failing(packed("deflate", bomb))).toBe("too_large");
    const refused = await serve(packed("deflate", bomb, 401));
    expect((await guarded(refused.origin)(`${refused.origin}/v1`, post)).status).toBe(401);
    expect(failures).toEqual([`upstream 401: ${"x".repeat(100)}`]);
    expect(peakKiB() - before).toBeLessThan(64 * 1_024);
  });

  test("logs how long a server wants to be left alone", async () => {
    const mine = await serve((response) => response.writeHead(429, { "retry-after": "7" }).end("slow down"));
    await guarded(mine.origin)(`${mine.origin}/v1`, post);
    expect(failures).toEqual(["upstream 429, retry after 7: slow down"]);
  });

  test("refuses an event line without end", async () => {
    const mine = await serve((response) => openStream(response).end(`data: "${"x".repeat(20_000)}`));
    const response = await guarded(mine.origin)(`${mine.origin}/v1`, post);
    expect(await failureOf(response.text())).toBe("too_large");
  });

  test("passes a whole answer on byte for byte", async () => {
    const text = 'data: {"a":"你好 😀"}\r\n\r\n: comment\n\ndata: [DONE]\n\n';
    const mine = await serve((response) => openStream(response).end(text));
    expect(await (await guarded(mine.origin)(`${mine.origin}/v1`, post)).text()).toBe(text);
  });

  test("an unreachable server is a network failure, and the log line holds no key", async () => {
    const mine = await serve(answer("x"));
    await mine.close();
    expect(await failureOf(guarded(mine.origin)(`${mine.origin}/v1?k=${KEY}`, post))).toBe("network");
    expect(failures.join()).not.toContain(KEY);
  });
});
