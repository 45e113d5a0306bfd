/** What a turn came to, in a few facts. Pure; each is counted or paired on the wire, and what is missing is left out. */
import { numberOf } from "./event-facts";
import type { TraceItem, TraceTurn } from "./trace-model";

export interface TurnSummary {
  /** Of the calls that ran to their end. */
  slowestCall: { name: string; ms: number } | null;
  /** From a request to the first sign of its answer, over the turn; null when no wait is known. */
  waitedMs: number | null;
  /** Who blocked, and how often. */
  blocked: ReadonlyMap<string, number>;
  failedCalls: number;
  /** Characters added to the system prompt, by whom. */
  addedChars: ReadonlyMap<string, number>;
}

export function summarise({ items }: Pick<TraceTurn, "items">): TurnSummary {
  const blocked = new Map<string, number>();
  const addedChars = new Map<string, number>();
  const summary = { slowestCall: null as TurnSummary["slowestCall"], waitedMs: null as number | null, failedCalls: 0 };
  const add = (map: Map<string, number>, name: string, count: number) => map.set(name, (map.get(name) ?? 0) + count);

  const look = (item: TraceItem) => {
    if (item.kind === "trip" || item.kind === "tool") item.children.forEach(look);
    if (item.kind === "trip") return;
    if (item.kind === "tool") {
      const { name, durationMs: ms } = item;
      if (item.failed && item.blockedBy === null) summary.failedCalls += 1;
      const ran = item.blockedBy === null && ms !== null;
      if (ran && ms > (summary.slowestCall?.ms ?? -1)) summary.slowestCall = { name, ms };
      return;
    }
    if (item.waitedFromMs !== null) {
      summary.waitedMs = (summary.waitedMs ?? 0) + (item.kind === "run" ? item.startMs : item.atMs) - item.waitedFromMs;
    }
    if (item.kind === "run") return;
    if (item.blockedBy !== null) add(blocked, item.blockedBy, 1);
    for (const { extension, returned } of item.handlers ?? []) {
      const chars = returned === null ? null : numberOf(returned, "addedChars");
      if (chars !== null) add(addedChars, extension, chars);
    }
  };
  items.forEach(look);
  return { ...summary, blocked, addedChars };
}
