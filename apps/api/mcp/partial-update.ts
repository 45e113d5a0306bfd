/** What a write of some fields names besides the row itself: absent fields are kept, and a write of none is a mistake. */
import { ToolRefusal } from "./tool-refusal";

/** The arguments that are among `fields`, of which there must be one. */
export function patchOf<Fields extends object, Args extends { [K in keyof Fields]?: unknown }>(
  args: Args,
  fields: Fields,
): Pick<Args, keyof Fields & keyof Args> {
  const given = Object.entries(args).filter(([name, value]) => Object.hasOwn(fields, name) && value !== undefined);
  if (given.length > 0) return Object.fromEntries(given) as Pick<Args, keyof Fields & keyof Args>;
  throw new ToolRefusal({
    cause: "This write names no field to change.",
    allowed: Object.keys(fields),
    retry: "Send the fields that are to change; what is left out stays as it is.",
  });
}
