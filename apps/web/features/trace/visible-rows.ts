/**
 * Which rows of a turn are on the page, in order: a folded round trip hides its events and keeps its tool calls, so
 * that a step in the chat always has a row to point at. Pure.
 */
import type { LeafItem, RunItem, TraceItem, TraceTurn, TripItem } from "./trace-model";

export interface VisibleRow {
  item: TraceItem;
  /** Fold of a round trip, details of any other row. */
  open: boolean;
  /** What the row is the other half of in the chat: `<turnSeq>:user`, `:answer` or `:<toolCallId>`. */
  link: string | null;
  /** Where `L` leads from this row. */
  jump: string | null;
}

/** `choices`: what the reader opened or closed by hand, by key; everything else follows the defaults. */
export function visibleRows(turn: TraceTurn, choices: ReadonlyMap<string, boolean>): VisibleRow[] {
  const { items, turnSeq } = turn;
  const trips = items.filter((item) => item.kind === "trip");
  const lastTrip = trips.at(-1);
  const answer = lastAnswer(trips);
  const linkTo = (target: string) => (turnSeq === null ? null : `${turnSeq}:${target}`);
  const rows: VisibleRow[] = [];

  const addLeaf = (item: LeafItem, around: string) => {
    const toolCall = item.kind === "tool" ? item.toolCallId : null;
    const isInput = item.kind === "event" && item.row.eventType === "input";
    const target = toolCall ?? (item === answer?.run ? "answer" : isInput ? "user" : null);
    const link = target === null ? null : linkTo(target);
    rows.push({ item, open: choices.get(item.key) ?? isDecided(item), link, jump: link ?? linkTo(around) });
  };

  for (const item of items) {
    if (item.kind !== "trip") {
      addLeaf(item, "user");
      if (item.kind === "tool") for (const child of item.children) addLeaf(child, item.toolCallId);
      continue;
    }
    const open = choices.get(item.key) ?? (item === lastTrip || item.endMs === null || hasTrouble(item));
    const link = !open && item === answer?.trip ? linkTo("answer") : null;
    rows.push({ item, open, link, jump: linkTo("answer") });
    for (const child of item.children) {
      if (child.kind === "tool") {
        addLeaf(child, "answer");
        if (open) for (const inner of child.children) addLeaf(inner, child.toolCallId);
      } else if (open) {
        addLeaf(child, "answer");
      }
    }
  }
  return rows;
}

/** A decided event shows who decided without being asked. */
const isDecided = (item: LeafItem): boolean => item.kind === "event" && item.blockedBy !== null;

const hasTrouble = (trip: TripItem): boolean =>
  trip.children.some((child) => child.kind === "tool" && (child.failed || child.blockedBy !== null));

/** The answer's text came in the last run of `message_update`. */
function lastAnswer(trips: readonly TripItem[]): { trip: TripItem; run: RunItem } | null {
  for (const trip of trips.toReversed()) {
    const run = trip.children.findLast((child) => child.kind === "run" && child.eventType === "message_update");
    if (run?.kind === "run") return { trip, run };
  }
  return null;
}
