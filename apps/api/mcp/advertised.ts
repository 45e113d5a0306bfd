/**
 * A tool as `tools/list` shows it. Made once, when the process starts: the list is the same bytes for every call, and
 * converting schemas anew for each would hold up every stream of this process for milliseconds.
 *
 * Inputs are shown whole. Of an output only the first level is: no client shows it to its model, and it costs everyone
 * who lists. What a tool really returns is checked against the whole of it.
 */
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { annotationsOf, type Tool } from "./define-tool";

type Json = { [key: string]: unknown };

export function advertise(tool: Tool): ListedTool {
  const { name, title, description } = tool;
  return {
    name,
    title,
    description,
    inputSchema: inputJson(tool) as ListedTool["inputSchema"],
    outputSchema: firstLevel(schemaOf(tool.output, "output")) as ListedTool["outputSchema"],
    annotations: annotationsOf(tool),
  };
}

/** JSON Schema of a tool's arguments. */
export function inputJson(tool: Tool): Json {
  return schemaOf(tool.input, "input");
}

function schemaOf(schema: z.ZodObject, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => plain(jsonSchema) });
  return json;
}

/** Bounds that only say "a number that JavaScript can hold" tell a model nothing. */
function plain(json: Json): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
}

function firstLevel({ properties, required }: Json): Json {
  const shallow = Object.entries(properties as { [key: string]: Json }).map(([name, property]) => [
    name,
    typesOf(property),
  ]);
  return { type: "object", properties: Object.fromEntries(shallow), required };
}

/** What kind of value it is; of a list, what kind its items are; and nothing of what is in it. */
function typesOf({ type, anyOf, items }: Json): Json {
  if (type === "array") return { type, items: typesOf((items ?? {}) as Json) };
  if (typeof type === "string") return { type };
  const types = Array.isArray(anyOf) ? anyOf.map((part: Json) => part.type) : [];
  return types.every((part) => typeof part === "string") && types.length > 0 ? { type: [...new Set(types)] } : {};
}
