/**
 * The OpenAPI 3.1 document of the API, made from the contracts, the table of refusals and the frames of the streams.
 * It says what a client meets; nothing in it is written by hand a second time.
 */
import { readFileSync } from "node:fs";
import { CONTRACTS_BY_NAME } from "../../shared/contracts/index.ts";
import type { Contract, StreamShape, VisitorRule } from "../../shared/contracts/contract.ts";
import { ERRORS, type ErrorCode } from "../../shared/errors.ts";
import { VISITOR_COOKIE } from "../../apps/api/lib/visitor-cookie.ts";
import { type JsonSchema, Schemas } from "./schemas.mts";

export interface OpenApiDocument {
  openapi: string;
  info: Record<string, string>;
  servers: { url: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, unknown> };
}
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: true; content: { "application/json": { schema: JsonSchema } } };
  responses: Record<string, Response>;
}
export interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  schema: JsonSchema;
}
export interface Response {
  description: string;
  headers?: Record<string, unknown>;
  /** By media type. The schema of an event stream is that of each of its events. */
  content?: Record<string, { schema: JsonSchema }>;
}

const VISITOR = "visitor";

export function openApiDocument(): OpenApiDocument {
  const schemas = new Schemas();
  const paths: OpenApiDocument["paths"] = {};
  for (const [name, contract] of CONTRACTS_BY_NAME) {
    const path = contract.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [contract.method.toLowerCase()]: operation(name, contract, schemas) };
  }
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return {
    openapi: "3.1.1",
    info: {
      title: "Agent X-Ray",
      version,
      description: "What the pages of the site ask for. Streams, cookies and errors in prose: `docs/http-api.md`.",
    },
    servers: [{ url: "/api", description: "Behind the web port; the API's own port has no prefix." }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas.components).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        [VISITOR]: {
          type: "apiKey",
          in: "cookie",
          name: VISITOR_COOKIE,
          description: "An anonymous identity. It is issued with the first session; there is no login.",
        },
      },
    },
  };
}

function operation(name: string, contract: Contract, schemas: Schemas): Operation {
  const { params, query, body, visitor } = contract;
  const parameters = [
    ...(params ? schemas.fieldsOf(params).map((field) => ({ ...field, in: "path" as const })) : []),
    ...(query ? schemas.fieldsOf(query).map((field) => ({ ...field, in: "query" as const })) : []),
  ].map(({ name, required, schema, in: place }) => ({ name, in: place, required, schema }));
  return {
    operationId: name,
    tags: [contract.path.split("/")[1]!],
    summary: contract.summary,
    // A list of alternatives; the empty one means that no cookie is needed.
    ...(visitor ? { security: [{ [VISITOR]: [] }, ...(visitor.needed ? [] : [{}])] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: true, content: { "application/json": { schema: schemas.of(body, "input") } } } }
      : {}),
    responses: { ...success(name, contract, schemas), ...refusals(contract, schemas) },
  };
}

function success(name: string, contract: Contract, schemas: Schemas): Record<string, Response> {
  const { answer, media, stream, visitor } = contract;
  const cookie = setCookie(visitor);
  const headers = cookie ? { headers: cookie } : {};
  if (answer === null) return { "204": { description: "Done; there is nothing to say.", ...headers } };
  if (answer === "bytes") return file(name, media, cookie);
  if (answer !== "sse") {
    const content = { "application/json": { schema: schemas.of(answer, "output") } };
    return { "200": { description: "The answer.", ...headers, content } };
  }
  if (stream === undefined)
    throw new Error(`${name} answers with a stream, but its contract says nothing of the frames.`);
  const group = contract.path.split("/")[1] === "trace" ? "Trace" : "Ask";
  const content = { "text/event-stream": { schema: eventSchema(group, stream, schemas) } };
  return {
    "200": {
      description: "Server-sent events; the schema is that of each event. Comments keep the connection alive.",
      ...headers,
      content,
    },
    ...(stream.mayBeIdle ? { "204": { description: "There is nothing to stream.", ...headers } } : {}),
  };
}

const STRING = { type: "string" };

function file(
  name: string,
  media: readonly string[] | undefined,
  cookie: Record<string, unknown> | undefined,
): Record<string, Response> {
  if (media === undefined) throw new Error(`${name} answers with a file, but its contract says nothing of its type.`);
  const headers = { ETag: { description: "Changes with the bytes.", schema: STRING }, ...cookie };
  const content = Object.fromEntries(media.map((type) => [type, { schema: {} }]));
  return {
    "200": { description: "The file. HEAD gives its headers alone.", headers, content },
    "304": { description: "`If-None-Match` names the file as it is.", headers },
  };
}

/** One of the events of a stream. `data` is JSON in one line. */
function eventSchema(group: string, stream: StreamShape, schemas: Schemas): JsonSchema {
  const events = Object.entries(stream.events).map(([event, data]) => {
    const name = `${group}Event_${event}`;
    const contentSchema = schemas.of(data, "output");
    return schemas.component(name, {
      type: "object",
      properties: {
        ...(stream.id ? { id: schemas.of(stream.id, "output") } : {}),
        event: { const: event },
        data: { type: "string", contentMediaType: "application/json", contentSchema },
      },
      required: [...(stream.id ? ["id"] : []), "event", "data"],
      additionalProperties: false,
    });
  });
  return schemas.component(`${group}Event`, { oneOf: events });
}

function setCookie(visitor: VisitorRule | undefined): Record<string, unknown> | undefined {
  if (visitor === undefined || visitor.cookie === "untouched") return undefined;
  return { "Set-Cookie": { description: `The visitor's cookie, ${visitor.cookie}.`, schema: STRING } };
}

function refusals({ refusals: codes, params, visitor }: Contract, schemas: Schemas): Record<string, Response> {
  const responses: Record<string, Response> = {};
  for (const status of new Set(codes.map((code) => ERRORS[code].status))) {
    const ofStatus = codes.filter((code) => ERRORS[code].status === status);
    const references = ofStatus.map((code) => refusal(code, schemas));
    const headers = {
      ...(ofStatus.includes("rate_limited") ? { "Retry-After": RETRY_AFTER } : {}),
      // Whoever is refused for what the request itself says has not been looked at.
      ...(ofStatus.some((code) => code === "bad_request" || code === "too_large") ? {} : setCookie(visitor)),
    };
    if (status === 400 && params) references.push(schemas.component("InvalidPath", INVALID_PATH));
    responses[status] = {
      description: ofStatus.map((code) => `\`${code}\`: ${ERRORS[code].sentence}`).join("\n"),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      content: {
        "application/json": { schema: references.length === 1 ? references[0]! : { oneOf: references } },
      },
    };
  }
  return responses;
}

const INVALID_PATH = {
  description: "A path that is no valid percent-encoding of UTF-8 is answered before any endpoint sees it.",
  type: "object",
  properties: {
    code: { const: "invalid_argument" },
    message: { const: "invalid path" },
    details: { type: "null" },
  },
  required: ["code", "message", "details"],
  additionalProperties: false,
};
const RETRY_AFTER = { description: "Seconds, with `rate_limited` only.", schema: { type: "integer", minimum: 60 } };

function refusal(code: ErrorCode, schemas: Schemas): JsonSchema {
  const name = code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return schemas.component(`Refusal${name}`, {
    type: "object",
    properties: { error: { const: ERRORS[code].sentence }, code: { const: code } },
    required: ["error", "code"],
    additionalProperties: false,
  });
}
