/**
 * Requests made from the OpenAPI document. A field is filled with whatever comes up, and the document's own schema says
 * whether that is valid; so nothing here knows an endpoint, and a new one is tried as soon as it is described.
 */
import type { OpenApiDocument, Parameter } from "../../cli/openapi/document.mts";
import type { JsonSchema } from "../../cli/openapi/schemas.mts";
import { type PlacedOperation, faultsOf, resolve } from "./api-document.mts";
import type { Random } from "./random.mts";
import { jsonValue, stringValue } from "./wire-values.mts";

export interface GeneratedRequest {
  path: string;
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

export interface World {
  /** Values that exist, by `operation.name` of the parameter or field that they are for, or by the name alone. */
  known: Readonly<Record<string, readonly string[]>>;
  /** Values of a Cookie header; an empty one is not sent. */
  cookies: readonly string[];
  /** Bytes beyond which the operation's body is too large. */
  bodyBytes(operation: PlacedOperation): number;
}

/** Values are tried until one is as wanted; more tries than this mean that the pool of values is too small. */
const TRIES = 5_000;
/** Of one encoded parameter: a head past 16 KiB is refused before anybody routes it, which is the edge's business. */
const PARAMETER_BYTES = 4_000;
const JSON_TYPES = ["application/json", "Application/JSON; charset=utf-8", "application/json;charset=UTF-8"];
const OTHER_TYPES = [
  "text/plain",
  "application/jsonp",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "json",
];
const NO_JSON = [
  "",
  "{",
  "{}x",
  "{'prompt':'hi'}",
  "NaN",
  "undefined",
  '{"prompt":"a\nb"}',
  '{"prompt":"hi",}',
  "prompt=hi",
];
const OTHER_SITES = ["cross-site", "same-site", "none", "evil"];
/** What must change nothing. */
const NEUTRAL_HEADERS: [string, string][] = [
  ["accept", "text/html"],
  ["accept", "application/xml;q=0.9, */*;q=0"],
  ["accept-language", "xx-YY-zz;q=2"],
  ["origin", "https://evil.example"],
  ["origin", "null"],
  ["referer", "https://evil.example/?a=%00"],
  ["range", "bytes=0-0"],
  ["if-none-match", "*"],
  ["if-modified-since", "never"],
  ["x-forwarded-for", "1.2.3.4, ::1, '; --"],
  ["x-forwarded-proto", "https,http"],
  ["x-http-method-override", "DELETE"],
  ["last-event-id", "0.1"],
];

export class RequestGenerator {
  constructor(
    private readonly document: OpenApiDocument,
    private readonly chance: Random,
    private readonly world: World,
  ) {}

  /** A request of which every part fits the document. */
  valid(operation: PlacedOperation): GeneratedRequest {
    return this.#request(operation, undefined);
  }

  /** Ways in which a request to this operation can fail to fit; each parameter by name is one. */
  faultsOf({ method, parameters = [], requestBody }: PlacedOperation): string[] {
    return [
      ...parameters.map(({ name }) => name),
      ...(requestBody ? ["body", "no JSON", "content type", "size"] : []),
      ...(method === "GET" ? [] : ["another site"]),
    ];
  }

  invalid(operation: PlacedOperation, fault: string): GeneratedRequest {
    return this.#request(operation, fault);
  }

