/**
 * OpenAI's protocol as the many servers speak it that only say they do: what the visitor sees of each habit, and what is
 * counted.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { providerRow } from "../../../tests/support/provider-row.mts";
import { type Answer, openStream, type RudeServer, rudeServer } from "../../../tests/support/rude-server.mts";
import { echo, scriptedKernel, type ScriptedOptions, SESSION } from "../../../tests/support/scripted-kernel.mts";
import type { AskFrame } from "../../../shared/sse";

const open: RudeServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const choice = (delta: object | null, finish: string | null = null) =>
  data({ id: "1", choices: [{ index: 0, delta, finish_reason: finish }] });
const text = (content: string) => choice({ content });
const calls = (...tool_calls: object[]) => choice({ tool_calls });
const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
const DONE = "data: [DONE]\n\n";
const ok = [text("ok"), choice({}, "stop"), DONE];

/** Asks a server that gives each list of events in turn, then "ok"; each event is a write of its own. */
async function askOver(answers: (string | Buffer)[][], options: ScriptedOptions = {}) {
  const left = [...answers];
  return askAt((response) => {
    openStream(response);
    for (const event of left.shift() ?? ok) response.write(event);
    response.end();
  }, options);
}
async function askAt(answer: Answer, options: ScriptedOptions = {}) {
  const server = await rudeServer(answer);
  open.push(server);
  const run = await scriptedKernel({ tools: [echo], ...options, model: providerRow(`${server.origin}/v1`) });
  const frames = await run.ask("hello");
  await run.kernel.drainTrace(SESSION);
  return { ...run, server, frames, turn: run.stored.turns[0]! };
}
const shown = (frames: AskFrame[]) => frames.map(({ event, data }) => (event === "delta" ? data.text : event));
const echoed = (body: string) =>
  JSON.parse(body)
    .messages.filter(({ role }: { role: string }) => role === "tool")
    .map(({ content }: { content: string }) => content);

