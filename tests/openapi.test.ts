/** The committed description of the API: made from the contracts, whole, and in agreement with a recorded turn. */
import { describe, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { OPENAPI_FILE, openApiText } from "../cli/openapi.mts";
import type { JsonSchema } from "../cli/openapi/schemas.mts";
import { CONTRACTS } from "../shared/contracts/index";
import { ERRORS } from "../shared/errors";
import { faultsOf, frameFaults, operationsOf, readDocument } from "./support/api-document.mts";
import type { Frame } from "./support/visitor.mts";

const document = readDocument();
const operations = operationsOf(document);

describe(OPENAPI_FILE, () => {
  it("is what the contracts say (`bun --bun cli/openapi.mts --write` brings it up to date)", () => {
    expect(readFileSync(OPENAPI_FILE, "utf8")).toBe(openApiText());
  });

  it("has one operation a contract, each with its own name", () => {
    const inContracts = CONTRACTS.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(inContracts.sort());
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  it("declares every parameter of every path, as required", () => {
    for (const { path, parameters = [] } of operations) {
      const declared = parameters.filter((parameter) => parameter.in === "path");
      expect(declared.map(({ name, required }) => [name, required])).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, true]),
      );
    }
  });

  it("refers to components that are there, and holds none that nothing refers to", () => {
    const text = JSON.stringify(document);
    const referred = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!));
    expect([...referred].sort()).toEqual(Object.keys(document.components.schemas).sort());
    expect(text).not.toContain("$defs");
  });

  it("gives each refusal its status, its code and its sentence, and no other", () => {
    for (const { method, path, refusals } of CONTRACTS) {
      const { responses } = operations.find(
        (operation) => operation.method === method && operation.path === path.replace(/:(\w+)/g, "{$1}"),
      )!;
      for (const [code, { status, sentence }] of Object.entries(ERRORS)) {
        const schema = responses[status]?.content?.["application/json"]?.schema;
        const fits = schema !== undefined && faultsOf(document, schema, { error: sentence, code }).length === 0;
        expect([method, path, code, fits]).toEqual([method, path, code, refusals.includes(code as never)]);
      }
    }
  });

  it("accepts a recorded turn frame by frame, and no frame with something added or missing", () => {
    const ask = recorded("ask-turn.json") as Frame[];
    const trace = recorded("trace-turn.json").map((data) => ({ event: "trace", data })) as Frame[];
    for (const [operationId, frames] of [
      ["ask", ask],
      ["traceStream", trace],
    ] as const) {
      const schema = eventOf(operationId);
      expect(frames.flatMap((frame) => frameFaults(document, schema, frame))).toEqual([]);
      const [frame] = frames as [Frame];
      const [field] = Object.keys(frame.data) as [string];
      for (const broken of [
        { ...frame, event: "other" },
        { ...frame, more: 1 },
        { ...frame, data: { ...frame.data, more: 1 } },
        { ...frame, data: { ...frame.data, [field]: undefined } },
        { ...frame, data: { ...frame.data, [field]: [] } },
      ]) {
        expect(frameFaults(document, schema, JSON.parse(JSON.stringify(broken)))).not.toEqual([]);
      }
    }
  });
});

function recorded(name: string): unknown[] {
  return JSON.parse(readFileSync(`shared/fixtures/${name}`, "utf8"));
}

function eventOf(operationId: string): JsonSchema {
  const { responses } = operations.find((operation) => operation.operationId === operationId)!;
  return responses["200"]!.content!["text/event-stream"]!.schema;
}
