/** Every protocol that a row may name, each against a local server that speaks it: the same promises hold for all. */
import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { withEnvironment } from "../../../tests/support/environment.mts";
import { SPOKEN, type SpokenProtocol, speaking, withoutKeyHeader } from "../../../tests/support/model-protocols.mts";
import { KEY, MODEL, providerRow, ROW_NAME } from "../../../tests/support/provider-row.mts";
import { type Answer, openStream, type RudeServer, rudeServer } from "../../../tests/support/rude-server.mts";
import { echo, scriptedKernel, type ScriptedOptions, SESSION } from "../../../tests/support/scripted-kernel.mts";
import type { Limits } from "../../../shared/limits";
import type { AskFrame } from "../../../shared/sse";
import { MODEL_APIS } from "../../../shared/model-apis";
import { PROTOCOLS } from "./model-protocols";

/** What the server does, what the log must say of it, and limits to make it happen soon. */
type FailureCase = [name: string, fail: Answer, logged: string, limits: Partial<Limits>];

const open: RudeServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
async function serve(answer: Answer): Promise<RudeServer> {
  const server = await rudeServer(answer);
  open.push(server);
  return server;
}
async function kernelOn(protocol: SpokenProtocol, server: RudeServer, options: ScriptedOptions = {}) {
  const model = providerRow(protocol.baseUrl(server.origin), { api: protocol.api });
  return scriptedKernel({ tools: [echo], ...options, model });
}
const textOf = (frames: AskFrame[]) => frames.map((frame) => (frame.event === "delta" ? frame.data.text : "")).join("");

test("every protocol that is offered is spoken here", () => {
  expect(SPOKEN.map(({ api }) => api)).toEqual([...MODEL_APIS]);
  expect(Object.keys(PROTOCOLS)).toEqual([...MODEL_APIS]);
});

