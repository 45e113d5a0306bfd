/**
 * The guarded way out (§2.3): a fetch bound to one origin. It refuses every other origin and
 * every redirect, sends only the headers it is told to, uses no proxy, ends when the other side is silent for too long
 * or talks for too long, counts what comes back, and never hands an upstream error body or a key to its caller.
 */
import { LIMITS } from "../../../shared/limits";
import { type EventFault, eventDataCheck } from "./outbound-events";
import { safeErrorText } from "./safe-error";

export type OutboundFailure = "blocked_origin" | "redirect" | "idle" | "total" | "too_large" | "malformed" | "network";

/** A failed call, in fixed words. The cause was logged, scrubbed, where the error was made. */
export class OutboundError extends Error {
  override name = "OutboundError";
  constructor(readonly failure: OutboundFailure) {
    super(`outbound call failed: ${failure}`);
  }
}

export interface OutboundPolicy {
  /** Scheme, host and port, as `URL.origin` writes them. */
  origin: string;
  /** Lower-case names of the request headers that may leave; all others are dropped. */
  headers: readonly string[];
  /** Silence allowed before the head and between two chunks. */
  idleMs: number;
  /** Before the head only `totalMs` counts: the other side works for long before it says a word. */
  slowHead?: boolean;
  totalMs: number;
  /** Largest body, in decoded bytes. */
  maxBytes: number;
  /** Longest line of a body, in UTF-16 units. The data of an event must be JSON or `[DONE]`. */
  maxSseLineChars: number;
  /** At most this much of an error body is read, for the log. */
  errorBytes: number;
  /** Exact values that no error and no log line may hold. */
  secrets: readonly string[];
  /** Gets one scrubbed line for each failure. */
  onFailure(line: string): void;
}

/** Error answers reach the caller with their status and this body; what upstream said is for the log alone. */
const ERROR_BODY = JSON.stringify({ error: { message: "upstream error" } });

/** A `fetch` of text or URL addresses under `policy`. Rejects with `OutboundError`, or with the caller's own abort reason. */
export function guardedFetch(policy: OutboundPolicy): typeof fetch {
  const call = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input);
    if (url.origin !== policy.origin) throw failed(policy, "blocked_origin", url.origin);
    const watch = new Watch(policy, init.signal ?? undefined);
    try {
      const response = await fetch(url, requestInit(policy, init, watch.signal));
      watch.kick();
      if (response.status >= 300 && response.status < 400) throw failed(policy, "redirect", String(response.status));
      const body = unpackedBody(policy, response);
      if (!response.ok) return await errorAnswer(policy, response, body, watch);
      return new Response(body?.pipeThrough(watchedBody(policy, watch)), {
        status: response.status,
        headers: response.headers,
      });
    } catch (error) {
      const reason = watch.reasonFor(error);
      // Nobody will read the rest of such an answer: without this the connection would stay with it.
      watch.fail(reason);
      throw reason;
    }
  };
  return call as typeof fetch;
}

function requestInit(policy: OutboundPolicy, init: RequestInit, signal: AbortSignal): RequestInit {
  const given = new Headers(init.headers);
  const headers = new Headers({ "accept-encoding": "identity", "user-agent": "agent-x-ray" });
  for (const name of policy.headers) {
    const value = given.get(name);
    if (value !== null) headers.set(name, value);
  }
  // `proxy: false` keeps bun's fetch from following HTTP_PROXY, `decompress: false` from unpacking; see `unpackedBody`.
  // Other runtimes know no such fields and ignore them.
  const direct = { proxy: false, decompress: false } as RequestInit;
  return { ...direct, method: init.method ?? "GET", body: init.body ?? null, headers, redirect: "manual", signal };
}

/**
 * The body without the packing that some servers use unasked. bun's fetch would unpack whatever is on the wire at once, a
 * thousand times its size; so it comes out piece by piece here, and is counted. Other runtimes do as much by themselves.
 */
function unpackedBody(policy: OutboundPolicy, { headers, body }: Response): ReadableStream<Uint8Array> | null {
  const packing = headers.get("content-encoding")?.trim().toLowerCase() || "identity";
  if (body === null || packing === "identity" || process.versions.bun === undefined) return body;
  if (packing !== "gzip" && packing !== "deflate") throw failed(policy, "malformed", `content-encoding ${packing}`);
  return body.pipeThrough(new DecompressionStream(packing));
}

/** The two timers of a call and the caller's signal, as one signal. */
class Watch {
  private readonly controller = new AbortController();
  private readonly total: ReturnType<typeof setTimeout>;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private readonly onCallerAbort: () => void;

