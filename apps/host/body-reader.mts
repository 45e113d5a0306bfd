/** A request body as the native class `BodyReader`: pulled on demand, bounded, and broken when its sender leaves. */
import type { IncomingMessage } from "node:http";

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
