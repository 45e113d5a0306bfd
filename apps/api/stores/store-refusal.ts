/**
 * Why the owner's write was not made: a closed code with the facts a caller needs to name the cause and the way out.
 * Never a database's text. Nothing of a refused write is kept.
 */

const SENTENCES = {
  not_found: "There is no such row.",
  missing_reference: "The row it belongs to does not exist.",
  in_use: "Something still belongs to it.",
  required: "A new row needs this field.",
  invalid: "A value is not valid.",
  stale_revision: "The row has changed since it was read.",
  last_visible_tab: "One page has to stay visible.",
} as const;

export type StoreRefusalCode = keyof typeof SENTENCES;

/** Which facts there are depends on the code; all are names, counts and fixed sentences, none is a stored text. */
export interface StoreRefusalFacts {
  /** The field that is at fault, as the write names it. */
  field?: string;
  /** What is wrong with the field, one sentence. */
  reason?: string;
  /** The values that the field may name: slugs that exist, media types. */
  allowed?: readonly string[];
  /** How many rows belong to it. */
  count?: number;
}

export class StoreRefusal extends Error {
  override readonly name: string = "StoreRefusal";
  constructor(
    readonly code: StoreRefusalCode,
    readonly facts: StoreRefusalFacts = {},
  ) {
    super(facts.reason ?? SENTENCES[code]);
  }
}

/** Another writer was there first. `current` is the row's revision now; null when the row is gone. */
export class StaleRevision extends StoreRefusal {
  override readonly name = "StaleRevision";
  constructor(readonly current: string | null) {
    super("stale_revision");
  }
}
