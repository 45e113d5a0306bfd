/** A store knows what is wrong; the tool that called it knows what to do about it. This joins the two. */
import { StoreRefusal, type StoreRefusalCode } from "../stores/store-refusal";
import { type RefusalFacts, ToolRefusal } from "./tool-refusal";

/** By the refusal's code, what a tool adds to its facts or says in their place. */
export type Advice = {
  [Code in StoreRefusalCode]?: (error: StoreRefusal) => Partial<RefusalFacts> | Promise<Partial<RefusalFacts>>;
};

/** What the work gives. A refusal of its store that there is advice for becomes the tool's own. */
export async function advised<T>(work: Promise<T>, advice: Advice): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StoreRefusal)) throw error;
    const more = await advice[error.code]?.(error);
    if (more === undefined) throw error;
    const { field, allowed, count } = error.facts;
    const known = { ...(field && { field }), ...(allowed && { allowed }), ...(count !== undefined && { count }) };
    throw new ToolRefusal({ cause: error.message, ...known, ...more });
  }
}

/** Advice for a row that is not there: the names of those that are. */
export function noSuch(field: string, what: string, existing: () => Promise<readonly string[]>): Advice {
  return {
    not_found: async () => ({
      cause: `There is no ${what} of that name.`,
      field,
      existing: (await existing()).slice(0, NAMES_TOLD),
    }),
  };
}

const NAMES_TOLD = 100;
