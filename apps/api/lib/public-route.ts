/**
 * The one way to expose an endpoint. It parses the request with the endpoint's contract, runs the handler, and turns
 * whatever happens into the contract's answer or a refusal of the closed table. Nothing of a request is recorded here:
 * no header, no query, no body; a failure that nobody foresaw becomes one redacted log line.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { currentRequest } from "encore.dev";
import type { z } from "zod";
import type { Answer, Contract } from "../../../shared/contracts/contract";
import { ERRORS, type ErrorBody } from "../../../shared/errors";
import { log } from "./log";
import { Refusal } from "./refusal";
import { readJsonBody } from "./request-body";
import { type BytesAnswer, sendBytes } from "./send-bytes";
import { type SseStream, openSse } from "./sse";

export interface Call<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  headers: IncomingHttpHeaders;
  /** Sets the one cookie of the answer, whether that becomes an answer, a stream or a refusal. */
  setCookie(value: string): void;
  /** Starts a stream as the answer. The route ends it when the handler is done, however it is done. */
  openSse(heartbeatMs: number): SseStream;
}

/** A JSON answer is a value, a file its bytes, an empty 204 nothing; a stream was opened, or nothing was: a 204. */
// biome-ignore lint/suspicious/noConfusingVoidType: such a handler returns nothing, which is not a value of its own.
type Reply<A extends Answer> = A extends z.ZodType ? z.input<A> : A extends "bytes" ? BytesAnswer : void;

export function publicRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends Answer>(
  contract: Contract<P, Q, B, A>,
  handler: (call: Call<z.output<P>, z.output<Q>, z.output<B>>) => Promise<Reply<A>>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    let stream: SseStream | undefined;
    try {
      refuseForeignWrite(contract, request);
      const reply = await handler({
        params: parsed<P>(contract.params, contract.params && pathParams()),
        query: parsed<Q>(contract.query, contract.query && queryOf(request)),
        body: parsed<B>(contract.body, contract.body && (await readJsonBody(request, contract.bodyBytes ?? 0))),
        headers: request.headers,
        setCookie: (value) => response.setHeader("set-cookie", value),
        openSse: (heartbeatMs) => {
          stream = openSse(response, heartbeatMs);
          return stream;
        },
      });
      if (stream !== undefined) return;
      if (contract.answer === "bytes") sendBytes(request, response, reply as BytesAnswer);
      else sendAnswer(response, contract.answer, reply);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal("internal");
      if (refusal !== error) {
        log.error("An endpoint failed.", error, { method: contract.method, path: contract.path });
      }
      if (stream === undefined) sendRefusal(response, refusal);
    } finally {
      await stream?.end();
    }
  };
}

/** A browser that says where a request comes from must say it comes from the site itself. */
function refuseForeignWrite(contract: { method: string }, request: IncomingMessage): void {
  const site = request.headers["sec-fetch-site"];
  if (contract.method !== "GET" && site !== undefined && site !== "same-origin") throw new Refusal("bad_request");
}

function parsed<S extends z.ZodType>(schema: S | undefined, value: unknown): z.output<S> {
  if (schema === undefined) return undefined as z.output<S>;
  const result = schema.safeParse(value);
  if (!result.success) throw new Refusal("bad_request");
  return result.data;
}

function pathParams(): Record<string, unknown> {
  const request = currentRequest();
  return request?.type === "api-call" ? (request.pathParams ?? {}) : {};
}

/** A name sent more than once becomes a list, which no contract accepts: a repeated parameter has no meaning here. */
function queryOf(request: IncomingMessage): Record<string, string | string[]> {
  const url = request.url ?? "";
  const mark = url.indexOf("?");
  const query = new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1));
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}

/** The answer passes through its contract: a field that the contract does not name cannot leave. */
function sendAnswer(response: ServerResponse, answer: Exclude<Answer, "bytes">, value: unknown): void {
  if (answer === null || answer === "sse") {
    response.writeHead(204, { "cache-control": "no-store" });
    response.end();
    return;
  }
  sendJson(response, 200, answer.parse(value));
}

function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  const { status, sentence } = ERRORS[refusal.code];
  if (refusal.code === "rate_limited") {
    response.setHeader("retry-after", String(Math.max(1, Math.ceil(refusal.retryAfterMs / 60_000)) * 60));
  }
  sendJson(response, status, { error: sentence, code: refusal.code } satisfies ErrorBody);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(body.length),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(body);
}