  #request(operation: PlacedOperation, fault: string | undefined): GeneratedRequest {
    const { chance, world } = this;
    const query: string[] = [];
    let path = operation.path;
    for (const parameter of operation.parameters ?? []) {
      const isFault = parameter.name === fault;
      if (parameter.in === "path")
        path = path.replace(`{${parameter.name}}`, () => this.#parameter(operation, parameter, isFault));
      else if (isFault && parameter.required && chance.onceIn(5)) continue;
      else if (isFault || parameter.required || chance.onceIn(2)) {
        query.push(`${parameter.name}=${this.#parameter(operation, parameter, isFault)}`);
        if (isFault && chance.onceIn(8)) query.push(query.at(-1)!);
      }
    }
    if (chance.onceIn(4))
      query.push(`unknown=${encodeURIComponent(this.#string("").toWellFormed()).slice(0, PARAMETER_BYTES)}`);
    const headers = Object.fromEntries(Array.from({ length: chance.below(3) }, () => chance.pick(NEUTRAL_HEADERS)));
    const cookie = chance.pick(world.cookies);
    if (cookie !== "") headers.cookie = cookie;
    if (fault === "another site") headers["sec-fetch-site"] = chance.pick(OTHER_SITES);
    else if (chance.onceIn(3)) headers["sec-fetch-site"] = "same-origin";
    return {
      method: operation.method,
      path: query.length === 0 ? path : `${path}?${query.join("&")}`,
      headers,
      ...(operation.requestBody ? this.#body(operation, headers, fault) : {}),
    };
  }

  /** A parameter as it stands on the wire. */
  #parameter({ operationId }: PlacedOperation, { name, in: place, schema }: Parameter, isFault: boolean): string {
    return this.#until(() => {
      if (isFault && place === "path" && this.chance.onceIn(6)) return this.chance.pick(["%ff", "%", "%zz", "%c0%80"]);
      const value = this.#string(name, operationId);
      // A client resolves these two, and an empty segment is another path.
      if (!value.isWellFormed() || (place === "path" && /^\.{0,2}$/.test(value))) return undefined;
      const encoded = encodeURIComponent(value);
      if (encoded.length > PARAMETER_BYTES) return undefined;
      return this.#fits(schema, fromWire(schema, value)) === isFault ? undefined : encoded;
    });
  }

  #body(
    operation: PlacedOperation,
    headers: Record<string, string>,
    fault: string | undefined,
  ): Partial<GeneratedRequest> {
    const { chance, world } = this;
    const schema = operation.requestBody!.content["application/json"].schema;
    const bytes = world.bodyBytes(operation);
    headers["content-type"] = chance.pick(fault === "content type" ? OTHER_TYPES : JSON_TYPES);
    if (fault === "no JSON") {
      return { body: chance.onceIn(4) ? new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]) : chance.pick(NO_JSON) };
    }
    const text = this.#until(() => {
      const value = fault === "body" && chance.onceIn(2) ? jsonValue(chance) : this.#object(schema);
      if (this.#fits(schema, value) === (fault === "body")) return undefined;
      const written = JSON.stringify(value);
      return Buffer.byteLength(written) <= bytes ? written : undefined;
    });
    return {
      body: fault === "size" ? text + " ".repeat(bytes + 1 - Buffer.byteLength(text) + chance.below(10_000)) : text,
    };
  }

  /** An object with some of the schema's fields, filled with anything, and now and then a field that nobody knows. */
  #object(schema: JsonSchema): Record<string, unknown> {
    const { chance } = this;
    const names = Object.keys((schema.properties ?? {}) as object).filter(() => !chance.onceIn(4));
    if (chance.onceIn(4)) names.push(this.#string("").toWellFormed().slice(0, 40));
    return Object.fromEntries(names.map((name) => [name, chance.onceIn(3) ? jsonValue(chance) : this.#string(name)]));
  }

  #string(name: string, operationId?: string): string {
    const { known } = this.world;
    return stringValue(this.chance, known[`${operationId}.${name}`] ?? known[name] ?? []);
  }

  #fits(schema: JsonSchema, value: unknown): boolean {
    return faultsOf(this.document, resolve(this.document, schema), value).length === 0;
  }

  #until<T>(make: () => T | undefined): T {
    for (let tries = 0; tries < TRIES; tries++) {
      const made = make();
      if (made !== undefined) return made;
    }
    throw new Error("No value comes up that is as wanted.");
  }
}

/** The value that the text of a parameter stands for: a number only where one is described and plainly written. */
function fromWire(schema: JsonSchema, text: string): unknown {
  return schema.type === "integer" && /^(?:0|-?[1-9]\d*)$/.test(text) ? Number(text) : text;
}
