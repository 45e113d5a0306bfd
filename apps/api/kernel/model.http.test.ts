/** Model calls on the wire: what reaches the provider, what comes back, and what never leaves the server. */
import { afterEach, describe, expect, test } from "bun:test";
import { InMemoryCredentialStore } from "@earendil-works/pi-ai";
import { openAICompletionsApi } from "@earendil-works/pi-ai/api/openai-completions.lazy";
import { ModelRuntime } from "@earendil-works/pi-coding-agent";
import { withEnvironment } from "../../../tests/support/environment.mts";
import { callTool, say, startOpenAiServer } from "../../../tests/support/openai-server.mts";
import { KEY, MODEL, providerRow as row } from "../../../tests/support/provider-row.mts";
import { echo, scriptedKernel, type ScriptedOptions, SESSION } from "../../../tests/support/scripted-kernel.mts";
import { LIMITS } from "../../../shared/limits";
import type { ModelSource } from "./kernel-types";
import { createModels } from "./model";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function provider() {
  const server = await startOpenAiServer(MODEL);
  open.push(server);
  return server;
}
const kernelOn = (model: ModelSource, options: ScriptedOptions = {}) => scriptedKernel({ model, ...options });

describe("the request", () => {
  test("carries our prompt and exactly our tools, and no field that a compatible server might refuse", async () => {
    const server = await provider();
    const { ask } = await kernelOn(row(server.baseUrl), { tools: [echo], systemPrompt: "You are the site." });
    await ask("hello");
    const { body } = server.requests[0]!;
    expect(Object.keys(body).sort()).toEqual(["max_tokens", "messages", "model", "stream", "stream_options", "tools"]);
    expect(body.model).toBe(MODEL);
    expect(body.max_tokens).toBe(2_048);
    // No working directory, no rules of pi's own.
    expect(body.messages).toEqual([
      { role: "system", content: "You are the site." },
      { role: "user", content: [{ type: "text", text: "hello" }] },
    ]);
    expect(body.tools.map((one: { function: { name: string } }) => one.function.name)).toEqual(["echo"]);
  });

  test("OpenAI's own address gets the fields that only OpenAI knows", async () => {
    const { resolve } = await createModels(LIMITS, { info() {}, error() {} }, undefined);
    const bodies: Record<string, unknown>[] = [];
    const capture = async (_url: string, init: RequestInit) => {
      bodies.push(JSON.parse(String(init.body)));
      return new Response("", { status: 500 });
    };
    for (const baseUrl of ["https://api.openai.com/v1", "https://gw.example/v1"]) {
      const context = { messages: [{ role: "user", content: "hi", timestamp: 0 }] };
      const options = { apiKey: "k", fetch: capture, maxTokens: 10 };
      await openAICompletionsApi()
        .streamSimple(resolve(row(baseUrl)) as never, context as never, options as never)
        .result();
    }
    expect(
      bodies.map(({ store, max_tokens, max_completion_tokens }) => [store, max_tokens, max_completion_tokens]),
    ).toEqual([
      [false, undefined, 10],
      [undefined, 10, undefined],
    ]);
  });

  test("without tools none are offered", async () => {
    const server = await provider();
    const { ask } = await kernelOn(row(server.baseUrl));
    await ask("hello");
    expect(server.requests[0]?.body.tools).toBeUndefined();
  });

  test.each(["!echo pwned", "$LAB_SECRET", "$" + "{LAB_SECRET}"])(
    "the key %j is sent as it is written",
    async (apiKey) => {
      const server = await provider();
      const { ask } = await kernelOn(row(server.baseUrl, { apiKey }));
      await withEnvironment({ LAB_SECRET: "server-secret" }, () => ask("hello"));
      expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${apiKey}`]);
    },
  );

  test("pi's own way to take a key would have run it as a command", async () => {
    const server = await provider();
    const runtime = await ModelRuntime.create({
      credentials: new InMemoryCredentialStore(),
      modelsPath: null,
      refreshOnCreate: false,
    });
    const id = "unguarded";
    runtime.registerProvider(id, {
      apiKey: "!echo pwned",
      baseUrl: server.baseUrl,
      api: "openai-completions",
      models: [
        {
          id: MODEL,
          name: MODEL,
          reasoning: false,
          input: ["text"],
          cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
          contextWindow: 8_000,
          maxTokens: 100,
        },
      ],
    });
    const context = { messages: [{ role: "user" as const, content: "hi", timestamp: 0 }] };
    await runtime.streamSimple(runtime.getModel(id, MODEL)!, context as never, {}).result();
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer pwned"]);
  });

  test("variables of the server's environment stay on the server", async () => {
    const environment = {
      OPENAI_ORG_ID: "org-of-the-server",
      OPENAI_PROJECT_ID: "project-of-the-server",
      OPENAI_CUSTOM_HEADERS: "x-of-the-server: 1",
      OPENAI_API_KEY: "key-of-the-server",
      OPENAI_BASE_URL: "http://127.0.0.1:1",
    };
    const server = await provider();
    const model = { ...plainModel(server.baseUrl) };
    await withEnvironment(environment, async () => {
      const context = { messages: [{ role: "user" as const, content: "hi", timestamp: 0 }] };
      await openAICompletionsApi()
        .streamSimple(model as never, context as never, { apiKey: "k" })
        .result();
      const { ask } = await kernelOn(row(server.baseUrl));
      await ask("hello");
    });
    const [plain, ours] = server.requests.map(({ headers }) => JSON.stringify(headers));
    expect(plain).toContain("org-of-the-server");
    expect(plain).toContain("x-of-the-server");
    expect(ours).not.toContain("of-the-server");
    expect(Object.keys(server.requests[1]!.headers).sort()).toEqual([
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

  test("a session that is rebuilt gets the earlier messages behind the prompt, as one message", async () => {
    const server = await provider();
    const { ask } = await kernelOn(row(server.baseUrl), { systemPrompt: "You are the site." });
    await ask("who am I?", { blueprint: { history: [{ role: "user", content: "I am Ada" }] } });
    const { messages } = server.requests[0]!.body;
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(["system", "user", "user"]);
    expect(JSON.stringify(messages[1])).toContain("I am Ada");
  });

  test.each(["/compact now", "/skill:x", "!ls", "/help"])(
    "%j is a message to the model like any other",
    async (text) => {
      const server = await provider();
      const { ask } = await kernelOn(row(server.baseUrl));
      await ask(text);
      expect(server.requests.length).toBe(1);
      expect(server.requests[0]?.body.messages.at(-1).content).toEqual([{ type: "text", text }]);
    },
  );
});

describe("the answer", () => {
  test("usage and cost are the provider's tokens at the row's prices", async () => {
    const server = await provider();
    const run = await kernelOn(row(server.baseUrl));
    await run.ask("hello");
    // 20 in at 1 USD and 10 out at 2 USD for a million each.
    expect(run.stored.turns[0]?.usage).toEqual({ totalTokens: 30, costMicros: 40 });
  });
});

describe("nothing names the model", () => {
  test("host, model, row and key are in no frame, no row and no stored turn", async () => {
    const server = await provider();
    server.next(callTool("echo", { text: "hi" }));
    server.next(say("The ", "answer."));
    const run = await kernelOn(row(server.baseUrl), { tools: [echo] });
    const frames = await run.ask("hello");
    await run.kernel.drainTrace(SESSION);
    const live = run.kernel.traceBus.recent(SESSION);
    expect(frames.map(({ event }) => event)).toEqual(["session", "tool_start", "tool_end", "delta", "delta", "done"]);
    expect(live.map(({ eventType }) => eventType)).toContain("provider_stream_event");
    const bytes = JSON.stringify([frames, live, run.stored]);
    for (const value of [server.host, MODEL, "zz9-row", KEY, "openai", "chatcmpl", "call_0"]) {
      expect(bytes).not.toContain(value);
    }
  });
});

describe("rows that cannot be used", () => {
  test.each([
    ["an unknown protocol", { api: "carrier-pigeon" }],
    ["a protocol that is only an object's own word", { api: "toString" }],
    ["a password in the address", { baseUrl: "https://user:pass@zz9gw.example/v1" }],
    ["another scheme", { baseUrl: "file:///etc/passwd" }],
    ["no address", { baseUrl: "nowhere" }],
  ])("%s: no session is built and the slot is free", async (_name, changes) => {
    const run = await kernelOn(row("http://127.0.0.1:1/v1", changes));
    await expect(run.start("hello")).rejects.toThrow();
    expect(run.kernel.stats()).toEqual({ residentSessions: 0, runningTurns: 0 });
  });
});

function plainModel(baseUrl: string) {
  return {
    id: MODEL,
    name: MODEL,
    api: "openai-completions",
    provider: "plain",
    baseUrl,
    reasoning: false,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 8_000,
    maxTokens: 100,
  };
}
