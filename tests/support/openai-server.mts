/**
 * A local server that speaks the OpenAI chat completions protocol, streaming. Each request is answered by the next
 * script; a script may wait for the test, so that a test stands in the middle of an answer for as long as it likes and
 * nothing depends on time.
 */
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface CompletionReply {
  /** Streams a piece of answer text. */
  text(delta: string): void;
  /** Streams one complete tool call. */
  toolCall(name: string, args: Record<string, unknown>): void;
  /** Streams one tool call whose arguments are these pieces, JSON or not. */
  rawToolCall(name: string, pieces: readonly string[]): void;
  /** Ends the answer; the finish reason follows from what was streamed. */
  finish(totalTokens?: number): void;
  /** Cuts the connection in the middle of the answer. */
  breakOff(): void;
  /** Answers with a plain status and body instead of a stream. */
  fail(status: number, body: string): void;
  /** Aborted when the caller hangs up. */
  readonly hungUp: AbortSignal;
}
export type CompletionScript = (reply: CompletionReply, request: CompletionRequest) => void | Promise<void>;
export interface CompletionRequest {
  headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever the client sent.
  body: any;
}
export interface OpenAiServer {
  baseUrl: string;
  /** `127.0.0.1:port`, as it stands in a list of allowed hosts. */
  host: string;
  requests: CompletionRequest[];
  /** Adds a script; requests without one are answered with "ok". */
  next(script: CompletionScript): void;
  close(): Promise<void>;
}

/** `model` is the name the server says it is, in every chunk. */
export async function startOpenAiServer(model = "qq-17x"): Promise<OpenAiServer> {
  const scripts: CompletionScript[] = [];
  const requests: CompletionRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = { headers: incoming.headers, body: JSON.parse(await textOf(incoming)) };
    requests.push(request);
    const script = scripts.shift() ?? sayOk;
    await script(replyOn(response, model), request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `http://${host}/v1`,
    host,
    requests,
    next: (script) => scripts.push(script),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A script that says the text, one chunk a piece. */
export function say(...pieces: string[]): CompletionScript {
  return (reply) => {
    for (const piece of pieces) reply.text(piece);
    reply.finish();
  };
}

/** A script that calls one tool. */
export function callTool(name: string, args: Record<string, unknown>): CompletionScript {
  return (reply) => {
    reply.toolCall(name, args);
    reply.finish();
  };
}

/** A script that calls several tools at once. */
export function callTools(
  calls: readonly (readonly [name: string, args: Record<string, unknown>])[],
): CompletionScript {
  return (reply) => {
    for (const [name, args] of calls) reply.toolCall(name, args);
    reply.finish();
  };
}

const sayOk = say("ok");

function replyOn(response: ServerResponse, model: string): CompletionReply {
  const hungUp = new AbortController();
  response.on("close", () => hungUp.abort());
  let calls = 0;
  const chunk = (fields: Record<string, unknown>) => {
    if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
    const body = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model, ...fields };
    response.write(`data: ${JSON.stringify(body)}\n\n`);
  };
  const choice = (delta: Record<string, unknown>, finish: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, finish_reason: finish }] });
  return {
    hungUp: hungUp.signal,
    text: (content) => choice({ role: "assistant", content }),
    toolCall(name, args) {
      this.rawToolCall(name, JSON.stringify(args).match(/.{1,65536}/gs)!);
    },
    rawToolCall(name, [first = "", ...rest]) {
      const index = calls++;
      choice({ tool_calls: [{ index, id: `call_${index}`, type: "function", function: { name, arguments: first } }] });
      for (const piece of rest) choice({ tool_calls: [{ index, function: { arguments: piece } }] });
    },
    finish: (totalTokens = 30) => {
      choice({}, calls > 0 ? "tool_calls" : "stop");
      const completion = Math.floor(totalTokens / 3);
      const usage = {
        prompt_tokens: totalTokens - completion,
        completion_tokens: completion,
        total_tokens: totalTokens,
      };
      chunk({ choices: [], usage });
      response.end("data: [DONE]\n\n");
    },
    breakOff: () => response.destroy(),
    fail: (status, body) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(body);
    },
  };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of incoming) text += chunk;
  return text;
}
