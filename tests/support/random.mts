/**
 * Chance that can be repeated. The suites run with one fixed seed, so that a failure is a failure for everybody;
 * `XRAY_TEST_SEED=<number>` or `XRAY_TEST_SEED=new` looks elsewhere. Whoever fails prints the seed.
 */
export interface Random {
  readonly seed: number;
  /** From 0 up to, but not including, `end`. */
  below(end: number): number;
  pick<T>(items: readonly T[]): T;
  /** True once in `times`. */
  onceIn(times: number): boolean;
}

const FIXED_SEED = 20_260_105;

export function seedOfRun(wanted = process.env.XRAY_TEST_SEED): number {
  if (wanted === "new") return Math.floor(Math.random() * 0x1_0000_0000);
  return wanted ? Number(wanted) : FIXED_SEED;
}

/** Mulberry32: 32 bits of state, enough for inputs of tests and for nothing else. */
export function random(seed = seedOfRun()): Random {
  if (!Number.isInteger(seed)) throw new Error("XRAY_TEST_SEED is neither a whole number nor `new`.");
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (end: number) => next() % end;
  return { seed, below, pick: (items) => items[below(items.length)]!, onceIn: (times) => below(times) === 0 };
}