describe("tokens", () => {
  test.each<[string, string[], { totalTokens: number; costMicros: number }]>([
    ["never said", [text("a"), choice({}, "stop"), DONE], { totalTokens: 0, costMicros: 0 }],
    [
      "said in a last chunk without choices",
      [text("a"), choice({}, "stop"), data({ id: "1", choices: [], usage }), DONE],
      { totalTokens: 30, costMicros: 40 },
    ],
    [
      "said beside the last choice",
      [text("a"), data({ id: "1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage }), DONE],
      { totalTokens: 30, costMicros: 40 },
    ],
    [
      "said again and again",
      [
        data({ choices: [{ index: 0, delta: { content: "a" } }], usage }),
        choice({}, "stop"),
        data({ choices: [], usage }),
      ],
      { totalTokens: 30, costMicros: 40 },
    ],
    [
      "null",
      [text("a"), data({ choices: [{ delta: {}, finish_reason: "stop" }], usage: null })],
      { totalTokens: 0, costMicros: 0 },
    ],
    [
      "no numbers",
      [text("a"), choice({}, "stop"), data({ choices: [], usage: { prompt_tokens: "many", completion_tokens: null } })],
      { totalTokens: 0, costMicros: 0 },
    ],
    [
      "below nothing",
      [text("a"), choice({}, "stop"), data({ choices: [], usage: { prompt_tokens: -5, completion_tokens: -5 } })],
      { totalTokens: 0, costMicros: 0 },
    ],
  ])("%s: the answer is whole and only real numbers are counted", async (_name, events, counted) => {
    const { frames, turn, logged } = await askOver([events]);
    expect(shown(frames)).toEqual(["session", "a", "done"]);
    expect(turn.usage).toEqual(counted);
    expect(logged).toEqual([]);
  });
});

describe("tool calls", () => {
  const named = { id: "c1", type: "function", function: { name: "echo", arguments: "" } };
  const part = (index: number, args: string) => ({ index, function: { arguments: args } });

  test("arguments in pieces, cut also inside a character", async () => {
    const event = Buffer.from(calls(part(0, 'ge 😀"}')));
    const middle = event.indexOf(Buffer.from("😀")) + 2;
    const { server, frames } = await askOver([
      [
        calls({ index: 0, ...named }),
        calls(part(0, '{"te')),
        calls(part(0, 'xt":"Grü')),
        calls(part(0, "\\u00df")),
        event.subarray(0, middle),
        event.subarray(middle),
        choice({}, "tool_calls"),
        DONE,
      ],
    ]);
    expect(echoed(server.seen[1]!.body)).toEqual(["echo: Grüßge 😀"]);
    expect(shown(frames)).toEqual(["session", "tool_start", "tool_end", "ok", "done"]);
    expect(frames[1]?.data).toMatchObject({ name: "echo", inputPreview: '{"text":"Grüßge 😀"}' });
  });

  test.each<[string, string[]]>([
    [
      "whole, one after the other",
      [
        calls({ index: 0, id: "a", function: { name: "echo", arguments: '{"text":"1"}' } }),
        calls({ index: 1, id: "b", function: { name: "echo", arguments: '{"text":"2"}' } }),
      ],
    ],
    [
      "in one chunk",
      [
        calls(
          { index: 0, id: "a", function: { name: "echo", arguments: '{"text":"1"}' } },
          { index: 1, id: "b", function: { name: "echo", arguments: '{"text":"2"}' } },
        ),
      ],
    ],
    [
      "woven into each other",
      [
        calls({ index: 0, id: "a", function: { name: "echo", arguments: "" } }),
        calls({ index: 1, id: "b", function: { name: "echo", arguments: '{"te' } }),
        calls({ index: 0, function: { arguments: '{"text":"1"}' } }),
        calls({ index: 1, function: { arguments: 'xt":"2"}' } }),
      ],
    ],
    [
      "without an index",
      [
        calls({ id: "a", function: { name: "echo", arguments: '{"text":"1"}' } }),
        calls({ id: "b", function: { name: "echo", arguments: '{"text":"2"}' } }),
      ],
    ],
  ])("two of them %s", async (_name, events) => {
    const { server, turn } = await askOver([[...events, choice({}, "tool_calls"), DONE]]);
    expect(echoed(server.seen[1]!.body)).toEqual(["echo: 1", "echo: 2"]);
    expect(turn.toolCalls.map(({ isError }) => isError)).toEqual([false, false]);
  });

  test.each([undefined, "", "{}"])("with arguments that are %p run without any", async (args) => {
    const { server, frames } = await askOver([
      [calls({ index: 0, ...named, function: { name: "echo", arguments: args } }), choice({}, "tool_calls"), DONE],
    ]);
    expect(echoed(server.seen[1]!.body)).toEqual(["echo: undefined"]);
    expect(frames.at(-1)?.event).toBe("done");
  });

  test.each<[string, object[]]>([
    ["null", [{ index: 0, ...named, function: { name: "echo", arguments: "null" } }]],
    ["no JSON", [{ index: 0, ...named, function: { name: "echo", arguments: "{text" } }]],
    // Two calls under one index cannot be told apart: the client puts their arguments together.
    [
      "those of two calls under one index",
      ["a", "b"].map((id) => ({ index: 0, id, function: { name: "echo", arguments: '{"text":"1"}' } })),
    ],
  ])("arguments that are %s fail as a call, the model is told, and the turn goes on", async (_name, list) => {
    const { server, frames, turn } = await askOver([
      [...list.map((one) => calls(one)), choice({}, "tool_calls"), DONE],
    ]);
    expect(turn.toolCalls.map(({ isError }) => isError)).toEqual([true]);
    expect(echoed(server.seen[1]!.body)).toEqual([expect.stringContaining('Invalid arguments for tool "echo"')]);
    expect(shown(frames)).toEqual(["session", "tool_start", "tool_end", "ok", "done"]);
  });

  test("a finish reason of stop does not keep a call from running", async () => {
    const { server, frames } = await askOver([
      [calls({ index: 0, id: "a", function: { name: "echo", arguments: '{"text":"1"}' } }), choice({}, "stop"), DONE],
    ]);
    expect(echoed(server.seen[1]!.body)).toEqual(["echo: 1"]);
    expect(frames.at(-1)?.event).toBe("done");
  });
});

describe("chunks", () => {
  test.each<[string, string[]]>([
    [
      "without choices",
      [data({ id: "1", choices: [], prompt_filter_results: [] }), text("ok"), choice({}, "stop"), DONE],
    ],
    ["without a field for them", [data({ id: "1", object: "ping" }), text("ok"), choice({}, "stop"), DONE]],
    [
      "with a role, null and empty text",
      [choice({ role: "assistant", content: null }), text(""), text("ok"), choice({}, "stop")],
    ],
    ["with null for a delta", [text("ok"), choice(null, "stop"), DONE]],
    ["with text beside the finish reason", [choice({ content: "ok" }, "stop"), DONE]],
    ["without a last [DONE]", [text("ok"), choice({}, "stop")]],
    ["with a [DONE] that has no line break", [text("ok"), choice({}, "stop"), "data: [DONE]"]],
    [
      "without a space after the colon",
      [text("ok"), choice({}, "stop"), DONE].map((one) => one.replace("data: ", "data:")),
    ],
    [
      "between named events and retry times",
      [`event: chunk\nid: 1\nretry: 10\n${text("ok")}`, `event: chunk\n${choice({}, "stop")}`, DONE],
    ],
    ["of an answer that was cut by its length", [text("ok"), choice({}, "length"), DONE]],
  ])("%s", async (_name, events) => {
    const { frames, turn, logged } = await askOver([events]);
    expect(shown(frames)).toEqual(["session", "ok", "done"]);
    expect(turn).toMatchObject({ content: "ok", outcome: "completed", modelRoundTrips: 1 });
    expect(logged).toEqual([]);
  });

  test("after [DONE] nobody waits for the server to hang up", async () => {
    const { frames } = await askAt((response) => openStream(response).write(ok.join("")));
    expect(shown(frames)).toEqual(["session", "ok", "done"]);
  });

  test("a refusal by the provider's filter is a failure with its text kept", async () => {
    const { frames, logged } = await askOver([[text("So"), choice({}, "content_filter"), DONE]]);
    expect(shown(frames)).toEqual(["session", "So", "error"]);
    expect(String(logged[0]?.cause)).toContain("content_filter");
  });

  test.each(["reasoning_content", "reasoning"])(
    "%s is no part of the answer, and no obstacle to the next call",
    async (field) => {
      const thought = (words: string) => choice({ [field]: words });
      const call = calls({ index: 0, id: "a", function: { name: "echo", arguments: '{"text":"1"}' } });
      const { frames, turn, server } = await askOver([
        [thought("Let me "), thought("think."), call, choice({}, "tool_calls"), DONE],
        [thought("Now."), text("ok"), choice({}, "stop"), DONE],
      ]);
      expect(shown(frames)).toEqual(["session", "tool_start", "tool_end", "ok", "done"]);
      expect(turn.content).toBe("ok");
      expect(server.seen.length).toBe(2);
    },
  );

  test("packed although nobody asked", async () => {
    const { frames } = await askAt((response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      response.end(gzipSync(ok.join("")));
    });
    expect(shown(frames)).toEqual(["session", "ok", "done"]);
  });
});

describe("an answer of any size", () => {
  test("ends with the turn's text, and the server is hung up on", async () => {
    const hungUp = Promise.withResolvers<void>();
    const { frames, turn } = await askAt(
      (response) => {
        openStream(response);
        response.on("close", () => hungUp.resolve());
        const more = () => {
          while (!response.destroyed && response.write(text("x".repeat(1_000))));
        };
        response.on("drain", more);
        more();
      },
      { limits: { turnTextChars: 20_000 } },
    );
    await hungUp.promise;
    expect(turn).toMatchObject({ outcome: "interrupted" });
    expect(turn.content).toBe("x".repeat(20_000));
    expect(frames.at(-1)).toMatchObject({ event: "error", data: { code: "interrupted" } });
  });

  test("ends with the bytes of a response when it has no text to count, packed ones by what they hold", async () => {
    const { frames, logged } = await askAt(
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
        response.end(gzipSync(`${choice({ reasoning_content: "x".repeat(500) })}`.repeat(10_000)));
      },
      { limits: { modelResponseBytes: 200_000 } },
    );
    expect(shown(frames)).toEqual(["session", "error"]);
    expect(logged.map(({ cause }) => String(cause).split(":")[0])).toEqual(["too_large"]);
  });
});
