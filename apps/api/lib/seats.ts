/** How many of something may be held at the same time, by whom: a seat is taken for all of its holders or for none. */
export interface SeatShare {
  who: string;
  /** 0 is no limit. */
  most: number;
}

export class Seats {
  readonly #held = new Map<string, number>();

  /** Takes a seat and returns what gives it back, once however often it is called; undefined when one is full. */
  take(shares: readonly SeatShare[]): (() => void) | undefined {
    if (shares.some(({ who, most }) => most > 0 && (this.#held.get(who) ?? 0) >= most)) return undefined;
    for (const { who } of shares) this.#held.set(who, (this.#held.get(who) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const { who } of shares) this.#leave(who);
    };
  }

  /** Holders with a seat. */
  get size(): number {
    return this.#held.size;
  }

  #leave(who: string): void {
    const left = this.#held.get(who)! - 1;
    if (left > 0) this.#held.set(who, left);
    else this.#held.delete(who);
  }
}
