/**
 * Reads a command's words: options and positional words against the command's own table. Pure. An unknown flag or
 * word is a `UsageError` with the nearest known one.
 */
import { UsageError } from "./refusal.mts";

export interface OptionSpec {
  /** What the option does, for the help. */
  text: string;
  /** Name of the value in the help; absent for a switch. */
  value?: string;
  /** A one-letter alias. */
  short?: string;
  /** May be given more than once; the value is then a list. */
  many?: boolean;
}
export type OptionTable = Readonly<Record<string, OptionSpec>>;

export interface Words {
  /** Positional words in order. */
  words: string[];
  has(option: string): boolean;
  /** The last value given; undefined when absent. */
  value(option: string): string | undefined;
  values(option: string): string[];
}

/** `positionals` is the most words the command takes. */
export function readWords(argv: readonly string[], table: OptionTable, positionals: number): Words {
  const given = new Map<string, string[]>();
  const words: string[] = [];
  let onlyWords = false;
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i]!;
    if (onlyWords || word === "-" || !word.startsWith("-")) {
      words.push(word);
      continue;
    }
    if (word === "--") {
      onlyWords = true;
      continue;
    }
    const [flag, inline] = split(word);
    const name = optionName(flag, table);
    const spec = table[name]!;
    if (given.has(name) && !spec.many) throw new UsageError(`--${name} is given twice.`);
    if (spec.value === undefined) {
      if (inline !== undefined) throw new UsageError(`--${name} takes no value.`);
      given.set(name, []);
      continue;
    }
    if (inline === undefined) i += 1;
    const value = inline ?? argv[i];
    if (value === undefined || (inline === undefined && value.startsWith("--"))) {
      throw new UsageError(`--${name} needs a value: --${name} ${spec.value}.`);
    }
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  if (words.length > positionals) {
    const word = words[positionals]!;
    const isOption = Object.hasOwn(table, word);
    throw new UsageError(`"${word}" is one word too many.`, isOption ? `Did you mean --${word}?` : "");
  }
  return {
    words,
    has: (option) => given.has(option),
    value: (option) => given.get(option)?.at(-1),
    values: (option) => given.get(option) ?? [],
  };
}

/** A whole number within the bounds, or a `UsageError`. Undefined passes through. */
export function wholeNumber(name: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new UsageError(`--${name} is a whole number from ${min} to ${max}.`);
  return value;
}

/** The known name nearest to a mistyped one; undefined when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const name of known) {
    const distance = name.startsWith(word) && word.length > 1 ? 1 : editDistance(word, name);
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

function split(word: string): [string, string | undefined] {
  const at = word.indexOf("=");
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function optionName(flag: string, table: OptionTable): string {
  for (const [name, spec] of Object.entries(table)) {
    if (flag === `--${name}` || (spec.short && flag === `-${spec.short}`)) return name;
  }
  const guess = nearest(flag.replace(/^-+/, ""), Object.keys(table));
  throw new UsageError(`There is no option ${flag}.`, guess ? `Did you mean --${guess}?` : "");
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]!;
}
