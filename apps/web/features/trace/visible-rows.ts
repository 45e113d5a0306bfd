/**
 * Which rows of a turn are on the page, in order: a folded round trip hides its events and keeps its tool calls, so
 * that a step in the chat always has a row to point at; a filter hides more and says how much. Pure.
 */
import type { EventItem, LeafItem, RunItem, TraceItem, TraceTurn, TripItem } from "./trace-model";
import { filteredEvents, isFiltering, NO_FILTER, passes, type TraceFilter } from "./trace-filter";

export interface VisibleRow {
  item: TraceItem;
  /** Fold of a round trip, details of any other row. */
  open: boolean;
  /** What the row is the other half of in the chat: `<turnSeq>:user`, `:answer` or `:<toolCallId>`. */
  link: string | null;
  /** Where `L` leads from this row. */
  jump: string | null;
  /** Key of the round trip around it; null for a round trip itself and outside any. */
  trip: string | null;
  /** Rows beside each other of one name are put on the page, and taken off it, together. */
  stretch: string;
}

export interface VisibleRows {
  rows: VisibleRow[];
  /** Kernel events that the filter leaves out. What only a fold hides does not count. */
  filteredEvents: number;
  /** Links whose row the filter leaves out: they end at the header of the turn. */
  homeless: string[];
}

export interface Reading {
  /** What the reader opened or closed by hand, by key; everything else follows the defaults. */
  choices: ReadonlyMap<string, boolean>;
  /** Round trips from this number on are open without being asked; by default the last one. */
  openFrom?: number;
  filter?: TraceFilter;
}

/**
 * So many rows of one level make a stretch, and those of a round trip are in that of its first row: folded ones stand
 * together, and nothing changes its stretch as they open or as the turn grows.
 */
const STRETCH_ROWS = 40;

export function visibleRows(turn: TraceTurn, reading: Reading): VisibleRows {
  const { items, turnSeq } = turn;
  const { choices, openFrom = turn.roundTrips, filter = NO_FILTER } = reading;
  const filtering = isFiltering(filter);
  const answer = lastAnswer(items);
  const linkTo = (target: string) => (turnSeq === null ? null : `${turnSeq}:${target}`);
  const rows: VisibleRow[] = [];
  const wanted: string[] = [];

  /** Adds a row, and the rows in it, as far as the filter and the folds let them. False when nothing was shown. */
  const addLeaf = (item: LeafItem, around: string, trip: TripItem | null, stretch: string, folded = false): boolean => {
    const target = targetOf(item, answer);
    const link = target === null ? null : linkTo(target);
    if (link !== null) wanted.push(link);
    const inner = item.kind === "tool" ? item.children.filter((child) => passes(filter, child)) : [];
    if (inner.length === 0 && !passes(filter, item)) return false;
    if (folded && item.kind !== "tool") return true;
    const open = choices.get(item.key) ?? isDecided(item);
    rows.push({ item, open, link, jump: link ?? linkTo(around), trip: trip?.key ?? null, stretch });
    if (item.kind !== "tool" || folded) return true;
    for (const [index, child] of inner.entries()) {
      rows.push({
        item: child,
        open: choices.get(child.key) ?? isDecided(child),
        link: null,
        jump: linkTo(item.toolCallId),
        trip: trip?.key ?? null,
        stretch: index < STRETCH_ROWS ? stretch : stretchOf(item.key, index),
      });
    }
    return true;
  };

  let number = 0;
  let taken = 0;
  for (const item of items) {
    if (taken >= STRETCH_ROWS) {
      number += 1;
      taken = 0;
    }
    taken += item.kind === "trip" ? 1 + item.children.length : 1;
    const stretch = `turn/${number}`;
    if (item.kind !== "trip") {
      addLeaf(item, "user", null, stretch);
      continue;
    }
    const open =
      choices.get(item.key) ?? (filtering || item.number >= openFrom || item.endMs === null || hasTrouble(item));
    const at = rows.length;
    rows.push({ item, open, link: null, jump: linkTo("answer"), trip: null, stretch });
    let matched = false;
    for (const [place, child] of item.children.entries()) {
      if (addLeaf(child, "answer", item, place < STRETCH_ROWS ? stretch : stretchOf(item.key, place), !open))
        matched = true;
    }
    if (filtering && !matched) rows.length = at;
    // Where the answer's own row is not shown, its round trip stands for it.
    else if (item === answer?.trip && !rows.some(({ item: shown }) => shown === answer.run)) {
      rows[at]!.link = linkTo("answer");
    }
  }
  const reached = new Set(rows.map(({ link }) => link));
  return {
    rows,
    filteredEvents: filteredEvents(turn, filter),
    homeless: wanted.filter((link) => !reached.has(link)),
  };
}

const stretchOf = (list: string, index: number): string => `${list}/${Math.floor(index / STRETCH_ROWS)}`;

/** What the chat calls the other half of an item. */
function targetOf(item: LeafItem, answer: Answer | null): string | null {
  if (item.kind === "tool") return item.toolCallId;
  if (item.kind === "run") return item === answer?.run ? "answer" : null;
  return item.row.eventType === "input" ? "user" : null;
}

/** A decided event shows who decided without being asked. */
const isDecided = (item: LeafItem): item is EventItem => item.kind === "event" && item.blockedBy !== null;

const hasTrouble = (trip: TripItem): boolean =>
  trip.children.some((child) => child.kind === "tool" && (child.failed || child.blockedBy !== null));

interface Answer {
  trip: TripItem;
  run: RunItem;
}

/** The answer's text came in the last run of `message_update`. */
function lastAnswer(items: readonly TraceItem[]): Answer | null {
  for (const trip of items.toReversed()) {
    if (trip.kind !== "trip") continue;
    const run = trip.children.findLast((child) => child.kind === "run" && child.eventType === "message_update");
    if (run?.kind === "run") return { trip, run };
  }
  return null;
}
