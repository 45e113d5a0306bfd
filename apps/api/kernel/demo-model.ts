/**
 * The offline demo as a model provider in this process (architecture §7): no key, no network, no chance. It is
 * scripted and says so; its scenes really call the registered tools and answer from what came back. It streams at a
 * reading pace, stops at once on abort, and reports usage counted from characters, so that every number on the page
 * moves as it does with a real model.
 */
import {
  type AssistantMessage,
  type AssistantMessageEventStream,
  createAssistantMessageEventStream,
  createProvider,
  type Message,
  type Model,
  type Provider,
  type StreamOptions,
  type TranscriptContext,
} from "@earendil-works/pi-ai";
import { type Cue, nextCue } from "./demo-scenes/director";

const API = "demo";
const PROVIDER_ID = "demo";
const CHARS_PER_TOKEN = 4;
/** Small pieces, so that text flows; whole code points, so that no character arrives in halves. */
const CHUNK_CODE_POINTS = 4;
/** A card or a picture is not read as it comes, so it comes faster. */
const FENCED = /(^```.*?^```$)/ms;
const FENCED_HASTE = 16;
const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export interface DemoOptions {
  /** Pace of text, in characters a second; 0 streams without waiting. */
  charsPerSecond: number;
  now?: () => number;
}

/** The provider; its one model has the id `demo`. */
export function createDemoProvider({ charsPerSecond, now = Date.now }: DemoOptions): Provider {
  const stream = (model: Model<string>, context: TranscriptContext, options?: StreamOptions) => {
    const events = createAssistantMessageEventStream();
    const message = emptyMessage(model, now());
    // Runs after the caller has the stream in hand. `perform` never rejects: it ends the stream whatever happens.
    queueMicrotask(() => void perform(events, message, model, context.messages, charsPerSecond, options));
    return events;
  };
  return createProvider({
    id: PROVIDER_ID,
    name: "Offline demo",
    auth: { apiKey: { name: PROVIDER_ID, resolve: async () => ({ auth: {} }) } },
    models: [
      {
        id: "demo",
        name: "Offline demo",
        api: API,
        provider: PROVIDER_ID,
        // Never requested; pi asks every model for one.
        baseUrl: "http://127.0.0.1:0",
        reasoning: false,
        input: ["text"],
        cost: FREE,
        contextWindow: 32_000,
        maxTokens: 4_096,
      },
    ],
    api: { stream, streamSimple: stream },
  });
}

async function perform(
  events: AssistantMessageEventStream,
  message: AssistantMessage,
  model: Model<string>,
  messages: readonly Message[],
  charsPerSecond: number,
  options: StreamOptions | undefined,
): Promise<void> {
  const signal = options?.signal;
  const fail = (reason: "aborted" | "error", errorMessage: string) => {
    message.stopReason = reason;
    message.usage = usageOf(messages, message);
    message.errorMessage = errorMessage;
    events.push({ type: "error", reason, error: message });
    events.end(message);
  };
  try {
    // The two stops of a request that goes out: handlers see it go, and see it answered.
    await options?.onPayload?.({ model: model.id, messages }, model);
    signal?.throwIfAborted();
    await options?.onResponse?.({ status: 200, headers: {} }, model);
    signal?.throwIfAborted();
    const cue = nextCue(messages);
    events.push({ type: "start", partial: message });
    await streamText(events, message, cue.text, charsPerSecond, signal);
    streamCalls(events, message, cue);
    const reason = cue.calls.length > 0 ? "toolUse" : "stop";
    message.stopReason = reason;
    message.usage = usageOf(messages, message);
    events.push({ type: "done", reason, message });
    events.end(message);
  } catch (error) {
    if (signal?.aborted) fail("aborted", "The demo was stopped.");
    else fail("error", error instanceof Error ? error.message : "The demo failed.");
  }
}

async function streamText(
  events: AssistantMessageEventStream,
  partial: AssistantMessage,
  text: string,
  charsPerSecond: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (text === "") return;
  const contentIndex = partial.content.length;
  const block = { type: "text" as const, text: "" };
  partial.content.push(block);
  events.push({ type: "text_start", contentIndex, partial });
  for (const part of text.split(FENCED)) {
    const haste = part.startsWith("```") ? FENCED_HASTE : 1;
    const points = [...part];
    for (let at = 0; at < points.length; at += CHUNK_CODE_POINTS * haste) {
      const delta = points.slice(at, at + CHUNK_CODE_POINTS * haste).join("");
      await pause(charsPerSecond > 0 ? (delta.length / charsPerSecond / haste) * 1_000 : 0, signal);
      block.text += delta;
      events.push({ type: "text_delta", contentIndex, delta, partial });
    }
  }
  events.push({ type: "text_end", contentIndex, content: text, partial });
}

function streamCalls(events: AssistantMessageEventStream, partial: AssistantMessage, cue: Cue): void {
  for (const call of cue.calls) {
    const contentIndex = partial.content.length;
    const toolCall = { type: "toolCall" as const, id: call.id, name: call.name, arguments: call.arguments };
    partial.content.push(toolCall);
    events.push({ type: "toolcall_start", contentIndex, partial });
    events.push({ type: "toolcall_delta", contentIndex, delta: JSON.stringify(call.arguments), partial });
    events.push({ type: "toolcall_end", contentIndex, toolCall, partial });
  }
}

/** Waits, or rejects the moment the signal aborts. Without a wait it still lets other work in. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Four characters a token: of the transcript that went in, of what has come out. */
function usageOf(messages: readonly Message[], message: AssistantMessage): AssistantMessage["usage"] {
  const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / CHARS_PER_TOKEN);
  const input = tokens(messages);
  const output = message.content.length === 0 ? 0 : tokens(message.content);
  return { ...FREE, input, output, totalTokens: input + output, cost: { ...FREE, total: 0 } };
}

function emptyMessage(model: Model<string>, timestamp: number): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: { ...FREE, totalTokens: 0, cost: { ...FREE, total: 0 } },
    stopReason: "pending",
    timestamp,
  };
}
