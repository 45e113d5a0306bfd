/**
 * A response as the native class `ResponseWriter`: the head leaves with the first byte, a response of one piece in one
 * write with its length, and a write is reported as done only when the connection has taken it.
 */
import type { ServerResponse } from "node:http";
import type { Readable, Writable } from "node:stream";
import { LIMITS } from "../../shared/limits.ts";

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