  constructor(
    private readonly policy: OutboundPolicy,
    private readonly caller: AbortSignal | undefined,
  ) {
    this.onCallerAbort = () => this.controller.abort(caller?.reason);
    if (caller?.aborted) this.onCallerAbort();
    caller?.addEventListener("abort", this.onCallerAbort, { once: true });
    this.total = setTimeout(() => this.expire("total"), policy.totalMs);
    if (!policy.slowHead) this.kick();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Something arrived: silence is counted anew. */
  kick(): void {
    clearTimeout(this.idle);
    // A process that stood still finds its timers due before it reads what has arrived meanwhile, so it looks twice.
    this.idle = setTimeout(() => {
      this.idle = setTimeout(() => this.expire("idle"), LIMITS.stallGraceMs);
    }, this.policy.idleMs);
  }

  stop(): void {
    clearTimeout(this.idle);
    clearTimeout(this.total);
    this.caller?.removeEventListener("abort", this.onCallerAbort);
  }

  /** Ends the call with `error`, for whoever is still reading or sending. */
  fail(error: unknown): void {
    this.stop();
    this.controller.abort(error);
  }

  /** What the caller is told: an expiry or its own abort as such, anything else as a network failure. */
  reasonFor(error: unknown): unknown {
    if (this.controller.signal.aborted) return this.controller.signal.reason;
    return error instanceof OutboundError ? error : failed(this.policy, "network", error);
  }

  private expire(failure: "idle" | "total"): void {
    this.fail(failed(this.policy, failure, `${failure} timeout`));
  }
}

/** Passes chunks on while they arrive in time, within the size, and with JSON where a line says that it is data. */
function watchedBody(policy: OutboundPolicy, watch: Watch): TransformStream<Uint8Array, Uint8Array> {
  const events = eventDataCheck(policy.maxSseLineChars);
  const refuse = (fault: EventFault | undefined) => {
    if (fault) throw failed(policy, fault, fault === "malformed" ? "event data is not JSON" : "event line");
  };
  let bytes = 0;
  // Some clients take a CR at the end of a chunk and the LF that begins the next one for two ends of line.
  const joinCrLf = heldReturn();
  return new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      watch.signal.addEventListener("abort", () => controller.error(watch.signal.reason), { once: true });
    },
    transform(chunk, controller) {
      watch.kick();
      bytes += chunk.byteLength;
      try {
        if (bytes > policy.maxBytes) throw failed(policy, "too_large", `${bytes} bytes`);
        refuse(events.add(chunk));
      } catch (error) {
        watch.fail(error);
        return;
      }
      controller.enqueue(joinCrLf(chunk, false));
    },
    flush(controller) {
      watch.stop();
      refuse(events.end());
      controller.enqueue(joinCrLf(new Uint8Array(), true));
    },
    // The reader gave up, or the connection broke: whichever side is left goes too.
    cancel(reason: unknown) {
      const broke = reason instanceof Error && !watch.signal.aborted;
      watch.fail(broke ? failed(policy, "network", reason) : new OutboundError("network"));
    },
  } as Transformer<Uint8Array, Uint8Array>);
}

/** Keeps a CR back at the end of a chunk, to give it out before the next one. */
function heldReturn(): (chunk: Uint8Array, isLast: boolean) => Uint8Array {
  let held = false;
  return (chunk, isLast) => {
    const whole = held ? Buffer.concat([Buffer.from("\r"), chunk]) : chunk;
    held = !isLast && whole.at(-1) === 13;
    return held ? whole.subarray(0, -1) : whole;
  };
}

/** Logs the beginning of an error body and answers with the status alone. */
async function errorAnswer(
  policy: OutboundPolicy,
  response: Response,
  body: ReadableStream<Uint8Array> | null,
  watch: Watch,
): Promise<Response> {
  const text = await readHead(body, policy.errorBytes, watch);
  watch.stop();
  const wait = response.headers.get("retry-after");
  const status = `upstream ${response.status}${wait === null ? "" : `, retry after ${wait}`}`;
  policy.onFailure(safeErrorText(`${status}: ${text}`, policy.secrets));
  return new Response(ERROR_BODY, { status: response.status, headers: { "content-type": "application/json" } });
}

async function readHead(body: ReadableStream<Uint8Array> | null, maxBytes: number, watch: Watch): Promise<string> {
  const reader = body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; bytes < maxBytes; ) {
    const { done, value } = await reader.read();
    if (done) break;
    watch.kick();
    bytes += value.byteLength;
    text += decoder.decode(value.subarray(0, maxBytes), { stream: true });
  }
  await reader.cancel().catch(() => {});
  return text.slice(0, maxBytes);
}

/** Makes the error of a failure and logs its cause, without the call's secrets. */
function failed(policy: OutboundPolicy, failure: OutboundFailure, cause: unknown): OutboundError {
  policy.onFailure(`${failure}: ${safeErrorText(cause, policy.secrets)}`);
  return new OutboundError(failure);
}
