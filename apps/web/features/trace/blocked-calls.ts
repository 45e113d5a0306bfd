/** Which tool calls of a turn a handler stopped: who said no, and the reason that the model got to read. Pure. */
import type { TraceTurn } from "./trace-model";
import { handlersOf } from "./event-facts";

export interface Blocked {
  by: string;
  /** Absent when the handler gave none. */
  reason?: string;
}

/** By tool call id. A turn's calls are read once: the same turn gives the same map. */
export function blockedCalls(turn: TraceTurn | undefined): ReadonlyMap<string, Blocked> {
  if (turn === undefined || turn.blockedCount === 0) return NONE;
  const known = read.get(turn);
  if (known !== undefined) return known;
  const blocked = new Map<string, Blocked>();
  for (const row of turn.rows) {
    const { eventType, data } = row;
    if (eventType !== "tool_call" || typeof data.toolCallId !== "string") continue;
    const decision = handlersOf(row)?.find(({ returned }) => returned?.block === true);
    if (decision === undefined) continue;
    const reason = decision.returned?.reason;
    blocked.set(data.toolCallId, {
      by: decision.extension,
      ...(typeof reason === "string" && reason !== "" && { reason }),
    });
  }
  read.set(turn, blocked);
  return blocked;
}

const NONE: ReadonlyMap<string, Blocked> = new Map();
const read = new WeakMap<TraceTurn, ReadonlyMap<string, Blocked>>();
