/**
 * Measures one claim against its baseline, fairly on a machine that others use too: rounds are interleaved, each round
 * gives one ratio of neighbours in time, and the median of those counts. Prints `name ratio baseline measured`, then
 * the claim and whether it holds.
 */
export interface Comparison {
  name: string;
  /** Of the two values, as printed: `req/s`. */
  unit: string;
  rounds: number;
  /** One measurement each, in `unit`. They run in turns; which goes first alternates. */
  baseline(): Promise<number>;
  measured(): Promise<number>;
  /** What the median of measured / baseline must be. */
  claim: { atLeast: number } | { atMost: number };
}

/** Resolves to whether the claim holds. The first round warms both up and is not counted. */
export async function compare(comparison: Comparison): Promise<boolean> {
  const { name, unit, rounds, claim } = comparison;
  const pairs: { baseline: number; measured: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const baselineFirst = round % 2 === 0;
    const early = await (baselineFirst ? comparison.baseline() : comparison.measured());
    const late = await (baselineFirst ? comparison.measured() : comparison.baseline());
    if (round > 0)
      pairs.push(baselineFirst ? { baseline: early, measured: late } : { baseline: late, measured: early });
  }
  const ratios = pairs.map(({ baseline, measured }) => measured / baseline).sort((a, b) => a - b);
  const ratio = median(ratios);
  const range = `${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)}`;
  const shown = (values: number[]) => `${Math.round(median(values))} ${unit}`;
  const holds = "atLeast" in claim ? ratio >= claim.atLeast : ratio <= claim.atMost;
  const wanted = "atLeast" in claim ? `at least ${claim.atLeast}` : `at most ${claim.atMost}`;
  console.log(
    `${name} ratio ${ratio.toFixed(2)} (${range}) ` +
      `baseline ${shown(pairs.map((pair) => pair.baseline))} measured ${shown(pairs.map((pair) => pair.measured))}`,
  );
  console.log(`${holds ? "PASS" : "FAIL"} ${name}: ${wanted}`);
  return holds;
}

/** Prints a measured value with its claim, for what is promised in its own unit. Returns whether the claim holds. */
export function judge(value: {
  name: string;
  unit: string;
  measured: number;
  atMost: number;
  digits?: number;
}): boolean {
  const { name, unit, measured, atMost, digits = 2 } = value;
  const holds = measured <= atMost;
  console.log(`${holds ? "PASS" : "FAIL"} ${name}: ${measured.toFixed(digits)} ${unit}, at most ${atMost} ${unit}`);
  return holds;
}

/** The value below which this share (0 to 1) of them lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
