/**
 * What an admin tool is (§21.3): a name, a shape in, a shape out, and one function between them. A tool is data; the
 * endpoint lists it, checks its arguments, writes the audit row and turns whatever it throws into an answer. A tool
 * therefore only reads its arguments, calls a store, and throws a `ToolRefusal` where it must say no.
 */
import { z } from "zod";
import type { Database } from "../database/pool";
import type { SecretBox } from "../lib/secret-box";
import type { Page } from "./paging";

/**
 * What a call does to the site. `read` changes nothing. `set` leaves the named values as the arguments say, so that the
 * same call again changes nothing more. `destroy` removes something, or replaces a whole that held more.
 */
export type ToolEffect = "read" | "set" | "destroy";

export interface ToolCall<Args> {
  /** Checked against the tool's input: unknown properties never get here. */
  args: Args;
  db: Database;
  /** Seals provider keys. */
  box: SecretBox;
  /** Name of the token that was sent. */
  principal: string;
  now: Date;
  /** Aborted when the client has left; to be looked at between the steps of long work. */
  signal: AbortSignal;
  /** One page of a whole list, by the call's own `limit` and `cursor`; see `paging.ts`. */
  page: Page;
}

interface ToolParts<I extends z.ZodObject, O extends z.ZodObject> {
  /** `noun_verb` in snake_case. */
  name: string;
  title: string;
  /** At most 300 characters. Names the fields it returns: clients do not show the output's shape to their model. */
  description: string;
  /** A `z.strictObject`. Optional fields are kept when absent; nothing has a default that would write. */
  input: I;
  output: O;
  run(call: ToolCall<z.output<I>>): Promise<z.input<O>>;
}
interface ReadParts {
  effect: "read";
}
interface WriteParts<I extends z.ZodObject> {
  effect: "set" | "destroy";
  /** The audit's line: fixed words with slugs, names and counts. Never a text, a key or a file. */
  summary(args: z.output<I>): string;
}

/** A tool whose arguments are known to nobody but itself. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  effect: ToolEffect;
  input: z.ZodObject;
  output: z.ZodObject;
  summary?(args: unknown): string;
  run(call: ToolCall<unknown>): Promise<Record<string, unknown>>;
}

export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(
  tool: ToolParts<I, O> & (ReadParts | WriteParts<I>),
): Tool {
  return tool as unknown as Tool;
}

/** The four hints, all stated: a client takes the worst for one that is missing. Nothing here reaches the outside. */
export function annotationsOf({ effect }: Pick<Tool, "effect">) {
  return {
    readOnlyHint: effect === "read",
    destructiveHint: effect === "destroy",
    idempotentHint: true,
    openWorldHint: false,
  };
}

/** The argument of a write that must not overwrite what somebody else wrote since it was read. */
export const expectedRevision = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .optional()
  .describe("`revision` of the row as you read it. When the row has changed since, nothing is written.");

/** Every row that can be written carries it. */
export const revision = z.string().describe("Changes with every change of the row.");

/** Whether a write changed anything; false when everything was so already. */
export const changed = z.boolean();