describe.each(SPOKEN.map((protocol) => [protocol.api, protocol] as const))("%s", (_api, protocol) => {
  test("answers with tools: two at once, their results in order, tokens and cost at the row's prices", async () => {
    const calls = ["first", "second 你好 😀"].map((text) => ({ call: "echo", args: { text } }));
    const server = await serve(speaking(protocol, ["I look. ", ...calls], ["Done", "."]));
    const run = await kernelOn(protocol, server, { systemPrompt: "You are the site." });
    const frames = await run.ask("hello");
    expect(frames.map(({ event }) => event)).toEqual([
      "session",
      "delta",
      "tool_start",
      "tool_start",
      "tool_end",
      "tool_end",
      "delta",
      "delta",
      "done",
    ]);
    expect(textOf(frames)).toBe("I look. Done.");
    expect(run.stored.turns[0]).toMatchObject({ outcome: "completed", modelRoundTrips: 2 });
    // Twice 20 tokens in at 1 USD and 10 out at 2 USD for a million each.
    expect(run.stored.turns[0]?.usage).toEqual({ totalTokens: 60, costMicros: 80 });
    expect(server.seen.map(({ url }) => url)).toEqual([protocol.path, protocol.path]);
    expect(protocol.toolResults(server.seen[1]!.body)).toEqual(["echo: first", "echo: second 你好 😀"]);
    expect(server.seen[0]!.body).toContain("You are the site.");
    expect(server.seen[0]!.body).not.toContain("nonexistent");
    expect(run.logged).toEqual([]);

    await run.kernel.drainTrace(SESSION);
    const live = run.kernel.traceBus.recent(SESSION);
    const types = live.map(({ eventType }) => eventType);
    expect(types).toContain("provider_stream_event");
    expect(types.filter((type) => type === "after_provider_response").length).toBe(2);
    const vendors = [
      "openai",
      "anthropic",
      "google",
      "gemini",
      "mistral",
      "chatcmpl",
      "msg_1",
      "resp_1",
      "toolu_",
      "call_0",
      "call_1",
    ];
    for (const value of [new URL(server.origin).host, MODEL, ROW_NAME, KEY, ...vendors]) {
      expect(JSON.stringify([frames, live, run.stored])).not.toContain(value);
    }
  });

  test("carries the key in one header and nowhere else, no header that nobody needs, and no id of ours", async () => {
    const server = await serve(speaking(protocol));
    await (await kernelOn(protocol, server)).ask("hello");
    const [request] = server.seen;
    const { name, prefix } = protocol.keyHeader;
    expect(request!.headers[name]).toBe(`${prefix}${KEY}`);
    expect(withoutKeyHeader(protocol, request!)).not.toContain(KEY);
    expect(JSON.stringify(request)).not.toContain(SESSION);
    const always = "accept accept-encoding connection content-length content-type host user-agent".split(" ");
    expect(Object.keys(request!.headers).sort()).toEqual([...always, name, ...protocol.otherHeaders].sort());
  });

  test("takes nothing from the server's environment", async () => {
    const trap = await serve((response) => response.end("caught"));
    const server = await serve(speaking(protocol));
    await withEnvironment(environmentOf(trap.origin), async () => {
      expect(textOf(await (await kernelOn(protocol, server)).ask("hello"))).toBe("ok");
    });
    expect(trap.seen).toEqual([]);
    expect(JSON.stringify(server.seen)).not.toContain("of-the-server");
    expect(server.seen.map(({ url }) => url)).toEqual([protocol.path]);
  });

  test("a switch of Google's own client changes at most a path, with the row's key still in it alone", async () => {
    const server = await serve(speaking(protocol));
    const environment = { GOOGLE_GENAI_USE_VERTEXAI: "true", GOOGLE_CLOUD_PROJECT: "of-the-server" };
    const said = spyOn(console, "debug").mockImplementation(() => {});
    await withEnvironment(environment, async () => (await kernelOn(protocol, server)).ask("hello"));
    said.mockRestore();
    expect(server.seen.map(({ headers }) => headers[protocol.keyHeader.name])).toEqual([
      `${protocol.keyHeader.prefix}${KEY}`,
    ]);
    expect(JSON.stringify(server.seen)).not.toContain("of-the-server");
  });

  test.each([301, 302, 303, 307, 308])("refuses a %i: the other server receives nothing", async (status) => {
    const trap = await serve(speaking(protocol));
    const server = await serve((response, { url }) => {
      response.writeHead(status, { location: `${trap.origin}${url}` }).end();
    });
    const run = await kernelOn(protocol, server);
    expect((await run.ask("hello")).at(-1)?.data).toMatchObject({ code: "model_failed" });
    expect(trap.seen).toEqual([]);
    expect(run.logged.map(({ cause }) => cause)).toEqual([`redirect: ${status}`]);
  });

  test("its own client would have followed that redirect, conversation and all", async () => {
    const trap = await serve(speaking(protocol));
    const server = await serve((response, { url }) => {
      response.writeHead(307, { location: `${trap.origin}${url}` }).end();
    });
    const baseUrl = PROTOCOLS[protocol.api].baseUrl(new URL(protocol.baseUrl(server.origin)));
    const model = { id: MODEL, name: MODEL, api: protocol.api, provider: "plain", baseUrl, input: ["text"] };
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const whole = { ...model, reasoning: false, cost, contextWindow: 8_000, maxTokens: 100 };
    const context = { messages: [{ role: "user", content: "a secret", timestamp: 0 }] };
    const events = PROTOCOLS[protocol.api].client().streamSimple(whole as never, context as never, { apiKey: KEY });
    await events.result();
    expect(trap.seen.map(({ body }) => body.includes("a secret"))).toEqual([true]);
  });

  const cause = `no zz9gw for ${KEY}, ${Buffer.from(`u:${KEY}`).toString("base64")}`;
  const events = protocol.events(["So far"]);
  const half = events.slice(0, events.findIndex((event) => event.includes("So far")) + 1).join("");
  const page = (type: string, text: string): Answer => {
    return (response) => response.writeHead(200, { "content-type": type }).end(text);
  };
  const status = (code: number, headers = {}): Answer => {
    return (response) => response.writeHead(code, headers).end(cause);
  };
  const noise = `: ${"x".repeat(100)}\n\n`.repeat(2_000);
  const nothing: FailureCase[] = [
    ["401", status(401), "upstream 401: no zz9gw", {}],
    ["404", status(404), "upstream 404: no zz9gw", {}],
    ["429", status(429, { "retry-after": "1" }), "upstream 429, retry after 1: no zz9gw", {}],
    ["500", status(500), "upstream 500: no zz9gw", {}],
    ["529", status(529), "upstream 529: no zz9gw", {}],
    ["a page with status 200", page("text/html", "<p>zz9gw</p>"), "(200 text/html)", {}],
    ["an empty stream", page("text/event-stream", ""), "(200 text/event-stream)", {}],
    ["JSON that is no stream", page("application/json", "{}"), "(200 application/json)", {}],
    ["comments without end", page("text/event-stream", noise), "too_large", { modelResponseBytes: 50_000 }],
    ["a trickle of comments", trickle, "total: total timeout", { modelTotalMs: 200 }],
    ["no head", () => {}, "idle: idle timeout", { modelIdleMs: 80 }],
  ];
  const afterText: FailureCase[] = [
    [
      "an error in the stream",
      (response) => response.end(protocol.errorEvent(cause)),
      protocol.errorUnread ?? "no zz9gw",
      {},
    ],
    ["broken data", (response) => response.end("data: {zz9gw\n\n"), "malformed: event data is not JSON", {}],
    ["an end without a reason", (response) => response.end(), "(200 text/event-stream)", {}],
    ["a cut", (response) => response.destroy(), "network: ", {}],
    ["a stalled body", () => {}, "idle: idle timeout", { modelIdleMs: 400 }],
  ];
  test.each([...nothing.map((one) => ["", ...one] as const), ...afterText.map((one) => ["So far", ...one] as const)])(
    "%s before %s: text is kept, the sentence is ours, the cause is one line in the log",
    async (kept, _name, fail, logged, limits) => {
      const textSeen = Promise.withResolvers<void>();
      const server = await serve(async (response, request) => {
        if (kept !== "") {
          openStream(response).write(half);
          await textSeen.promise;
        }
        fail(response, request);
      });
      const printed = spyOn(console, "error").mockImplementation(() => {});
      const run = await kernelOn(protocol, server, { limits });
      const frames: AskFrame[] = [];
      for await (const frame of (await run.start("hello")).frames(-1)) {
        frames.push(frame);
        if (frame.event === "delta") textSeen.resolve();
      }
      await run.kernel.drainTrace(SESSION);
      expect(frames.map(({ event }) => event).join()).toBe(kept === "" ? "session,error" : "session,delta,error");
      expect(frames.at(-1)?.data).toMatchObject({ code: "model_failed", outcome: "failed" });
      expect(run.stored.turns[0]).toMatchObject({ content: kept, outcome: "failed" });
      // No retry: neither ours nor one that a client library makes by itself.
      expect(server.seen.length).toBe(1);
      expect(printed).not.toHaveBeenCalled();
      printed.mockRestore();
      expect(run.logged.map(({ message }) => message)).toEqual(["a model call failed"]);
      expect(String(run.logged[0]?.cause)).toContain(logged);
      const live = run.kernel.traceBus.recent(SESSION);
      for (const value of ["zz9gw", MODEL, ROW_NAME, new URL(server.origin).host]) {
        expect(JSON.stringify([frames, run.stored, live])).not.toContain(value);
      }
      for (const form of [KEY, Buffer.from(`u:${KEY}`).toString("base64").slice(4, -4)]) {
        expect(JSON.stringify([frames, run.stored, live, run.logged])).not.toContain(form);
      }
    },
  );

  test("after a failure the session answers the next turn", async () => {
    let calls = 0;
    const server = await serve((response, request) => {
      calls += 1;
      if (calls === 1) openStream(response).end(half);
      else speaking(protocol)(response, request);
    });
    const run = await kernelOn(protocol, server);
    await run.ask("hello");
    const frames = await run.ask("again");
    expect(textOf(frames)).toBe("ok");
    expect(frames.at(-1)?.event).toBe("done");
  });

  test("a stop hangs up on the server and keeps what arrived", async () => {
    const hungUp = Promise.withResolvers<void>();
    const server = await serve((response) => {
      response.on("close", () => hungUp.resolve());
      openStream(response).write(half);
    });
    const run = await kernelOn(protocol, server);
    const turn = await run.start("hello");
    for await (const frame of turn.frames(-1)) if (frame.event === "delta") break;
    await turn.cancel();
    await hungUp.promise;
    expect(run.stored.turns[0]).toMatchObject({ content: "So far", outcome: "stopped" });
    expect(run.logged).toEqual([]);
  });

  const whole = protocol.events(["Grüße, 你好 😀", { call: "echo", args: { text: "naïve 你好 😀" } }]).join("");
  test.each<[string, string, number]>([
    ["one byte at a time", whole, 1],
    ["three bytes at a time, with CRLF", whole.replaceAll("\n", "\r\n"), 3],
    ["after a byte order mark", `\uFEFF${whole}`, 100_000],
    ["with comments in between", `: hi\n\n${whole.replaceAll("\n\n", "\n\n: keep-alive\n\n")}`, 7],
  ])("reads the same answer %s", async (_name, text, step) => {
    let calls = 0;
    const server = await serve((response, request) => {
      calls += 1;
      if (calls === 1) void inSteps(openStream(response), Buffer.from(text), step);
      else speaking(protocol)(response, request);
    });
    const run = await kernelOn(protocol, server);
    const frames = await run.ask("hello");
    expect(textOf(frames)).toBe("Grüße, 你好 😀ok");
    expect(frames.at(-1)?.event).toBe("done");
    expect(run.stored.turns[0]?.toolCalls).toMatchObject([{ name: "echo", isError: false }]);
    expect(protocol.toolResults(server.seen[1]!.body)).toEqual(["echo: naïve 你好 😀"]);
  });
});

