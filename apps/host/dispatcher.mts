/**
 * Takes each HTTP request to its endpoint as Encore's gateway and server do together: method, path, health, CORS,
 * routing, one access line. A request ends when its last byte has left or its client has.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LIMITS } from "../../shared/limits.ts";
import {
  type Answer,
  ENDPOINT_NOT_FOUND,
  errorAnswer,
  INVALID_PATH,
  NO_ROUTE_FOR_METHOD,
  sendAnswer,
  UNKNOWN_METHOD,
} from "./api-error.mts";
import { type CorsConfig, corsHeaders } from "./cors.mts";
import type { Endpoint } from "./discover.mts";
import { EndpointCall, type NativeHandler } from "./endpoint-call.mts";
import { METHODS } from "./endpoint-options.mts";
import { logRequest } from "./host-log.mts";
import type { HeaderFields } from "./response-writer.mts";
import { parameterNames, Router } from "./router.mts";
import { randomHex } from "./trace-ids.mts";

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

interface Target {
  endpoint: Endpoint;
  handler: NativeHandler;
  names: string[];
}

const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);
const CLIENT_CLOSED_REQUEST = 499;
const PREFLIGHT: Answer = { status: 200, body: "" };
const SHUTTING_DOWN = errorAnswer("unavailable", "shutting down");
const HEALTH_PATH = "/__encore/healthz";
const HEALTHY: Answer = {
  status: 200,
  body: JSON.stringify({
    code: "ok",
    message: "Your Encore app is up and running!",
    details: { app_revision: "", encore_compiler: "", deploy_id: "", checks: [], enabled_experiments: [] },
  }),
};

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
    const pathAndQuery = request.url ?? "";
    const mark = pathAndQuery.indexOf("?");
    const path = mark < 0 ? pathAndQuery : pathAndQuery.slice(0, mark);
    const traceId = randomHex(16);
    const added: HeaderFields = corsOf(request, options.cors);
    added["x-encore-trace-id"] = traceId;
    if (isDraining) added.connection = "close";
    let call: EndpointCall | undefined;

    inProgress++;
    response.on("close", () => {
      call?.over();
      if (!request.complete && !request.destroyed) discardRest(request);
      const durationMs = Math.round((performance.now() - startedMs) * 10) / 10;
      const status = response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST;
      logRequest(method, path, status, durationMs);
      if (--inProgress === 0) onIdle?.();
    });

    const found = route(method, path);
    if ("status" in found) return void sendAnswer(response, found, added);
    const { endpoint, handler, pathParams } = found;
    const { service, name, tags } = endpoint;
    const spanId = randomHex(8);
    call = new EndpointCall(endpoint, request, response, added, options.strict);
    call.run(handler, request, {
      service,
      endpoint: name,
      tags,
      method,
      path,
      pathAndQuery,
      pathParams,
      traceId,
      spanId,
    });
  }

  /** The endpoint with its parameters, or the host's own answer. */
  function route(method: string, path: string): Answer | (Target & { pathParams: Record<string, string> }) {
    if (!KNOWN_METHODS.has(method)) return UNKNOWN_METHOD;
    if (method === "OPTIONS") return PREFLIGHT;
    if (!path.startsWith("/")) return INVALID_PATH;
    if (path === HEALTH_PATH && method === "GET") return isDraining ? SHUTTING_DOWN : HEALTHY;
    const match = router.find(path);
    if (match === undefined) return ENDPOINT_NOT_FOUND;
    const target = match.methods.get(method);
    if (target === undefined) return NO_ROUTE_FOR_METHOD;
    const { endpoint, handler, names } = target;
    const pathParams = decodeParams(names, match.values);
    return pathParams === undefined ? INVALID_PATH : { endpoint, handler, names, pathParams };
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

/** Undefined when a value is no valid percent-encoding of UTF-8. */
function decodeParams(names: readonly string[], values: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (let index = 0; index < values.length; index++) {
    try {
      params[names[index]!] = decodeURIComponent(values[index]!);
    } catch {
      return undefined;
    }
  }
  return params;
}

function corsOf(request: IncomingMessage, config: CorsConfig): Record<string, string> {
  const origin = headerOf(request, "origin");
  if (origin === undefined) return {};
  const credentials = headerOf(request, "cookie") !== undefined || headerOf(request, "authorization") !== undefined;
  const isPreflight = request.method === "OPTIONS";
  const requestedMethod = isPreflight ? headerOf(request, "access-control-request-method") : undefined;
  return corsHeaders(config, { origin, credentials, requestedMethod });
}

/** Reads one header without building the table of all, which the handler builds anew in Encore's form. */
function headerOf(request: IncomingMessage, name: string): string | undefined {
  const raw = request.rawHeaders;
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]!.length === name.length && raw[at]!.toLowerCase() === name) return raw[at + 1];
  }
  return undefined;
}

/**
 * An answered request whose body still arrives: closing at once could cost the client the answer (the kernel resets a
 * connection with unread bytes), so the rest is read and dropped for a while, then the connection goes.
 */
function discardRest(request: IncomingMessage): void {
  const { socket } = request;
  const timer = setTimeout(() => socket.destroy(), LIMITS.hostLingerMs).unref();
  request.on("error", () => {});
  request.on("end", () => clearTimeout(timer));
  request.resume();
}
