/** The tool catalogue as it is read: grouped, the schema of each call as rows, and how often this session called it. Pure. */
import type { ToolEntry, ToolGroup } from "../../../../../shared/contracts/catalogue";
import { isObject, textOf } from "../event-facts";
import type { TraceTurn } from "../trace-model";

export const GROUP_ORDER: readonly ToolGroup[] = ["pure", "outbound", "session", "sandbox"];

export interface Parameter {
  name: string;
  /** Kinds of value, as JSON Schema calls them: `string`, `integer or null`. */
  type: string;
  /** Smallest and largest: length of a string, number of entries of an array, otherwise the value itself. */
  least: number | null;
  most: number | null;
  /** The only values there are; null when any will do. */
  choices: string[] | null;
  isRequired: boolean;
  /** As JSON; null without one. */
  fallback: string | null;
  meaning: string;
}

export function groupsOf(tools: readonly ToolEntry[]): { group: ToolGroup; tools: ToolEntry[] }[] {
  return GROUP_ORDER.map((group) => ({ group, tools: tools.filter((tool) => tool.group === group) })).filter(
    (entry) => entry.tools.length > 0,
  );
}

/** The arguments of a call, in the schema's order. */
export function parametersOf(schema: Record<string, unknown>): Parameter[] {
  if (!isObject(schema.properties)) return [];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(schema.properties).map(([name, value]) => {
    const field: Record<string, unknown> = isObject(value) ? value : {};
    const [least, most] = boundsOf(field);
    const choices = Array.isArray(field.enum) ? field.enum : "const" in field ? [field.const] : null;
    return {
      name,
      type: typeOf(field),
      least,
      most,
      choices: choices?.map((choice) => (typeof choice === "string" ? choice : JSON.stringify(choice))) ?? null,
      isRequired: required.has(name),
      fallback: field.default === undefined ? null : JSON.stringify(field.default),
      meaning: isObject(value) ? (textOf(value, "description") ?? "") : "",
    };
  });
}

function typeOf(field: Record<string, unknown>): string {
  if (typeof field.type === "string") return field.type;
  if (Array.isArray(field.type)) return field.type.join(" | ");
  const options = [field.anyOf, field.oneOf].find(Array.isArray) as unknown[] | undefined;
  if (options !== undefined) return [...new Set(options.filter(isObject).map(typeOf))].join(" | ");
  return Array.isArray(field.enum) ? "string" : "any";
}

/** zod writes the largest safe integer where a number has no bound of its own. */
function boundsOf(field: Record<string, unknown>): [least: number | null, most: number | null] {
  const read = (...names: string[]) => {
    const value = names.map((name) => field[name]).find((bound) => typeof bound === "number") as number | undefined;
    return value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value;
  };
  return [read("minLength", "minItems", "minimum"), read("maxLength", "maxItems", "maximum")];
}

/** Calls that began, by the tool's name: a blocked one was made too. */
export function callsByTool(turns: readonly TraceTurn[]): Map<string, number> {
  const calls = new Map<string, number>();
  for (const { rows } of turns) {
    for (const { eventType, data } of rows) {
      const name = eventType === "tool_execution_start" ? textOf(data, "toolName") : null;
      if (name !== null) calls.set(name, (calls.get(name) ?? 0) + 1);
    }
  }
  return calls;
}
