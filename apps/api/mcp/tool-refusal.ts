/**
 * How a tool says no: what is wrong, where, what would be right, and whether to call again. The model that reads it has
 * no other way to recover, so a refusal without a next step is half a refusal. Its sentences are fixed; they hold names
 * and bounds of ours, never SQL, an exception's text or what was sent as content.
 */
export interface RefusalFacts {
  /** One sentence: what is wrong. */
  cause: string;
  /** The argument it is about, such as `files.3.path`. */
  field?: string;
  /** `field` ends in a name that the client made up: it is told, and kept out of the audit. */
  isForeignName?: true;
  /** What the argument may be. */
  allowed?: readonly (string | number | boolean)[];
  /** Further faults of the same call. */
  others?: readonly string[];
  /** Names that exist, where an unknown one was given. */
  existing?: readonly string[];
  /** How many rows stand in the way. */
  count?: number;
  /** The row's revision now, where an older one was expected. */
  revision?: string;
  /** What to do next. Absent: `RETRY.changed`. */
  retry?: string;
}

/** What may come next. */
export const RETRY = {
  changed: "Do not send the same call again unchanged.",
  later: "The same call may be sent again in a moment.",
  never: "No other call will help.",
} as const;

export class ToolRefusal extends Error {
  override readonly name = "ToolRefusal";

  constructor(readonly facts: RefusalFacts) {
    super(facts.cause);
  }
}

/** Throws the usual refusal of a name that is not there; the existing ones are cut to what helps. */
export function unknownName(field: string, what: string, existing: readonly string[]): ToolRefusal {
  return new ToolRefusal({ cause: `There is no ${what} of that name.`, field, existing: existing.slice(0, 100) });
}