/** Variables that one of the clients reads, each with a value that would show. */
function environmentOf(trap: string): Record<string, string> {
  const secret = [
    "OPENAI_API_KEY",
    "OPENAI_ORG_ID",
    "OPENAI_PROJECT_ID",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "GOOGLE_API_KEY",
    "GEMINI_API_KEY",
    "MISTRAL_API_KEY",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_CLOUD_LOCATION",
  ];
  const address = ["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "HTTP_PROXY", "http_proxy"];
  return {
    ...Object.fromEntries(secret.map((name) => [name, `${name}-of-the-server`])),
    ...Object.fromEntries(address.map((name) => [name, trap])),
    OPENAI_CUSTOM_HEADERS: "x-of-the-server: 1",
    ANTHROPIC_CUSTOM_HEADERS: "x-of-the-server: 1",
    PI_CACHE_RETENTION: "long",
  };
}

function trickle(response: Parameters<Answer>[0]): void {
  openStream(response);
  const drip = setInterval(() => response.write(": hb\n\n"), 5);
  response.on("close", () => clearInterval(drip));
}

async function inSteps(response: Parameters<Answer>[0], bytes: Buffer, step: number): Promise<void> {
  response.socket?.setNoDelay(true);
  for (let at = 0; at < bytes.length; at += step) {
    response.write(bytes.subarray(at, at + step));
    await new Promise((next) => setImmediate(next));
  }
  response.end();
}
