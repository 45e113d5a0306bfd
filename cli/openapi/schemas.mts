/**
 * Zod schemas as the JSON Schema of an OpenAPI 3.1 document. What the contracts export by name becomes a component of
 * that name, and every other schema refers to it.
 */
import { z } from "zod";
import * as about from "../../shared/contracts/about.ts";
import * as agent from "../../shared/contracts/agent.ts";
import * as catalogue from "../../shared/contracts/catalogue.ts";
import * as frames from "../../shared/contracts/frames.ts";
import * as metrics from "../../shared/contracts/metrics.ts";
import * as notes from "../../shared/contracts/notes.ts";
import * as site from "../../shared/contracts/site.ts";
import * as skills from "../../shared/contracts/skills.ts";
import * as source from "../../shared/contracts/source.ts";
import * as trace from "../../shared/contracts/trace.ts";

export type JsonSchema = Record<string, unknown>;
/** `input` is what a client sends, `output` what it receives. */
type Side = "input" | "output";

for (const [name, value] of Object.entries({
  ...about,
  ...agent,
  ...catalogue,
  ...frames,
  ...metrics,
  ...notes,
  ...site,
  ...skills,
  ...source,
  ...trace,
})) {
  if (value instanceof z.ZodType)
    z.globalRegistry.add(value, { ...value.meta(), id: `${name[0]!.toUpperCase()}${name.slice(1)}` });
}

/** Collects the components that the document comes to refer to. */
export class Schemas {
  readonly components: Record<string, JsonSchema> = {};

  /** Adds a component of the document's own and gives the reference to it. Throws when the name means something else. */
  component(name: string, schema: JsonSchema): JsonSchema {
    const earlier = this.components[name];
    if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(schema)) {
      throw new Error(`Two schemas are called ${name}.`);
    }
    this.components[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  of(schema: z.ZodType, side: Side): JsonSchema {
    const converted = z.toJSONSchema(schema, { io: side, override: plain });
    const {
      $schema: _,
      $defs = {},
      ...rest
    } = JSON.parse(JSON.stringify(converted).replaceAll("#/$defs/", "#/components/schemas/")) as JsonSchema & {
      $defs?: Record<string, JsonSchema>;
    };
    for (const [name, { id: _, ...definition }] of Object.entries($defs)) this.component(name, definition);
    return rest;
  }

  /** The fields of an object one by one: a path or a query has no schema of its own in the document. */
  fieldsOf(schema: z.ZodType): { name: string; required: boolean; schema: JsonSchema }[] {
    const { properties = {}, required = [] } = this.of(schema, "input") as {
      properties?: Record<string, JsonSchema>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, field]) => ({
      name,
      required: required.includes(name),
      schema: field,
    }));
  }
}

interface Override {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: JsonSchema;
}

/** Leaves out what only zod needs to say, and describes a number in a query as the number that its digits stand for. */
function plain({ zodSchema, jsonSchema }: Override): void {
  const { def } = zodSchema._zod;
  if (def.type === "pipe" && (def.out as z.core.$ZodTypes)._zod.def.type === "number") {
    delete jsonSchema.pattern;
    Object.assign(jsonSchema, z.toJSONSchema(def.out, { override: plain }), { $schema: undefined });
  }
  if (def.type === "default") jsonSchema.default = def.defaultValue;
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
