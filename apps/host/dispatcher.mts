/**
 * Takes each HTTP request to its endpoint as Encore's gateway and server do together: method, path, health, CORS,
 * routing, the handler's errors, one access line. A request ends when its last byte has left or its client has.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { LIMITS } from "../../shared/limits.ts";
import {
  ENDPOINT_NOT_FOUND,
  type ErrorAnswer,
  errorAnswer,
  INVALID_PATH,
  NO_ROUTE_FOR_METHOD,
  thrownAnswer,
  UNKNOWN_METHOD,
} from "./api-error.mts";
import { type CorsConfig, corsHeaders } from "./cors.mts";
import type { Endpoint } from "./discover.mts";
import { METHODS } from "./endpoint-options.mts";
import { BodyReader, Request, ResponseWriter } from "./exchange.mts";
import { logError, writeLog } from "./host-log.mts";
import { parameterNames, Router } from "./router.mts";

/** A handler as `registerHandlers` passes it on; called with the three native objects of one request. */
export type NativeHandler = (request: Request, writer: ResponseWriter, body: BodyReader) => unknown;

/** Encore's wrapped request and response of the running call, once its handler has been entered. */
export interface RawPair {
  request: import("node:stream").Readable;
  response: import("node:stream").Writable;
}

export interface Target {
  endpoint: Endpoint;
  handler: NativeHandler;
  names: string[];
}

export interface Dispatcher {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** From now on the health check says no and every connection closes after its answer. */
  drain(): void;
  /** Resolves when no request is in progress. */
  idle(): Promise<void>;
}

export interface DispatcherOptions {
  endpoints: readonly Endpoint[];
  handlerOf(endpoint: Endpoint): NativeHandler;
  cors: CorsConfig;
  /** Behave as Encore's runtime where ours could tell more: a client that leaves stays invisible to the handler. */
  strict: boolean;
}

const HEALTH_PATH = "/__encore/healthz";
const HEALTH_BODY = JSON.stringify({
  code: "ok",
  message: "Your Encore app is up and running!",
  details: { app_revision: "", encore_compiler: "", deploy_id: "", checks: [], enabled_experiments: [] },
});

/** Where `attachRaw` finds the exchange of a writer. */
const exchanges = new WeakMap<ResponseWriter, (pair: RawPair) => void>();

/** Tells the host which stream objects Encore made for a writer, so that a client's leaving can reach the handler. */
export function attachRaw(writer: ResponseWriter, pair: RawPair): void {
  exchanges.get(writer)?.(pair);
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const router = new Router<Target>();
  for (const endpoint of options.endpoints) {
    if (!endpoint.expose) continue;
    const target = { endpoint, handler: options.handlerOf(endpoint), names: parameterNames(endpoint.route) };
    router.add(endpoint.methods, endpoint.route, target);
  }
  let inProgress = 0;
  let isDraining = false;
  let onIdle: (() => void) | undefined;

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const startedMs = performance.now();
    const method = request.method ?? "";
    const url = request.url ?? "";
    const mark = url.indexOf("?");
    const path = mark < 0 ? url : url.slice(0, mark);
    const ids = randomBytes(24).toString("hex");
    const traceId = ids.slice(0, 32);
    const added = ["x-encore-trace-id", traceId, ...corsOf(request, options.cors)];
    if (isDraining) added.push("connection", "close");
    inProgress++;
    request.on("error", ignore);
    response.on("error", ignore);

    const onClose = respond();
    response.on("close", () => {
      onClose?.();
      if (!request.complete && !request.destroyed) discardRest(request);
      const durationMs = Math.round((performance.now() - startedMs) * 10) / 10;
      const status = response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST;
      writeLog("info", "request", { method, path, status, durationMs });
      if (--inProgress === 0) onIdle?.();
    });

    /** Starts the answer; returns what to do when the exchange is over. */
    function respond(): (() => void) | undefined {
      if (!(METHODS as readonly string[]).includes(method)) return answer(UNKNOWN_METHOD);
      if (method === "OPTIONS") return answer({ status: 200, body: "" });
      if (!path.startsWith("/")) return answer(INVALID_PATH);
      if (path === HEALTH_PATH && method === "GET") {
        return answer(isDraining ? errorAnswer("unavailable", "shutting down") : { status: 200, body: HEALTH_BODY });
      }
      const found = router.find(path);
      if (found === undefined) return answer(ENDPOINT_NOT_FOUND);
      const target = found.methods.get(method);
      if (target === undefined) return answer(NO_ROUTE_FOR_METHOD);
      const pathParams = decodeParams(target.names, found.values);
      if (pathParams === undefined) return answer(INVALID_PATH);
      const { service, name: endpoint, tags } = target.endpoint;
      const spanId = ids.slice(32);
      const call = { service, endpoint, tags, method, path, pathAndQuery: url, pathParams, traceId, spanId };
      return startExchange(target, new Request(request, call), request, response, added, options.strict);
    }

    function answer({ status, body }: ErrorAnswer): undefined {
      send(response, { status, body }, added);
    }
  }

  return {
    handle,
    drain: () => {
      isDraining = true;
    },
    idle: () =>
      new Promise((resolve) => {
        onIdle = resolve;
        if (inProgress === 0) resolve();
      }),
  };
}

