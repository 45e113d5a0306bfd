/**
 * What a format of case files is. A file holds inputs with the verdict that a rule must reach on each; a format knows its
 * files by their shape, whatever they are called, and judges every case with the code that the product itself runs.
 */
import { z } from "zod";

export interface Judged {
  id: string;
  /** A failure of `must` fails the run; `should` goes beyond the letter of the rule and is only told. */
  level: "must" | "should";
  /** What came out and what should have, on one line; null when they agree. */
  fault: string | null;
  /** Why the case could not be judged here; it then counts as neither. */
  skipped?: string;
}

export interface CaseFormat {
  name: string;
  recognises(file: Readonly<Record<string, unknown>>): boolean;
  /** Throws a `ZodError` when a case is not of the format; a rule that throws is a fault of its case. */
  judge(file: Readonly<Record<string, unknown>>): Judged[] | Promise<Judged[]>;
}

/** What every case has. One without a level is a `must`. */
export const caseHead = { id: z.string().max(64), level: z.enum(["must", "should"]).default("must") };

/** Judges one case by a rule that gives its fault; whatever the rule throws is the fault. */
export function judged({ id, level }: Pick<Judged, "id" | "level">, rule: () => string | null): Judged {
  try {
    return { id, level, fault: rule() };
  } catch (error) {
    return { id, level, fault: `the rule threw ${error instanceof Error ? error.name : typeof error}` };
  }
}

/** Any text as part of a line: quoted, everything but plain ASCII escaped, cut where it is long. */
export function shown(text: string): string {
  const cut = text.length > 80 ? `${text.slice(0, 80)}...` : text;
  return JSON.stringify(cut).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
