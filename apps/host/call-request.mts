/**
 * What is known about a call, as the native class `Request` that `currentRequest()` and Encore's `RawRequest` read.
 * Headers look as they do behind Encore's gateway.
 */
import type { IncomingMessage } from "node:http";

export interface ApiCall {
  service: string;
  endpoint: string;
  tags: string[];
  method: string;
  /** Undecoded, without the query. */
  path: string;
  pathAndQuery: string;
  pathParams: Record<string, string>;
  traceId: string;
  spanId: string;
}
type Headers = Record<string, string | string[]>;

interface RequestMeta {
  startedAt: string;
  trace: { traceId: string; spanId: string };
  apiCall: {
    api: { service: string; endpoint: string; raw: true; requiresAuth: false; tags: string[] };
    method: string;
    path: string;
    pathAndQuery: string;
    pathParams: Record<string, string>;
    headers: Headers;
  };
}

/** What `currentRequest()` and `RawRequest` read. */
export class Request {
  readonly #http: IncomingMessage;
  readonly #call: ApiCall;
  #meta: RequestMeta | undefined;

  constructor(http: IncomingMessage, call: ApiCall) {
    this.#http = http;
    this.#call = call;
  }

  payload(): null {
    return null;
  }

  getAuthData(): null {
    return null;
  }

  /** Built once, when first asked for. */
  meta(): RequestMeta {
    if (this.#meta !== undefined) return this.#meta;
    const { service, endpoint, tags, method, path, pathAndQuery, pathParams, traceId, spanId } = this.#call;
    this.#meta = {
      startedAt: new Date().toISOString(),
      trace: { traceId, spanId },
      apiCall: {
        api: { service, endpoint, raw: true, requiresAuth: false, tags },
        method,
        path,
        pathAndQuery,
        pathParams,
        headers: gatewayHeaders(this.#http),
      },
    };
    return this.#meta;
  }
}

/**
 * Headers as they leave Encore's gateway: names in lower case, a name sent twice as a list, the peer appended to
 * `x-forwarded-for`, the client's host moved to `x-forwarded-host`, and a protocol that no client can claim.
 */
function gatewayHeaders(http: IncomingMessage): Headers {
  const headers: Headers = {};
  const raw = http.rawHeaders;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    const value = raw[at + 1]!;
    const earlier = Object.hasOwn(headers, name) ? headers[name]! : undefined;
    if (earlier === undefined) setOwn(headers, name, value);
    else if (Array.isArray(earlier)) earlier.push(value);
    else headers[name] = [earlier, value];
  }
  const peer = http.socket.remoteAddress ?? "";
  const forwardedFor = headers["x-forwarded-for"];
  headers["x-forwarded-for"] = forwardedFor === undefined ? peer : [forwardedFor, peer].flat().join(", ");
  const host = headers.host;
  if (host === undefined) delete headers["x-forwarded-host"];
  else headers["x-forwarded-host"] = host;
  headers["x-forwarded-proto"] = "http";
  headers.host = "127.0.0.1";
  return headers;
}

/** A header may be called `__proto__`; it stays an ordinary key. */
function setOwn(headers: Headers, name: string, value: string): void {
  if (name !== "__proto__") headers[name] = value;
  else Object.defineProperty(headers, name, { value, enumerable: true, configurable: true, writable: true });
}
