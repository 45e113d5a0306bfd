/**
 * Checks what a client sent as a tool's arguments, and says in words what is wrong with them: the fault, the field and
 * what it may be. Values are never repeated; one of them could be a key in the wrong place.
 */
import type { z } from "zod";
import { inputJson } from "./advertised";
import type { Tool } from "./define-tool";
import { type RefusalFacts, ToolRefusal } from "./tool-refusal";

/** Some faults more than the first are told, since each costs a model another call. */
const OTHERS_TOLD = 5;

/** The arguments as the tool takes them. Throws a `ToolRefusal`. */
export function readArguments(tool: Tool, given: unknown): Record<string, unknown> {
  const result = tool.input.safeParse(unstringified(tool, given ?? {}));
  if (result.success) return result.data;
  const [first, ...others] = result.error.issues.map((issue) => faultOf(issue, tool));
  const more = others.slice(0, OTHERS_TOLD).map(({ field, cause }) => `${field}: ${cause}`);
  throw new ToolRefusal({ ...first!, ...(more.length > 0 ? { others: more } : {}) });
}

/** Some clients send an object or a list as its JSON text. Where nothing but one of them fits, the text is read. */
function unstringified(tool: Tool, given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  const structured = structuredFields(tool);
  if (!Object.entries(given).some(([name, value]) => typeof value === "string" && structured.has(name))) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === "string" && structured.has(name) ? parsed(value) : value,
    ]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const known = new WeakMap<Tool, ReadonlySet<string>>();

function structuredFields(tool: Tool): ReadonlySet<string> {
  let fields = known.get(tool);
  if (fields === undefined) {
    const properties = (inputJson(tool).properties ?? {}) as Record<
      string,
      { type?: unknown; anyOf?: { type?: unknown }[] }
    >;
    const typesOf = ({ type, anyOf }: { type?: unknown; anyOf?: { type?: unknown }[] }) =>
      anyOf === undefined ? [type] : anyOf.map((part) => part.type);
    const isStructured = (types: unknown[]) =>
      types.some((type) => type === "array" || type === "object") && !types.includes("string");
    fields = new Set(
      Object.entries(properties).flatMap(([name, schema]) => (isStructured(typesOf(schema)) ? [name] : [])),
    );
    known.set(tool, fields);
  }
  return fields;
}

function faultOf(issue: z.core.$ZodIssue, tool: Tool): RefusalFacts {
  const field = issue.path.map(String).join(".").slice(0, 200) || "arguments";
  switch (issue.code) {
    case "unrecognized_keys":
      return {
        cause: issue.path.length === 0 ? "This tool has no such argument." : "There is no such property here.",
        field: [...issue.path, issue.keys[0] ?? ""].map(String).join(".").slice(0, 200),
        isForeignName: true,
        ...(issue.path.length === 0 ? { allowed: Object.keys(tool.input.shape) } : {}),
      };
    case "invalid_type":
      return { cause: `A value of type ${issue.expected} is needed here.`, field };
    case "invalid_value":
      return { cause: "This is none of the values that are possible here.", field, allowed: issue.values.map(String) };
    case "too_small":
      return { cause: `The least possible here is ${issue.minimum}${unitOf(issue.origin)}.`, field };
    case "too_big":
      return { cause: `The most possible here is ${issue.maximum}${unitOf(issue.origin)}.`, field };
    case "invalid_format": {
      const form = issue.format === "regex" ? String(issue.pattern) : issue.format;
      return { cause: "This text has another form than is needed here.", field, allowed: [form] };
    }
    case "custom":
      return { cause: issue.message, field };
    default:
      return { cause: "This value does not fit here.", field };
  }
}

function unitOf(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " items" : "";
}
