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
  /** What its client says when it does not pass that message on. */
  errorUnread?: string;
  /** Texts of tool results in a request, in order. */
  toolResults(body: string): string[];
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const named = (event: { type: string; [field: string]: unknown }) => `event: ${event.type}\n${data(event)}`;
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

const openAiResponses: SpokenProtocol = {
  api: "openai-responses",
  baseUrl: (origin) => `${origin}/v1`,
  path: "/v1/responses",
  keyHeader: { name: "authorization", prefix: "Bearer " },
  otherHeaders: [],
  events(pieces) {
    const usage = { input_tokens: 20, output_tokens: 10, total_tokens: 30 };
    return [
      named({ type: "response.created", response: { id: "resp_1", status: "in_progress" } }),
      ...pieces.flatMap((piece, output_index) => {
        const item = { id: `item_${output_index}`, status: "in_progress" };
        const added = (fields: object) =>
          named({ type: "response.output_item.added", output_index, item: { ...item, ...fields } });
        const done = (fields: object) =>
          named({ type: "response.output_item.done", output_index, item: { ...item, status: "completed", ...fields } });
        if (typeof piece === "string") {
          const message = { type: "message", role: "assistant" };
          const at = { item_id: item.id, output_index, content_index: 0 };
          const part = (text: string) => ({ type: "output_text", text, annotations: [] });
          return [
            added({ ...message, content: [] }),
            named({ type: "response.content_part.added", ...at, part: part("") }),
            named({ type: "response.output_text.delta", ...at, delta: piece }),
            done({ ...message, content: [part(piece)] }),
          ];
        }
        const call = { type: "function_call", call_id: `call_${output_index}`, name: piece.call };
        const text = JSON.stringify(piece.args);
        return [
          added({ ...call, arguments: "" }),
          named({ type: "response.function_call_arguments.delta", item_id: item.id, output_index, delta: text }),
          done({ ...call, arguments: text }),
        ];
      }),
      named({ type: "response.completed", response: { id: "resp_1", status: "completed", usage } }),
    ];
  },
  errorEvent: (message) => named({ type: "error", code: "server_error", message }),
  toolResults: (body) =>
    JSON.parse(body).input.flatMap((item: { type?: string; output?: string }) =>
      item.type === "function_call_output" ? [item.output] : [],
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
      named({ type: "message_start", message: { ...message, usage: { input_tokens: 20, output_tokens: 1 } } }),
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
          named({ type: "content_block_start", index, content_block: block }),
          named({ type: "content_block_delta", index, delta }),
          named({ type: "content_block_stop", index }),
        ];
      }),
      named({
        type: "message_delta",
        delta: { stop_reason: stops(pieces, "tool_use", "end_turn") },
        usage: { output_tokens: 10 },
      }),
      named({ type: "message_stop" }),
    ];
  },
  errorEvent: (message) => named({ type: "error", error: { type: "overloaded_error", message } }),
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

/** Mistral's differs from OpenAI's in its address and in what a request looks like, not in its events. */
const mistral: SpokenProtocol = {
  ...openAi,
  api: "mistral-conversations",
  baseUrl: (origin) => origin,
  errorUnread: "Invalid Mistral streaming event",
};

export const SPOKEN: readonly SpokenProtocol[] = [openAi, openAiResponses, anthropic, google, mistral];

/** Answers each request with the next list of pieces, and with "ok" when there is none left. */
export function speaking(protocol: SpokenProtocol, ...answers: (readonly Piece[])[]): Answer {
  const left = [...answers];
  return (response) => openStream(response).end(protocol.events(left.shift() ?? ["ok"]).join(""));
}

/** A request without the header of the key: the key must not be in it. */
export function withoutKeyHeader({ keyHeader }: SpokenProtocol, { url, headers, body }: SeenRequest): string {
  return JSON.stringify([url, { ...headers, [keyHeader.name]: undefined }, body]);
}
