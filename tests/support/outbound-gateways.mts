/**
 * Services as the outbound tools meet them, well-behaved and otherwise: what each of the two protocols of a search and of
 * the two styles of a picture says on the wire, for a server of `rude-server.mts` to answer with.
 */
import { afterEach } from "bun:test";
import type { ServerResponse } from "node:http";
import { PICTURES } from "./pictures.mts";
import { type Answer, openStream, type RudeServer, rudeServer } from "./rude-server.mts";

/** Call at the top of a test file: starts services for one test each, which end after it. */
export function gatewaysForTests(): (answer: Answer) => Promise<RudeServer> {
  const servers: RudeServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  return async (answer) => {
    const server = await rudeServer(answer);
    servers.push(server);
    return server;
  };
}

export interface Source {
  title: string;
  url: string;
}

const event = (value: { type: string; [field: string]: unknown }) =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

/** The events of the Responses protocol up to the end of the text. */
function responsesText(pieces: readonly string[]): string {
  return [
    event({ type: "response.created", response: { id: "resp_1", status: "in_progress", error: null } }),
    event({ type: "response.web_search_call.in_progress", item_id: "ws_1" }),
    event({ type: "response.web_search_call.searching", item_id: "ws_1" }),
    event({ type: "response.web_search_call.completed", item_id: "ws_1" }),
    ...pieces.map((delta) => event({ type: "response.output_text.delta", delta })),
  ].join("");
}

export function responsesOutput(text: string, sources: readonly Source[]): Record<string, unknown> {
  const annotations = sources.map((source) => ({ type: "url_citation", start_index: 0, end_index: 1, ...source }));
  const message = { type: "message", role: "assistant", content: [{ type: "output_text", text, annotations }] };
  return { id: "resp_1", status: "completed", error: null, output: [{ type: "web_search_call" }, message] };
}

/** A whole search over the Responses protocol. `late`: sources come with the end alone, else one by one before it. */
export function responsesStream(pieces: readonly string[], sources: readonly Source[] = [], late = false): string {
  const added = sources.map((source) =>
    event({ type: "response.output_text.annotation.added", annotation: { type: "url_citation", ...source } }),
  );
  const response = responsesOutput(pieces.join(""), late ? sources : []);
  return [responsesText(pieces), ...(late ? [] : added), event({ type: "response.completed", response })].join("");
}

export function responsesEnding(type: string, fields: Record<string, unknown> = {}): string {
  return responsesText(["half an ans"]) + event({ type, ...fields });
}

const chunk = (fields: Record<string, unknown>) =>
  `data: ${JSON.stringify({ object: "chat.completion.chunk", ...fields })}\n\n`;

/** A search over chat completions. `end`: what comes after the last piece. */
export function googleStream(pieces: readonly string[], end = googleEnd): string {
  return pieces.map((content) => chunk({ choices: [{ index: 0, delta: { content } }] })).join("") + end;
}
export const googleEnd = `${chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}data: [DONE]\n\n`;
export const googleChunk = chunk;

/** The whole text as a stream, in chunks of so many bytes, which then also end inside a character. */
export function streaming(text: string, chunkBytes = 4_096): Answer {
  return (response) => {
    openStream(response);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += chunkBytes) response.write(bytes.subarray(at, at + chunkBytes));
    response.end();
  };
}

export function json(value: unknown, status = 200): Answer {
  return (response) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Sends the same piece without end, as fast as it is taken, until the caller hangs up. */
export function endless(head: string, piece: string): Answer {
  return (response) => {
    openStream(response).write(head);
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", more);
    more();
  };
}

/** Sends a piece every so many milliseconds until the caller hangs up, or so many times. */
export function dripping(piece: string, everyMs: number, times = Number.POSITIVE_INFINITY, end = ""): Answer {
  return (response) => {
    openStream(response);
    let left = times;
    const drip = setInterval(() => {
      if (left-- > 0) return response.write(piece);
      clearInterval(drip);
      return response.end(end);
    }, everyMs);
    response.on("close", () => clearInterval(drip));
  };
}

export const silence: Answer = (response: ServerResponse) => openStream(response).write(": here\n\n");

/** A picture in the answer of its own endpoint, and in that of a chat under a declared type. */
export const imagesAnswer = (bytes: Uint8Array) => ({
  created: 1,
  data: [{ b64_json: Buffer.from(bytes).toString("base64") }],
});
export const chatAnswer = (bytes: Uint8Array, mime = "image/png") => ({
  choices: [
    {
      message: {
        role: "assistant",
        content: "",
        images: [
          {
            type: "image_url",
            image_url: { url: `data:${mime};base64,${Buffer.from(bytes).toString("base64")}` },
          },
        ],
      },
    },
  ],
});

/** A service that searches over Responses and draws at its own endpoint, whatever it is asked. */
export const searchingAndDrawing: Answer = (response, request) => {
  const answer = request.url.endsWith("/images/generations")
    ? json(imagesAnswer(PICTURES.png))
    : streaming(responsesStream(["It is so."], [{ title: "A source", url: "https://source.example/" }]));
  return answer(response, request);
};
