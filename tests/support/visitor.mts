/**
 * A browser as the API sees it: one cookie jar, JSON requests and event streams that can be read frame by frame and
 * dropped in the middle. The raw bytes of a stream are kept for searches by value.
 */
export interface Frame {
  id?: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test compares whatever came over the wire.
  data: any;
}

export class Visitor {
  /** `name=value` as the server last set it. */
  cookie: string | undefined;

  /** `address`: where its requests come from, as the proxy in front says; unknown without it. */
  constructor(
    private readonly url: string,
    private readonly address?: string,
  ) {}

  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookie !== undefined && !headers.has("cookie")) headers.set("cookie", this.cookie);
    if (this.address !== undefined) headers.set("x-forwarded-for", this.address);
    const response = await fetch(this.url + path, { ...init, headers });
    const issued = response.headers.get("set-cookie");
    if (issued !== null) this.cookie = issued.split(";")[0];
    return response;
  }

  /** The parsed answer; `body` is undefined when it is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: see Frame.
  async json(path: string, init?: RequestInit): Promise<{ status: number; body: any; headers: Headers }> {
    const response = await this.request(path, init);
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text), headers: response.headers };
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}) {
    return this.json(path, postOf(body, headers));
  }

  /** Opens a stream that must be accepted. */
  async open(path: string, init: RequestInit = {}): Promise<Stream> {
    const leave = new AbortController();
    const response = await this.request(path, { ...init, signal: leave.signal });
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return new Stream(response, leave);
  }

  ask(prompt: string, sessionId?: string): Promise<Stream> {
    return this.open("/agent/ask", postOf({ prompt, sessionId }));
  }

  resume(sessionId: string, after?: string): Promise<Stream> {
    return this.open(`/agent/sessions/${sessionId}/stream${after === undefined ? "" : `?after=${after}`}`);
  }

  trace(sessionId: string, query: { afterSeq?: number; clientId?: string } = {}): Promise<Stream> {
    const { afterSeq = -1, clientId = "panel" } = query;
    return this.open(`/trace/stream?sessionId=${sessionId}&afterSeq=${afterSeq}&clientId=${clientId}`);
  }
}

export class Stream {
  raw = "";
  readonly #reader: ReadableStreamDefaultReader<string>;
  #unread = "";

  constructor(
    readonly response: Response,
    private readonly leaving: AbortController,
  ) {
    this.#reader = response
      .body!.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
      .getReader();
  }

  /** The next frame; comments are passed over. Undefined when the stream has ended. */
  async next(): Promise<Frame | undefined> {
    for (;;) {
      const end = this.#unread.indexOf("\n\n");
      if (end >= 0) {
        const block = this.#unread.slice(0, end);
        this.#unread = this.#unread.slice(end + 2);
        const frame = parseBlock(block);
        if (frame !== undefined) return frame;
        continue;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.raw += value;
      this.#unread += value;
    }
  }

  /** Reads up to and including the first frame with this name; throws when the stream ends before. */
  async until(event: string): Promise<Frame[]> {
    const frames: Frame[] = [];
    for (;;) {
      const frame = await this.next();
      if (frame === undefined) throw new Error(`The stream ended before ${event}: ${JSON.stringify(frames)}`);
      frames.push(frame);
      if (frame.event === event) return frames;
    }
  }

  /** Reads to the end of the stream. */
  async rest(): Promise<Frame[]> {
    const frames: Frame[] = [];
    for (;;) {
      const frame = await this.next();
      if (frame === undefined) return frames;
      frames.push(frame);
    }
  }

  /** Hangs up, as a closed tab does. */
  leave(): void {
    this.leaving.abort();
    this.#reader.cancel().catch(() => {});
  }
}

export function postOf(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

/** The frames of a whole stream; comments are passed over. */
export function parseSse(text: string): Frame[] {
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .flatMap((block) => parseBlock(block) ?? []);
}

function parseBlock(block: string): Frame | undefined {
  const fields = new Map(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  const event = fields.get("event");
  if (event === undefined) return undefined;
  const id = fields.get("id");
  return { ...(id === undefined ? {} : { id }), event, data: JSON.parse(fields.get("data")!) };
}
