/**
 * What failed attempts to get in cost the one who makes them, and us: the first ones from a network are audited one by
 * one; past that its answers are late and its attempts are counted into one row a minute. Nobody is locked out, since a
 * right token never comes here. Memory and rows are bounded however many networks take part.
 */
import type { Limits } from "../../../shared/limits";

const MINUTE_MS = 60_000;

interface Network {
  /** When its present window began. */
  sinceMs: number;
  failures: number;
  auditedMs: number;
  /** Attempts that no row tells of yet. */
  unaudited: number;
}
export interface Consequence {
  delayMs: number;
  /** How many attempts to write into one audit row; absent: no row now. */
  audit?: number;
}
type Bounds = Pick<
  Limits,
  "mcpFailures" | "mcpFailureWindowMs" | "mcpFailureDelayMs" | "mcpFailureRemotes" | "mcpDeniedRowsPerMinute"
>;

export class Failures {
  /** By network, the longest untouched first. */
  readonly #networks = new Map<string, Network>();
  #rowsMinute = 0;
  #rows = 0;

  constructor(private readonly bounds: Bounds) {}

  /** Counts one attempt of `network` at `nowMs`. */
  add(network: string, nowMs: number): Consequence {
    const known = this.#networks.get(network);
    const entry =
      known && nowMs - known.sinceMs < this.bounds.mcpFailureWindowMs
        ? known
        : { sinceMs: nowMs, failures: 0, auditedMs: Number.NEGATIVE_INFINITY, unaudited: known?.unaudited ?? 0 };
    this.#networks.delete(network);
    this.#networks.set(network, entry);
    if (this.#networks.size > this.bounds.mcpFailureRemotes) this.#networks.delete(this.#networks.keys().next().value!);

    entry.failures += 1;
    entry.unaudited += 1;
    const isFlood = entry.failures > this.bounds.mcpFailures;
    const isDue = !isFlood || nowMs - entry.auditedMs >= MINUTE_MS;
    const delayMs = isFlood ? this.bounds.mcpFailureDelayMs : 0;
    if (!isDue || !this.#takeRow(nowMs)) return { delayMs };
    const audit = entry.unaudited;
    entry.unaudited = 0;
    entry.auditedMs = nowMs;
    return { delayMs, audit };
  }

  get size(): number {
    return this.#networks.size;
  }

  #takeRow(nowMs: number): boolean {
    if (nowMs - this.#rowsMinute >= MINUTE_MS) {
      this.#rowsMinute = nowMs;
      this.#rows = 0;
    }
    if (this.#rows >= this.bounds.mcpDeniedRowsPerMinute) return false;
    this.#rows += 1;
    return true;
  }
}
