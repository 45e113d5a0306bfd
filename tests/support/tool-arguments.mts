/**
 * Arguments that fit a tool's input, made from its shape: so that a test can call every tool there is, also those that
 * are written after it. What a string may be is found by trying, since a pattern cannot be turned around.
 */
import type { Tool } from "../../apps/api/mcp/define-tool.ts";

type Json = { [key: string]: unknown };

const TEXTS = [
  "sample",
  "0123456789abcdef",
  "0".repeat(40),
  "0".repeat(64),
  "#112233",
  "2026-01-01T00:00:00.000Z",
  "2026-01-01",
  "https://example.com/sample",
  "sample.png",
  "SKILL.md",
  "image/png",
  Buffer.from("sample").toString("base64"),
  "owner/sample",
  "web_search",
  "auto",
];

/** Each argument given, the optional ones too. Throws where nothing fits: then a sample is missing above. */
export function sampleArguments(tool: Tool, json: Json): Record<string, unknown> {
  const properties = (json.properties ?? {}) as Record<string, Json>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const shape = tool.input.shape[name] as { safeParse(value: unknown): { success: boolean } };
      const value = candidates(schema).find((candidate) => shape.safeParse(candidate).success);
      if (value === undefined) throw new Error(`${tool.name}: no sample fits ${name} (${JSON.stringify(schema)})`);
      return [name, value];
    }),
  );
}

function candidates(schema: Json): unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum;
  if ("const" in schema) return [schema.const];
  if (Array.isArray(schema.anyOf)) return schema.anyOf.flatMap(candidates);
  switch (schema.type) {
    case "string":
      return TEXTS;
    case "boolean":
      return [false, true];
    case "integer":
    case "number":
      return [schema.minimum ?? 1, 1, 0, schema.maximum ?? 100];
    case "array":
      return [...candidates(schema.items as Json).map((item) => [item]), []];
    case "object":
      return objects(schema);
    default:
      return [null];
  }
}

/** One object for each text that its strings could be: its other properties are the first that fit. */
function objects(schema: Json): unknown[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const lists = properties.map(([name, property]) => [name, candidates(property)] as const);
  const pick = (at: number) => Object.fromEntries(lists.map(([name, list]) => [name, list[at % list.length]]));
  const mixed = Object.fromEntries(lists.map(([name, list]) => [name, fitting(name, list)]));
  return [mixed, ...TEXTS.map((_, at) => pick(at))];
}

/** What a property of this name usually is. */
function fitting(name: string, list: unknown[]): unknown {
  const wanted: Record<string, string> = {
    sha256: "0".repeat(64),
    path: "SKILL.md",
    pushed: "2026-01-01",
    color: "#112233",
  };
  const value = wanted[name];
  return value !== undefined && list.includes(value) ? value : list[0];
}
