/**
 * The committed OpenAPI document as a judge of answers. Its schemas are checked by another library than the one that
 * made them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Errors } from "typebox/schema";
import { OPENAPI_FILE } from "../../cli/openapi.mts";
import type { OpenApiDocument, Operation } from "../../cli/openapi/document.mts";
import type { JsonSchema } from "../../cli/openapi/schemas.mts";
import type { Frame } from "./visitor.mts";

export interface PlacedOperation extends Operation {
  method: string;
  /** With `{name}` for a parameter. */
  path: string;
}

const REPOSITORY = join(import.meta.dir, "../..");

export function readDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(join(REPOSITORY, OPENAPI_FILE), "utf8"));
}

export function operationsOf(document: OpenApiDocument): PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** What is wrong with a value, each fault with its place; empty when it fits. */
export function faultsOf(document: OpenApiDocument, schema: JsonSchema, value: unknown): string[] {
  // References point from the root, so the components come along.
  const [, errors] = Errors({ ...schema, components: document.components } as never, value);
  return errors.map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
}

/** What is wrong with a frame of a stream: its name, its id, its data. */
export function frameFaults(document: OpenApiDocument, schema: JsonSchema, frame: Frame): string[] {
  const { oneOf } = resolve(document, schema) as { oneOf: JsonSchema[] };
  const events = oneOf.map((event) => resolve(document, event)) as { properties: Record<string, JsonSchema> }[];
  const event = events.find(({ properties }) => properties.event!.const === frame.event);
  if (event === undefined) return [`/event ${frame.event} is not in the document`];
  return [
    ...faultsOf(document, event as never, { ...frame, data: JSON.stringify(frame.data) }),
    ...faultsOf(document, event.properties.data!.contentSchema as JsonSchema, frame.data).map((text) => `/data${text}`),
  ];
}

export function resolve(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref))?.[1];
  return name === undefined ? schema : document.components.schemas[name]!;
}