const CLIENT_CLOSED_REQUEST = 499;
const ignore = () => {};

function startExchange(
  target: Target,
  call: Request,
  request: IncomingMessage,
  response: ServerResponse,
  added: readonly string[],
  strict: boolean,
): () => void {
  const writer = new ResponseWriter(response, added);
  const body = new BodyReader(request, target.endpoint.bodyLimit);
  let raw: RawPair | undefined;
  exchanges.set(writer, (pair) => {
    raw = pair;
    // A handler may destroy its response to cut off a reader; the connection goes with it.
    pair.response.on("close", () => {
      if (!writer.isClosed) cutOff();
    });
    // Encore crashes on a body that breaks with nobody listening. Strict mode shows it; a public server survives it.
    if (!strict) pair.request.on("error", ignore);
  });
  void settle();
  return () => {
    if (response.writableFinished) return;
    body.cut();
    writer.abandon();
    if (strict || raw === undefined) return;
    raw.request.destroy();
    raw.response.destroy();
  };

  function cutOff(): void {
    writer.flush();
    response.destroy();
  }

  async function settle(): Promise<void> {
    try {
      await target.handler(call, writer, body);
    } catch (error) {
      const { service, name: endpoint } = target.endpoint;
      const answer = thrownAnswer(error);
      if (answer.status >= 500) logError("a handler threw", error, { service, endpoint });
      if (writer.isCommitted) return cutOff();
      writer.abandon();
      send(response, answer, added);
    }
  }
}

function send(response: ServerResponse, { status, body }: ErrorAnswer, added: readonly string[]): void {
  const length = Buffer.byteLength(body);
  const type = body === "" ? [] : ["content-type", "application/json"];
  response.writeHead(status, [...type, "content-length", String(length), ...added]);
  response.end(body);
}

/** Undefined when a value is no valid percent-encoding of UTF-8. */
function decodeParams(names: readonly string[], values: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, value] of values.entries()) {
    try {
      params[names[index]!] = decodeURIComponent(value);
    } catch {
      return undefined;
    }
  }
  return params;
}

function corsOf(request: IncomingMessage, config: CorsConfig): string[] {
  const { origin, cookie, authorization } = request.headers;
  if (origin === undefined) return [];
  const requestedMethod = request.method === "OPTIONS" ? request.headers["access-control-request-method"] : undefined;
  const credentials = cookie !== undefined || authorization !== undefined;
  return corsHeaders(config, { origin, credentials, requestedMethod });
}

/**
 * An answered request whose body still arrives: closing at once could cost the client the answer (the kernel resets a
 * connection with unread bytes), so the rest is read and dropped for a while, then the connection goes.
 */
function discardRest(request: IncomingMessage): void {
  const { socket } = request;
  const timer = setTimeout(() => socket.destroy(), LIMITS.hostLingerMs).unref();
  request.on("end", () => clearTimeout(timer));
  request.resume();
}
