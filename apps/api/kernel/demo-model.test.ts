import { describe, expect, it } from "bun:test";
import {
  type AssistantMessage,
  type AssistantMessageEvent,
  type Message,
  normalizeContext,
  type StreamOptions,
  type Tool,
  type TranscriptContext,
} from "@earendil-works/pi-ai";
import { Type } from "typebox";
import { createDemoProvider } from "./demo-model";

const RENAME: Tool = { name: "session_rename", description: "Names it.", parameters: Type.Object({}) };
const SEARCH: Tool = { name: "notes_search", description: "Finds chapters. Fast.", parameters: Type.Object({}) };

function contextOf(question: string, tools: Tool[] = [], more: Message[] = []): TranscriptContext {
  return normalizeContext({
    systemPrompt: "prompt",
    tools,
    messages: [{ role: "user", content: question, timestamp: 36 }, ...more],
  });
}

/** Every event of one response, without what the shared partial repeats. */
async function respond(context: TranscriptContext, options: StreamOptions = {}, charsPerSecond = 0) {
  const provider = createDemoProvider({ charsPerSecond, now: () => 1_000 });
  const model = provider.getModels()[0]!;
  const events: AssistantMessageEvent[] = [];
  const stream = provider.stream(model, context, options);
  for await (const event of stream) events.push(event);
  return { events, message: await stream.result() };
}
const shapes = (events: AssistantMessageEvent[]) =>
  events.map((event) => ("contentIndex" in event ? `${event.type} ${event.contentIndex}` : event.type));
/** The list with runs of equal entries folded into one. */
const folded = (list: string[]) => list.filter((entry, index) => entry !== list[index - 1]);

describe("a response of the demo model", () => {
  it("streams an answer as one text block and stops", async () => {
    const { events, message } = await respond(contextOf("hello"));
    expect(folded(shapes(events))).toEqual(["start", "text_start 0", "text_delta 0", "text_end 0", "done"]);
    const deltas = events.flatMap((event) => (event.type === "text_delta" ? [event.delta] : []));
    expect(message.content).toEqual([{ type: "text", text: deltas.join("") }]);
    expect(Math.max(...deltas.map((delta) => [...delta].length))).toBe(4);
    expect(message.stopReason).toBe("stop");
  });

  it("streams each call after the line that announces it, the name of the session last", async () => {
    const { events, message } = await respond(contextOf("四种模式是什么？", [SEARCH, RENAME]));
    expect(folded(shapes(events))).toEqual([
      "start",
      "text_start 0",
      "text_delta 0",
      "text_end 0",
      "toolcall_start 1",
      "toolcall_delta 1",
      "toolcall_end 1",
      "toolcall_start 2",
      "toolcall_delta 2",
      "toolcall_end 2",
      "done",
    ]);
    expect(message.content).toEqual([
      { type: "text", text: "查一下书房里怎么说。\n\n" },
      { type: "toolCall", id: "demo_10_0_0", name: "notes_search", arguments: { query: "veto" } },
      { type: "toolCall", id: "demo_10_0_1", name: "session_rename", arguments: { title: "四种模式" } },
    ]);
    expect(message.stopReason).toBe("toolUse");
  });

  it("is the same every time", async () => {
    const [one, two] = [await respond(contextOf("hello")), await respond(contextOf("hello"))];
    const timeless = ({ durationMs: _, ...message }: AssistantMessage) => message;
    expect(timeless(one.message)).toEqual(timeless(two.message));
  });

  it("counts four characters a token, of what went in and of what came out", async () => {
    const context = contextOf("hello");
    const { message } = await respond(context);
    const input = Math.ceil(JSON.stringify(context.messages).length / 4);
    const output = Math.ceil(JSON.stringify(message.content).length / 4);
    expect(message.usage).toEqual({
      input,
      output,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: input + output,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    });
  });

  it("lets handlers see the request and the response before the first word", async () => {
    const seen: string[] = [];
    const { events } = await respond(contextOf("hello"), {
      onPayload: (payload) => void seen.push(`payload ${Object.keys(payload as object).join()}`),
      onResponse: (response) => void seen.push(`response ${response.status}`),
    });
    expect(seen).toEqual(["payload model,messages", "response 200"]);
    expect(events[0]?.type).toBe("start");
  });
});

describe("stopping the demo model", () => {
  it("keeps what was said and ends in the same tick, however long the next pause is", async () => {
    const provider = createDemoProvider({ charsPerSecond: 4 / 3_600, now: () => 1_000 });
    const stop = new AbortController();
    const stream = provider.stream(provider.getModels()[0]!, contextOf("hello"), { signal: stop.signal });
    const events: AssistantMessageEvent[] = [];
    for await (const event of stream) {
      events.push(event);
      // The first chunk is an hour away.
      if (event.type === "text_start") stop.abort();
    }
    expect(shapes(events)).toEqual(["start", "text_start 0", "error"]);
    const message = await stream.result();
    expect([message.stopReason, message.content, message.usage.output > 0]).toEqual([
      "aborted",
      [{ type: "text", text: "" }],
      true,
    ]);
  });

  it("says nothing when it was stopped before it began", async () => {
    const { events, message } = await respond(contextOf("hello"), { signal: AbortSignal.abort() });
    expect(shapes(events)).toEqual(["error"]);
    expect([message.stopReason, message.content, message.usage.output]).toEqual(["aborted", [], 0]);
  });

  it("leaves no listener on the signal of a long conversation", async () => {
    const signal = new AbortController().signal;
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, args);
    };
    await respond(contextOf("hello"), { signal });
    expect(listeners).toBe(0);
  });
});

it("ends as a failed call when a handler of the request throws", async () => {
  const { events, message } = await respond(contextOf("hello"), {
    onPayload: () => {
      throw new Error("no");
    },
  });
  expect(shapes(events)).toEqual(["error"]);
  expect([message.stopReason, message.errorMessage]).toEqual(["error", "no"]);
});
