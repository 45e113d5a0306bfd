/**
 * The web port: one HTTP server in front of the pages and the API (architecture §14, Web port). It sends what belongs
 * to the API there as a stream, in both directions and unbuffered, tells it who is really calling, and hands every
 * other request to `page`. No answer leaves without the security headers.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ERRORS, type ErrorBody } from "../../shared/errors.ts";
import { LIMITS, type Limits } from "../../shared/limits.ts";
import { securityHeaders } from "./headers.mts";
import { forward } from "./forward.mts";

type Patience = Pick<Limits, "hostHeadersMs" | "hostRequestMs" | "hostKeepAliveMs" | "hostLingerMs">;

export interface PortOptions {
  /** Where the API listens: `http://127.0.0.1:4000`. */
  apiUrl: string;
  /** The public origin, if known; decides about Strict-Transport-Security only. */
  siteOrigin?: string;
  /** Longest request body that is passed on or accepted, in bytes. */
  bodyBytes: number;
  /** Answers everything that is not the API's. */
  page(request: IncomingMessage, response: ServerResponse): Promise<void> | void;
  log(message: string, error: unknown): void;
  /** Bounds how long a request may take to arrive; an answer may take as long as it likes. */
  patience?: Patience;
}

/** Where a public path lives in the API; null when it is a page; "gone" for what must never look like a page. */
export function apiPath(pathname: string): string | null | "gone" {
  // Clients of the admin endpoint probe these for an OAuth server; a page in HTML would confuse them.
  if (pathname === "/register" || pathname.startsWith("/.well-known/")) return "gone";
  // The runtime's own paths (its health, and whatever a later version adds) are for whoever runs it.
  if (pathname === "/api" || pathname.startsWith("/api/__")) return "gone";
  if (pathname.startsWith("/api/")) return pathname.slice("/api".length);
  if (pathname === "/rss.xml" || pathname.startsWith("/rss/")) return pathname;
  const asset = /^\/notes\/([^/]+)\/([^/]+\.[A-Za-z0-9]+)$/.exec(pathname);
  if (asset) return `/assets/notes/${asset[1]}/${asset[2]}`;
  const pack = /^\/skills\/([^/]+\.zip)$/.exec(pathname);
  if (pack) return `/assets/skills/${pack[1]}`;
  return null;
}

export function createPort(options: PortOptions): Server {
  const headers = Object.entries(securityHeaders(options.siteOrigin));
  const api = new URL(options.apiUrl);
  const { patience = LIMITS } = options;
  const timeouts = {
    headersTimeout: patience.hostHeadersMs,
    requestTimeout: patience.hostRequestMs,
    keepAliveTimeout: patience.hostKeepAliveMs,
    connectionsCheckingInterval: patience.hostHeadersMs / 4,
  };

  const server = createServer(timeouts, (request, response) => {
    response.on("close", () => {
      if (!request.complete) letGo(request, patience.hostLingerMs);
    });
    for (const [name, value] of headers) response.setHeader(name, value);
    const [pathname = "/", query] = splitTarget(request.url ?? "/");
    if (!isDecodable(pathname)) {
      // No page, picture or feed has such an address (§16.2); a request to the API is a bad one.
      if (!pathname.startsWith("/api/")) return refuse(response, 404, ERRORS.not_found.sentence, "not_found");
      return refuse(response, 400, ERRORS.bad_request.sentence, "bad_request");
    }
    if (Number(request.headers["content-length"] ?? 0) > options.bodyBytes) {
      // The rest of the body is not read, so the connection cannot be used again.
      response.setHeader("Connection", "close");
      return refuse(response, 413, ERRORS.too_large.sentence, "too_large");
    }
    const path = apiPath(pathname);
    if (path === "gone") return refuse(response, 404, ERRORS.not_found.sentence, "not_found");
    if (path === null) {
      // The pages take the target for an address of their own.
      request.url = query === undefined ? pathname : `${pathname}?${query}`;
      Promise.resolve()
        .then(() => options.page(request, response))
        .catch((error: unknown) => {
          options.log("page failed", error);
          refuse(response, 500, ERRORS.internal.sentence, "internal");
        });
      return;
    }
    forward(request, response, {
      api,
      path: query === undefined ? path : `${path}?${query}`,
      bodyBytes: options.bodyBytes,
      onTooLarge: () => refuse(response, 413, ERRORS.too_large.sentence, "too_large"),
      onUnreachable: (error) => {
        options.log("API out of reach", error);
        refuse(response, 502, "The API does not answer.", "internal");
      },
    });
  });
  return server.on("clientError", refuseMalformed);
}

const MALFORMED = "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/** A request that never became one. A connection that was already answered on is only closed. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable || (socket as Socket).bytesWritten > 0) socket.destroy();
  else socket.end(MALFORMED);
}

/** A refusal before anything was sent; a stream that already began can only be cut. */
function refuse(response: ServerResponse, status: number, error: string, code: ErrorBody["code"]): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" });
  response.end(JSON.stringify({ error, code } satisfies ErrorBody));
}

/** An answered request whose body still arrives: the rest is read and dropped for a while, then the connection goes. */
function letGo(request: IncomingMessage, lingerMs: number): void {
  const timer = setTimeout(() => request.socket.destroy(), lingerMs).unref();
  request.on("error", () => {});
  request.on("end", () => clearTimeout(timer));
  request.resume();
}

/** Path and query of a request target in origin form; the absolute form is accepted and loses its origin. */
function splitTarget(target: string): [string, string | undefined] {
  const local = target.startsWith("/") ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");
  const mark = local.indexOf("?");
  return mark < 0 ? [local || "/", undefined] : [local.slice(0, mark) || "/", local.slice(mark + 1)];
}

function isDecodable(pathname: string): boolean {
  try {
    return decodeURIComponent(pathname) !== undefined;
  } catch {
    return false;
  }
}
