/**
 * Passes one request on to the API and its answer back, as streams. Nothing is collected, recompressed or timed out:
 * an event stream arrives chunk by chunk and lives as long as both sides want it. When either side goes, so does the
 * other.
 */
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";

export interface ForwardTarget {
  api: URL;
  /** Path and query as they were written. Never resolved against a base: `//host/` would become another origin. */
  path: string;
  bodyBytes: number;
  onTooLarge(): void;
  onUnreachable(error: unknown): void;
}

/** Headers that belong to one connection, and claims about the caller that only this port may make. */
const NOT_FORWARDED = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "host",
  "expect",
  "forwarded",
  "x-real-ip",
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
  "x-forwarded-port",
]);
const NOT_RETURNED = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export function forward(request: IncomingMessage, response: ServerResponse, target: ForwardTarget): void {
  const upstream = httpRequest({
    hostname: target.api.hostname,
    port: target.api.port || 80,
    path: target.path,
    method: request.method,
    agent: false,
    headers: {
      ...withoutNames(request.headers, NOT_FORWARDED),
      host: target.api.host,
      "x-forwarded-for": callerAddress(request),
      "x-forwarded-proto": "http",
      "x-forwarded-host": request.headers.host ?? "",
    },
  });
  let settled = false;

  upstream.on("response", (answer) => {
    settled = true;
    response.writeHead(answer.statusCode ?? 502, withoutNames(answer.headers, NOT_RETURNED));
    response.flushHeaders();
    answer.on("error", () => response.destroy());
    answer.on("aborted", () => response.destroy());
    answer.pipe(response);
  });
  upstream.on("error", (error) => {
    if (settled) {
      response.destroy();
      return;
    }
    settled = true;
    target.onUnreachable(error);
  });
  // The visitor went away before the answer was complete: the API should know.
  response.on("close", () => {
    if (!response.writableFinished) {
      settled = true;
      upstream.destroy();
    }
  });

  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > target.bodyBytes && !settled) {
      settled = true;
      request.unpipe(upstream);
      upstream.destroy();
      target.onTooLarge();
    }
  });
  request.pipe(upstream);
  // The API times the body itself, and counts from the head.
  upstream.flushHeaders();
}

function withoutNames(headers: IncomingHttpHeaders, names: ReadonlySet<string>): IncomingHttpHeaders {
  // A header named by Connection belongs to this connection too (RFC 9110 §7.6.1).
  const own = new Set((headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name) && !own.has(name)));
}

/** An IPv4 caller on a dual-stack socket is written as IPv4. */
function callerAddress(request: IncomingMessage): string {
  return (request.socket.remoteAddress ?? "").replace(/^::ffff:/, "");
}
