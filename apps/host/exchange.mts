/**
 * One request and its response, as the native classes that `encore.dev` wraps: `Request` (what is known about the
 * call), `BodyReader` (the body, pulled on demand and bounded) and `ResponseWriter` (bytes out, with back-pressure).
 * They keep the contract of Encore's own runtime; where ours may tell more, `strict` hides it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable, Writable } from "node:stream";
import { LIMITS } from "../../shared/limits.ts";

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

export class BodyReader {
  readonly #http: IncomingMessage;
  readonly #limit: number | null;
  readonly #observer: { bodyWanted(): void };
  #push: ((chunk: Buffer | null) => boolean) | undefined;
  #destroy: ((error?: Error) => void) | undefined;
  #received = 0;
  #isReading = false;
  #isOver = false;
  #isCut = false;

  /** `limit` in bytes, counted as they arrive; null for none. */
  constructor(http: IncomingMessage, limit: number | null, observer: { bodyWanted(): void }) {
    this.#http = http;
    this.#limit = limit;
    this.#observer = observer;
  }

  start(push: (chunk: Buffer | null) => boolean, destroy: (error?: Error) => void): void {
    this.#push = push;
    this.#destroy = destroy;
  }

  /** Called when the handler wants bytes. Nothing is read before the first call. */
  read(): void {
    if (this.#isOver) return;
    if (!this.#isReading) {
      this.#isReading = true;
      this.#observer.bodyWanted();
      this.#http.on("error", ignore);
      this.#http.on("data", (chunk: Buffer) => this.#take(chunk));
      this.#http.on("end", () => this.#finish());
    }
    if (this.#isCut) return void this.#fail("The request was aborted.");
    this.#http.resume();
  }

  /** The client is gone. A body that has not arrived whole breaks now, or when the handler first asks for it. */
  cut(): void {
    if (this.#isOver || this.#http.complete) return;
    this.#isCut = true;
    if (this.#isReading) this.#fail("The request was aborted.");
  }

  /** The answer is out. Whatever still arrives is let go instead of held back. */
  drop(): void {
    this.#isOver = true;
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#received += chunk.length;
    if (this.#limit !== null && this.#received > this.#limit)
      return void this.#fail("The request body is over its limit.");
    if (!this.#push!(chunk)) this.#http.pause();
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#push!(null);
  }

  #fail(reason: string): void {
    this.#isOver = true;
    this.#destroy!(new Error(reason));
  }
}

const ignore = () => {};

type Written = (() => void) | null | undefined;
type HeaderValue = number | string | string[];
/** Response headers by lower-case name; a list is sent as one header a value. */
export type HeaderFields = Record<string, string | string[]>;

interface Call {
  enter(request: Readable, response: Writable): void;
}

export class ResponseWriter {
  readonly #http: ServerResponse;
  /** What the host adds to every response. */
  readonly #added: HeaderFields;
  /** The call that this writer belongs to, for the wrapper that sees Encore's stream objects. */
  readonly call: Call;
  #status = 200;
  #headers: Record<string, HeaderValue> = {};
  #held: Buffer | undefined;
  #isCommitted = false;
  #isClosed = false;
  #onDrained: Written;

  constructor(http: ServerResponse, added: HeaderFields, call: Call) {
    this.#http = http;
    this.#added = added;
    this.call = call;
  }

  /** Whether a byte of the response was handed over, after which it cannot become another response. */
  get isCommitted(): boolean {
    return this.#isCommitted;
  }

  /** Whether the response is over, by its end or because nobody listens. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Keeps the head; it leaves with the first byte. Throws for a name or value that HTTP does not have. */
  writeHead(status: number, headers: Record<string, HeaderValue>): void {
    if (!Number.isInteger(status) || status < 100 || status > 999) throw new RangeError("Invalid status code.");
    for (const name in headers) checkHeader(name, headers[name]);
    this.#status = status;
    this.#headers = headers;
  }

  /** `written` is called once the connection has taken the bytes; at once, and without an error, when nobody listens. */
  writeBody(chunk: Buffer, written?: Written): void {
    if (this.#isClosed) return void written?.();
    const isFirst = !this.#isCommitted;
    this.#isCommitted = true;
    if (isFirst && chunk.length <= LIMITS.hostHeldChunkBytes) {
      // A response of one piece ends within this round of the event loop, and then leaves in one write with its length.
      this.#held = chunk;
      releaseSoon(this);
      return void written?.();
    }
    this.#release();
    this.#sendHead();
    this.#send(chunk, written);
  }

  writeBodyMulti(chunks: Buffer[], written?: Written): void {
    this.writeBody(Buffer.concat(chunks), written);
  }

  close(chunk?: Buffer | null, written?: Written): void {
    if (!this.#isClosed) {
      const last = this.#held && chunk ? Buffer.concat([this.#held, chunk]) : (this.#held ?? chunk ?? undefined);
      const isWhole = !this.#http.headersSent;
      this.#held = undefined;
      this.#isCommitted = true;
      this.#isClosed = true;
      this.#sendHead(isWhole ? (last?.length ?? 0) : undefined);
      this.#http.end(last);
    }
    written?.();
  }

  /** Sends a first chunk that was taken and is still held. */
  flush(): void {
    this.#release();
  }

  /** Nobody will read more: pending and later writes succeed at once, so that no handler waits for a reader. */
  abandon(): void {
    this.#isClosed = true;
    this.#held = undefined;
    this.#drained();
  }

  #release(): void {
    if (this.#held === undefined || this.#isClosed) return;
    const chunk = this.#held;
    this.#held = undefined;
    this.#sendHead();
    this.#http.write(chunk);
  }

  #send(chunk: Buffer, written: Written): void {
    if (this.#http.write(chunk)) return void written?.();
    if (this.#onDrained === undefined) this.#http.on("drain", () => this.#drained());
    this.#onDrained = written ?? null;
  }

  #drained(): void {
    const written = this.#onDrained;
    this.#onDrained = null;
    written?.();
  }

  /** `wholeBytes` is given when the body is complete, and becomes its length unless the handler named one. */
  #sendHead(wholeBytes?: number): void {
    if (this.#http.headersSent) return;
    const head: HeaderFields = {};
    for (const name in this.#headers) addField(head, name, this.#headers[name]!);
    const hasNoLength = this.#status < 200 || this.#status === 204 || this.#status === 304;
    const isFramed = head["content-length"] !== undefined || head["transfer-encoding"] !== undefined;
    if (wholeBytes !== undefined && !hasNoLength && !isFramed) head["content-length"] = String(wholeBytes);
    for (const name in this.#added) addField(head, name, this.#added[name]!);
    this.#http.writeHead(this.#status, head);
  }
}

/** A name given twice, in whatever spelling, is sent twice. */
function addField(head: HeaderFields, spelling: string, value: HeaderValue): void {
  const name = spelling.toLowerCase();
  const text = typeof value === "number" ? String(value) : value;
  const earlier = head[name];
  head[name] = earlier === undefined ? text : [earlier, text].flat();
}

/** Writers that hold a first chunk in this round of the event loop; one timer serves them all. */
let holding: ResponseWriter[] = [];

function releaseSoon(writer: ResponseWriter): void {
  if (holding.push(writer) === 1) setImmediate(releaseAll);
}

function releaseAll(): void {
  const writers = holding;
  holding = [];
  for (const writer of writers) writer.flush();
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A line break here would let a value write headers of its own. */
const NOT_IN_HEADER_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

function checkHeader(name: string, value: unknown): void {
  if (!HEADER_NAME.test(name) || name === "__proto__") throw new TypeError("A header has no valid name.");
  if (Array.isArray(value)) for (const item of value) checkHeaderValue(name, item);
  else if (!Number.isInteger(value)) checkHeaderValue(name, value);
}

function checkHeaderValue(name: string, value: unknown): void {
  if (typeof value !== "string") {
    throw new TypeError(`Header ${name} is neither a string, an integer nor a list of strings.`);
  }
  if (NOT_IN_HEADER_VALUE.test(value)) throw new TypeError(`Header ${name} holds a character that HTTP does not have.`);
}
