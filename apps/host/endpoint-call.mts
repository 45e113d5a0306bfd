/**
 * One call of an endpoint, from the handler's first line to the last byte. It turns what a handler throws into Encore's
 * answer, and takes the client's leaving to the handler, which Encore's own runtime does not; `strict` keeps it away.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable, Writable } from "node:stream";
import { sendAnswer, thrownAnswer } from "./api-error.mts";
import { BodyReader } from "./body-reader.mts";
import { type ApiCall, Request } from "./call-request.mts";
import type { Endpoint } from "./discover.mts";
import { logError } from "./host-log.mts";
import { type HeaderFields, ResponseWriter } from "./response-writer.mts";

/** A handler as `registerHandlers` passes it on; called with the three native objects of one request. */
export type NativeHandler = (request: Request, writer: ResponseWriter, body: BodyReader) => unknown;

export class EndpointCall {
  readonly #endpoint: Endpoint;
  readonly #response: ServerResponse;
  readonly #added: HeaderFields;
  readonly #strict: boolean;
  readonly #writer: ResponseWriter;
  readonly #body: BodyReader;
  /** Encore's stream objects, once the handler has been entered. */
  #rawRequest: Readable | undefined;
  #rawResponse: Writable | undefined;

  constructor(
    endpoint: Endpoint,
    request: IncomingMessage,
    response: ServerResponse,
    added: HeaderFields,
    strict: boolean,
  ) {
    this.#endpoint = endpoint;
    this.#response = response;
    this.#added = added;
    this.#strict = strict;
    this.#writer = new ResponseWriter(response, added, this);
    this.#body = new BodyReader(request, endpoint.bodyLimit, this);
  }

  run(handler: NativeHandler, http: IncomingMessage, call: ApiCall): void {
    try {
      const result = handler(new Request(http, call), this.#writer, this.#body);
      if (result instanceof Promise) result.then(undefined, (thrown: unknown) => this.#fail(thrown));
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  /** Called with Encore's own stream objects right before the handler gets them. */
  enter(request: Readable, response: Writable): void {
    this.#rawRequest = request;
    this.#rawResponse = response;
    // A handler may destroy its response to cut off a reader; the connection goes with it.
    response.on("close", () => {
      if (!this.#writer.isClosed) this.#cutOff();
    });
  }

  /** Called when the handler reads for the first time. */
  bodyWanted(): void {
    // Encore crashes on a body that breaks with nobody listening. Strict mode shows it; a public server survives it.
    if (!this.#strict) this.#rawRequest?.on("error", ignore);
  }

  /** The response has left, or its client has. */
  over(): void {
    if (this.#response.writableFinished) return void this.#body.drop();
    this.#body.cut();
    this.#writer.abandon();
    if (this.#strict) return;
    this.#rawRequest?.destroy();
    this.#rawResponse?.destroy();
  }

  #fail(thrown: unknown): void {
    const { service, name: endpoint } = this.#endpoint;
    const answer = thrownAnswer(thrown);
    if (answer.status >= 500) logError("a handler threw", thrown, { service, endpoint });
    if (this.#writer.isCommitted) return void this.#cutOff();
    this.#writer.abandon();
    sendAnswer(this.#response, answer, this.#added);
  }

  #cutOff(): void {
    this.#writer.flush();
    this.#response.destroy();
  }
}

const ignore = () => {};
