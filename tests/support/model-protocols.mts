/**
 * The streaming answers of each wire protocol, and what stands in its requests: one table, so that one test asks the
 * same of every protocol. An answer is a list of pieces and always reports 20 tokens in and 10 out.
 */
import type { ModelApi } from "../../shared/model-apis.ts";
import type { Answer, SeenRequest } from "./rude-server.mts";
import { openStream } from "./rude-server.mts";

/** Text, or a call of a tool. */
export type Piece = string | { call: string; args: Record<string, unknown> };

export interface SpokenProtocol {
  api: ModelApi;
  /** Base address on the server's origin, as an owner would write it. */
  baseUrl(origin: string): string;
  /** Where a request arrives. */
  path: string;
  /** Request header that carries the key, and what stands before it there. */
  keyHeader: { name: string; prefix: string };
  /** Further headers that the protocol needs. */
  otherHeaders: readonly string[];
  /** Events of the answer, in order, each as it goes over the wire. */
  events(pieces: readonly Piece[]): string[];
  /** An event that says that the answer has failed, with `message` in it. */
  errorEvent(message: string): string;
  /** Texts of tool results in a request, in order. */
  toolResults(body: string): string[];
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const named = (event: { type: string }) => `event: ${event.type}\n${data(event)}`;
const stops = (pieces: readonly Piece[], call: string, text: string) =>
  pieces.some((piece) => typeof piece !== "string") ? call : text;

const openAi: SpokenProtocol = {
  api: "openai-completions",
  baseUrl: (origin) => `${origin}/v1`,
  path: "/v1/chat/completions",
  keyHeader: { name: "authorization", prefix: "Bearer " },
  otherHeaders: [],
  events(pieces) {
    const chunk = (fields: object) =>
      data({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, ...fields });
    const choice = (delta: object, finish: string | null = null) =>
      chunk({ choices: [{ index: 0, delta, finish_reason: finish }] });
    const calls = pieces.filter((piece) => typeof piece !== "string");
    return [
      ...pieces.map((piece) => {
        if (typeof piece === "string") return choice({ content: piece });
        const call = { name: piece.call, arguments: JSON.stringify(piece.args) };
        const index = calls.indexOf(piece);
        return choice({ tool_calls: [{ index, id: `call_${index}`, type: "function", function: call }] });
      }),
      choice({}, stops(pieces, "tool_calls", "stop")),
      chunk({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 } }),
      "data: [DONE]\n\n",
    ];
  },
  errorEvent: (message) => data({ error: { message, type: "server_error" } }),
  toolResults: (body) =>
    JSON.parse(body)
      .messages.filter(({ role }: { role: string }) => role === "tool")
      .map(({ content }: { content: string | { text: string }[] }) =>
        typeof content === "string" ? content : content.map(({ text }) => text).join(""),
      ),
};

const anthropic: SpokenProtocol = {
  api: "anthropic-messages",
  baseUrl: (origin) => origin,
  path: "/v1/messages?beta=true",
  keyHeader: { name: "x-api-key", prefix: "" },
  otherHeaders: ["anthropic-version"],
  events(pieces) {
    const message = { id: "msg_1", type: "message", role: "assistant", content: [], stop_reason: null };
    return [
      named({ type: "message_start", message: { ...message, usage: { input_tokens: 20, output_tokens: 1 } } } as never),
      named({ type: "ping" }),
      ...pieces.flatMap((piece, index) => {
        const isText = typeof piece === "string";
        const block = isText
          ? { type: "text", text: "" }
          : { type: "tool_use", id: `toolu_${index}`, name: piece.call, input: {} };
        const delta = isText
          ? { type: "text_delta", text: piece }
          : { type: "input_json_delta", partial_json: JSON.stringify(piece.args) };
        return [
          named({ type: "content_block_start", index, content_block: block } as never),
          named({ type: "content_block_delta", index, delta } as never),
          named({ type: "content_block_stop", index } as never),
        ];
      }),
      named({
        type: "message_delta",
        delta: { stop_reason: stops(pieces, "tool_use", "end_turn") },
        usage: { output_tokens: 10 },
      } as never),
      named({ type: "message_stop" }),
    ];
  },
  errorEvent: (message) => named({ type: "error", error: { type: "overloaded_error", message } } as never),
  toolResults: (body) =>
    JSON.parse(body).messages.flatMap(({ content }: { content: { type: string; content: string }[] }) =>
      Array.isArray(content) ? content.filter(({ type }) => type === "tool_result").map(({ content }) => content) : [],
    ),
};

const google: SpokenProtocol = {
  api: "google-generative-ai",
  baseUrl: (origin) => origin,
  path: "/v1beta/models/qq-17x:streamGenerateContent?alt=sse",
  keyHeader: { name: "x-goog-api-key", prefix: "" },
  otherHeaders: [],
  events(pieces) {
    const usageMetadata = { promptTokenCount: 20, candidatesTokenCount: 10, totalTokenCount: 30 };
    const parts = pieces.map((piece) =>
      typeof piece === "string" ? { text: piece } : { functionCall: { name: piece.call, args: piece.args } },
    );
    return [
      ...parts.map((part) => data({ candidates: [{ index: 0, content: { role: "model", parts: [part] } }] })),
      data({ candidates: [{ index: 0, content: { role: "model", parts: [] }, finishReason: "STOP" }], usageMetadata }),
    ];
  },
  errorEvent: (message) => data({ error: { code: 503, status: "UNAVAILABLE", message } }),
  toolResults: (body) =>
    JSON.parse(body)
      .contents.flatMap(({ parts }: { parts: object[] }) => parts)
      .flatMap((part: { functionResponse?: { response: { output: string } } }) =>
        part.functionResponse ? [part.functionResponse.response.output] : [],
      ),
};

export const SPOKEN: readonly SpokenProtocol[] = [openAi, anthropic, google];

/** Answers each request with the next list of pieces, and with "ok" when there is none left. */
export function speaking(protocol: SpokenProtocol, ...answers: (readonly Piece[])[]): Answer {
  const left = [...answers];
  return (response) => openStream(response).end(protocol.events(left.shift() ?? ["ok"]).join(""));
}

/** A request without the header of the key: the key must not be in it. */
export function withoutKeyHeader({ keyHeader }: SpokenProtocol, { url, headers, body }: SeenRequest): string {
  return JSON.stringify([url, { ...headers, [keyHeader.name]: undefined }, body]);
}
