/** What is particular to the vendors' own protocols: the shape of a request, how an answer may end, what is counted. */
import { afterEach, describe, expect, test } from "bun:test";
import { SPOKEN } from "../../../tests/support/model-protocols.mts";
import { providerRow } from "../../../tests/support/provider-row.mts";
import { openStream, type RudeServer, rudeServer } from "../../../tests/support/rude-server.mts";
import { echo, scriptedKernel, tool } from "../../../tests/support/scripted-kernel.mts";
import type { AskFrame } from "../../../shared/sse";
import type { ModelApi } from "../../../shared/model-apis";

const open: RudeServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const failing = tool("failing", async () => {
  throw new Error("secret cause");
});

/** Asks a server that gives each list of events in turn, then a plain "ok". */
async function ask(api: ModelApi, ...answers: object[][]) {
  const protocol = SPOKEN.find((one) => one.api === api)!;
  const left = answers.map((events) => events.map((event) => eventText(event)));
  const server = await rudeServer((response) => {
    openStream(response).end((left.shift() ?? protocol.events(["ok"])).join(""));
  });
  open.push(server);
  const price = { input: 1_000_000, output: 2_000_000, cacheRead: 100_000, cacheWrite: 3_000_000 };
  const model = providerRow(protocol.baseUrl(server.origin), { api, price });
  const run = await scriptedKernel({ tools: [echo, failing], systemPrompt: "You are the site.", model });
  const frames = await run.ask("hello");
  const bodies = server.seen.map(({ body }) => JSON.parse(body));
  return { shown: shownOf(frames), turn: run.stored.turns[0]!, logged: run.logged.map(({ cause }) => cause), bodies };
}
/** With the name that two of the protocols put before the data. */
function eventText(event: { type?: string }): string {
  return `${event.type ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
}
const shownOf = (frames: AskFrame[]) => frames.map(({ event, data }) => (event === "delta" ? data.text : event));
const toolNames = (list: { name: string }[]) => list.map(({ name }) => name);

describe("Anthropic's", () => {
  const start = (usage: object = { input_tokens: 20, output_tokens: 1 }) => ({
    type: "message_start",
    message: { id: "msg_1", role: "assistant", content: [], usage },
  });
  const block = (index: number, content_block: object, ...deltas: object[]) => [
    { type: "content_block_start", index, content_block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
  const text = (index: number, words: string) =>
    block(index, { type: "text", text: "" }, { type: "text_delta", text: words });
  const end = (stop_reason: string, usage?: object) => [
    { type: "message_delta", delta: { stop_reason }, ...(usage && { usage }) },
    { type: "message_stop" },
  ];

  test("request holds the prompt, our tools and their schemas, and no beta, thread or thinking", async () => {
    const { bodies } = await ask("anthropic-messages");
    expect(Object.keys(bodies[0]).sort()).toEqual(["max_tokens", "messages", "model", "stream", "system", "tools"]);
    expect(bodies[0].system.map(({ text }: { text: string }) => text)).toEqual(["You are the site."]);
    expect(toolNames(bodies[0].tools)).toEqual(["echo", "failing"]);
    expect(Object.keys(bodies[0].tools[0]).sort()).toEqual(["description", "input_schema", "name"]);
  });

  test("arguments come in pieces, thinking is no part of the answer, and a failed tool is marked", async () => {
    const call = (index: number, name: string, ...pieces: string[]) =>
      block(
        index,
        { type: "tool_use", id: `toolu_${index}`, name, input: {} },
        ...pieces.map((partial_json) => ({ type: "input_json_delta", partial_json })),
      );
    const thinking = block(
      0,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "Hm." },
      { type: "signature_delta", signature: "sig" },
    );
    const { shown, bodies } = await ask("anthropic-messages", [
      start(),
      ...thinking,
      ...call(1, "echo", "", '{"te', 'xt":"Grü', 'ße 😀"}'),
      ...call(2, "failing"),
      ...end("tool_use"),
    ]);
    expect(shown).toEqual(["session", "tool_start", "tool_start", "tool_end", "tool_end", "ok", "done"]);
    const results = bodies[1].messages.at(-1).content;
    expect(results.map(({ is_error }: { is_error: boolean }) => is_error)).toEqual([false, true]);
    expect(results[0].content).toBe("echo: Grüße 😀");
    expect(JSON.stringify(bodies)).not.toContain("secret cause");
  });

  test.each<[string, object | undefined, object | undefined, { totalTokens: number; costMicros: number }]>([
    [
      "at both ends",
      { input_tokens: 20, output_tokens: 1 },
      { output_tokens: 10 },
      { totalTokens: 30, costMicros: 40 },
    ],
    ["at the start only", { input_tokens: 20, output_tokens: 1 }, undefined, { totalTokens: 21, costMicros: 22 }],
    [
      "with a cache",
      { input_tokens: 5, output_tokens: 1, cache_read_input_tokens: 100, cache_creation_input_tokens: 10 },
      { output_tokens: 10 },
      // 5 at 1, 10 at 2, 100 at 0.1 and 10 at 3 USD for a million.
      { totalTokens: 125, costMicros: 65 },
    ],
    [
      "as null",
      { input_tokens: null, output_tokens: null },
      { output_tokens: null },
      { totalTokens: 0, costMicros: 0 },
    ],
  ])("tokens are counted when they are said %s", async (_name, first, last, counted) => {
    const { turn } = await ask("anthropic-messages", [start(first), ...text(0, "a"), ...end("end_turn", last)]);
    expect(turn).toMatchObject({ content: "a", outcome: "completed", usage: counted });
  });

  test.each([
    ["max_tokens", "done"],
    ["pause_turn", "done"],
    ["refusal", "error"],
    ["a_new_reason", "error"],
  ])("an end by %s is %s, and the text stays", async (reason, closing) => {
    const { shown, turn } = await ask("anthropic-messages", [start(), ...text(0, "So far"), ...end(reason)]);
    expect(shown).toEqual(["session", "So far", closing]);
    expect(turn.content).toBe("So far");
  });
});

describe("Google's", () => {
  const parts = (...list: object[]) => ({ candidates: [{ index: 0, content: { role: "model", parts: list } }] });
  const end = (finishReason: string, usageMetadata?: object) => ({
    candidates: [{ index: 0, content: { role: "model", parts: [] }, finishReason }],
    ...(usageMetadata && { usageMetadata }),
  });

  test("request holds the prompt, our tools and their schemas, and nothing of thinking", async () => {
    const { bodies } = await ask("google-generative-ai");
    expect(Object.keys(bodies[0]).sort()).toEqual(["contents", "generationConfig", "systemInstruction", "tools"]);
    expect(bodies[0].generationConfig).toEqual({ maxOutputTokens: 2_048 });
    expect(toolNames(bodies[0].tools[0].functionDeclarations)).toEqual(["echo", "failing"]);
  });

  test("calls without an id or with the same one are told apart, thoughts are no part of the answer", async () => {
    const call = (text: string, id?: string) => ({ functionCall: { name: "echo", args: { text }, ...(id && { id }) } });
    const { shown, bodies } = await ask("google-generative-ai", [
      parts({ text: "Hm.", thought: true }),
      parts(call("1"), call("2")),
      parts(call("3", "same"), call("4", "same")),
      end("STOP"),
    ]);
    expect(shown.filter((one) => one === "tool_end").length).toBe(4);
    expect(shown.at(-2)).toBe("ok");
    const results = bodies[1].contents.at(-1).parts;
    expect(results.map((part: { functionResponse: { response: object } }) => part.functionResponse.response)).toEqual(
      ["1", "2", "3", "4"].map((text) => ({ output: `echo: ${text}` })),
    );
  });

  test("thoughts and cached tokens count at their prices", async () => {
    const usage = {
      promptTokenCount: 120,
      cachedContentTokenCount: 100,
      candidatesTokenCount: 4,
      thoughtsTokenCount: 6,
      totalTokenCount: 130,
    };
    const { turn } = await ask("google-generative-ai", [parts({ text: "a" }), end("STOP", usage)]);
    // 20 at 1, 10 at 2 and 100 at 0.1 USD for a million.
    expect(turn.usage).toEqual({ totalTokens: 130, costMicros: 50 });
  });

  test.each([
    ["MAX_TOKENS", "done"],
    ["SAFETY", "error"],
    ["MALFORMED_FUNCTION_CALL", "error"],
    ["A_NEW_REASON", "error"],
  ])("an end by %s is %s, and the text stays", async (reason, closing) => {
    const { shown, logged } = await ask("google-generative-ai", [parts({ text: "So far" }), end(reason)]);
    expect(shown).toEqual(["session", "So far", closing]);
    expect(logged.map((line) => String(line).includes(reason))).toEqual(closing === "error" ? [true] : []);
  });

  test("a prompt that was blocked is a failure", async () => {
    const { shown, logged } = await ask("google-generative-ai", [{ promptFeedback: { blockReason: "SAFETY" } }]);
    expect(shown).toEqual(["session", "error"]);
    expect(logged.length).toBe(1);
  });
});

describe("OpenAI's responses", () => {
  const message = (words: string) => {
    const item = { id: "m1", type: "message", role: "assistant", status: "completed" };
    const part = { type: "output_text", text: words, annotations: [] };
    return [
      { type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } },
      {
        type: "response.content_part.added",
        item_id: "m1",
        output_index: 0,
        content_index: 0,
        part: { ...part, text: "" },
      },
      { type: "response.output_text.delta", item_id: "m1", output_index: 0, content_index: 0, delta: words },
      { type: "response.output_item.done", output_index: 0, item: { ...item, content: [part] } },
    ];
  };

  test("request asks that nothing is stored", async () => {
    const { bodies } = await ask("openai-responses");
    expect(Object.keys(bodies[0]).sort()).toEqual(["input", "max_output_tokens", "model", "store", "stream", "tools"]);
    expect(bodies[0]).toMatchObject({ store: false, max_output_tokens: 2_048 });
    expect(toolNames(bodies[0].tools)).toEqual(["echo", "failing"]);
  });

  test("an answer that was cut by its length is whole as far as it goes; a failed one says why in the log", async () => {
    const incomplete = { id: "r", status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    const cut = await ask("openai-responses", [
      ...message("So far"),
      { type: "response.incomplete", response: incomplete },
    ]);
    expect(cut.shown).toEqual(["session", "So far", "done"]);
    const failed = await ask("openai-responses", [
      ...message("So far"),
      { type: "response.failed", response: { id: "r", status: "failed", error: { code: "x", message: "the cause" } } },
    ]);
    expect(failed.shown).toEqual(["session", "So far", "error"]);
    expect(String(failed.logged[0])).toContain("the cause");
  });

  test("cached tokens count at their price", async () => {
    const usage = {
      input_tokens: 120,
      input_tokens_details: { cached_tokens: 100 },
      output_tokens: 10,
      total_tokens: 130,
    };
    const { turn } = await ask("openai-responses", [
      ...message("a"),
      { type: "response.completed", response: { id: "r", status: "completed", usage } },
    ]);
    expect(turn.usage).toEqual({ totalTokens: 130, costMicros: 50 });
  });
});
