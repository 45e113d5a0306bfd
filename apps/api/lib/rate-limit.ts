/**
 * How often something may be done in an hour, by whom. Whoever has not been seen may do it `perHour` times at once, and
 * once more after each `hour / perHour`. One number a name is all that is kept: until when its hour is spoken for. A
 * name whose time has come is forgotten, which changes nothing, since it would be let in just like a stranger.
 *
 * Memory is bounded by `rateLimitKeys`. While that many names are in use, strangers of a kind share one allowance: a flood of
 * addresses can make newcomers wait, and neither lets anybody in nor slows down whoever was there before.
 */
const HOUR_MS = 3_600_000;
/** Sums of fractions of an hour may be off by less. */
const ROUNDING_MS = 1;

export interface Share {
  /** What is counted; names of different kinds have nothing to do with each other. */
  kind: string;
  who: string;
  /** 0 is no limit. */
  perHour: number;
}

export class RateLimit {
  /** By kind and name: when the hour is free again, in ms of `now`. */
  readonly #spokenFor = new Map<string, number>();
  #sweptMs = Number.NEGATIVE_INFINITY;

  /** `now` must never jump: milliseconds of a monotonic clock, from any origin. */
  constructor(
    private readonly bounds: { rateLimitKeys: number; rateLimitSweepMs: number },
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Counts one for every share and returns 0; or counts for none and returns how many ms to wait. */
  take(shares: readonly Share[]): number {
    const nowMs = this.now();
    this.#sweep(nowMs);
    // Named before anything is counted: the first of them may be the one that fills the map.
    const counted = limited(shares).map((share) => [this.#key(share), costMs(share)] as const);
    const untilMs = counted.map(([key, cost]) => Math.max(nowMs, this.#spokenFor.get(key) ?? nowMs) + cost);
    const waitMs = Math.max(nowMs, ...untilMs) - nowMs - HOUR_MS;
    if (waitMs > ROUNDING_MS) return waitMs;
    for (const [at, [key]] of counted.entries()) this.#spokenFor.set(key, untilMs[at]!);
    return 0;
  }

  /** Undoes a `take` of the same shares for what did not take place after all. */
  giveBack(shares: readonly Share[]): void {
    for (const share of limited(shares)) {
      const key = this.#key(share);
      const until = this.#spokenFor.get(key);
      if (until !== undefined) this.#spokenFor.set(key, until - costMs(share));
    }
  }

  get size(): number {
    return this.#spokenFor.size;
  }

  /** A stranger's own place while there is one, then the one of all strangers of the kind. */
  #key({ kind, who }: Share): string {
    const own = `${kind} ${who}`;
    return this.#spokenFor.has(own) || this.#spokenFor.size < this.bounds.rateLimitKeys ? own : kind;
  }

  /** At most once in `rateLimitSweepMs`: a flood must not make every request walk the whole map. */
  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptMs < this.bounds.rateLimitSweepMs) return;
    this.#sweptMs = nowMs;
    for (const [key, until] of this.#spokenFor) if (until <= nowMs) this.#spokenFor.delete(key);
  }
}

function limited(shares: readonly Share[]): Share[] {
  return shares.filter(({ perHour }) => perHour > 0);
}

function costMs({ perHour }: Share): number {
  return HOUR_MS / perHour;
}
