/** What is wrong with a folder of notes: which file, which line, one sentence. All are told at once. */
import { StoreRefusal } from "../../apps/api/stores/store-refusal.ts";

export interface Fault {
  /** Below the folder that was given. */
  file: string;
  /** From 1. */
  line: number;
  sentence: string;
}

/** Collects faults as they are found. */
export class Faults {
  readonly all: Fault[] = [];

  add(file: string, line: number, sentence: string): void {
    this.all.push({ file, line, sentence });
  }

  /** By file and line. */
  inOrder(): Fault[] {
    const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    return this.all.toSorted((a, b) => order(a.file, b.file) || a.line - b.line);
  }

  /** The value, checked by the rule that the store will check it by; undefined when that says no, which is noted. */
  checked<T>(file: string, line: number, field: string, rule: () => T): T | undefined {
    try {
      return rule();
    } catch (error) {
      if (!(error instanceof StoreRefusal)) throw error;
      this.add(file, line, `${field}: ${error.facts.reason ?? error.message}`);
      return undefined;
    }
  }
}

/** As editors and terminals read it. */
export function faultText({ file, line, sentence }: Fault): string {
  return `${file}:${line}: ${sentence}`;
}
