/**
 * What the reader chose to see of the timeline: one mode alone, and names that hold what was typed. Pure. A call is
 * shown with what happened in it, and what is left out is counted, so that a filter never makes the trace look shorter
 * than it was.
 */
import type { TraceMode } from "../../../../shared/trace-events";
import { eventsIn } from "./event-facts";
import type { EventItem, LeafItem, RunItem, TraceItem, TraceTurn } from "./trace-model";

export interface TraceFilter {
  /** Events of this mode alone; null: of every mode. */
  mode: TraceMode | null;
  /** Part of the name of an event, a tool or a mode, in any case; empty: every name. */
  name: string;
}

export const NO_FILTER: TraceFilter = { mode: null, name: "" };

export const isFiltering = ({ mode, name }: TraceFilter): boolean => mode !== null || name.trim() !== "";

/** A call counts as notify, the mode of the two events that make it, and answers to its own name and theirs. */
export function passes(filter: TraceFilter, item: LeafItem): boolean {
  if (item.kind !== "tool") return passesEvent(filter, item);
  return passesNames(filter, "notify", [item.name, "tool_execution_start", "tool_execution_end"]);
}

function passesEvent(filter: TraceFilter, item: EventItem | RunItem): boolean {
  const { eventType, mode } = item.kind === "run" ? item : item.row;
  return passesNames(filter, mode, [eventType]);
}

function passesNames({ mode: only, name }: TraceFilter, mode: TraceMode, names: readonly string[]): boolean {
  if (only !== null && only !== mode) return false;
  const wanted = name.trim().toLowerCase();
  return wanted === "" || [mode, ...names].some((one) => one.toLowerCase().includes(wanted));
}

/** Kernel events of a turn that the filter leaves out. What only a fold hides is not among them. */
export function filteredEvents(turn: TraceTurn, filter: TraceFilter): number {
  return isFiltering(filter) ? turn.eventCount - shownEvents(turn.items, filter) : 0;
}

function shownEvents(items: readonly TraceItem[], filter: TraceFilter): number {
  let shown = 0;
  for (const item of items) {
    if (item.kind === "trip") shown += shownEvents(item.children, filter);
    else {
      if (passes(filter, item)) shown += ownEvents(item);
      if (item.kind === "tool") shown += shownEvents(item.children, filter);
    }
  }
  return shown;
}

/** Kernel events that an item stands for by itself, without those in it. */
function ownEvents(item: LeafItem): number {
  if (item.kind === "run") return item.count;
  if (item.kind === "event") return eventsIn(item.row);
  return (item.startRow === null ? 0 : 1) + (item.endRow === null ? 0 : 1);
}
