/**
 * One event on its way through the handlers: what went in, whom it passed in the order of asking, and what each did.
 * Pure. Whatever the recording does not say stays unsaid: a handler is called deaf only where the list of handlers was
 * recorded.
 */
import type { HandlerDecision, JsonObject, JsonValue, TraceMode, TraceRow } from "../../../../../shared/trace-events";
import { handlersOf, isObject, textOf } from "../event-facts";
import type { PlacedRow } from "../place-rows";

/**
 * stopped and changed: what it returned did that. nothing: looked, returned nothing. heard: it listens to an event that
 * takes no answer. unsaid: it listens, and what it returned was not recorded. deaf: it has no handler for the event.
 * unasked: the event was stopped before it.
 */
export type Outcome = "stopped" | "changed" | "nothing" | "heard" | "unsaid" | "deaf" | "unasked";

export interface Station {
  extension: string;
  outcome: Outcome;
  returned: JsonObject | null;
}

export interface Chain {
  row: TraceRow;
  /** What the wire shows of the event itself. */
  input: [name: string, value: JsonValue][];
  stations: Station[];
  /** The session's list of handlers was recorded: nobody is missing. */
  complete: boolean;
  stopped: boolean;
}

interface Listed {
  extension: string;
  listensTo: ReadonlySet<string>;
}

/** Which events are stepped through: all, those that a handler was asked about, or those of one mode. */
export type StepFilter = "all" | "asked" | TraceMode;

export function stepsOf(rows: readonly PlacedRow[], filter: StepFilter): PlacedRow[] {
  if (filter === "all") return [...rows];
  if (filter === "asked") return rows.filter(({ row }) => wasAsked(row));
  return rows.filter(({ row }) => row.mode === filter);
}

/** A handler was asked, and what it did was recorded. */
export const wasAsked = (row: TraceRow): boolean => (handlersOf(row) ?? []).length > 0;

/** The chain of one row; `rows` holds the start of its session, if anything does. */
export function chainOf(row: TraceRow, rows: readonly PlacedRow[]): Chain {
  const listed = listedBefore(row, rows);
  const stations = stationsOf(row, listed ?? []);
  const input = Object.entries(row.data).filter(([name]) => !["type", "handlers", "extensions"].includes(name));
  const stopped = stations.some(({ outcome }) => outcome === "stopped");
  return { row, input, stations, complete: listed !== null, stopped };
}

function stationsOf(row: TraceRow, listed: readonly Listed[]): Station[] {
  const decisions = handlersOf(row);
  const left = [...(decisions ?? [])];
  let stopped = false;
  const stations = listed.map(({ extension, listensTo }): Station => {
    const at = left.findIndex((decision) => decision.extension === extension);
    if (at >= 0) {
      const station = decided(left.splice(at, 1)[0]!);
      stopped ||= station.outcome === "stopped";
      return station;
    }
    const silent = (outcome: Outcome): Station => ({ extension, outcome, returned: null });
    if (!listensTo.has(row.eventType)) return silent("deaf");
    if (row.mode === "notify") return silent("heard");
    return silent(stopped ? "unasked" : "unsaid");
  });
  // Whoever answered without being on the list still answered.
  return [...stations, ...left.map(decided)];
}

function decided({ extension, returned }: HandlerDecision): Station {
  if (returned === null) return { extension, outcome: "nothing", returned };
  const stops = returned.block === true || returned.cancel === true;
  return { extension, outcome: stops ? "stopped" : "changed", returned };
}

/** Who was registered when the event came; null where no start of a session says so. */
function listedBefore(row: TraceRow, rows: readonly PlacedRow[]): Listed[] | null {
  const start = rows.findLast((placed) => placed.row.eventType === "session_start" && placed.row.seq <= row.seq);
  const list = start?.row.data.extensions;
  if (!Array.isArray(list)) return null;
  const listed: Listed[] = [];
  for (const entry of list) {
    if (!isObject(entry)) continue;
    const extension = textOf(entry, "extension");
    if (extension === null || !Array.isArray(entry.listensTo)) continue;
    listed.push({ extension, listensTo: new Set(entry.listensTo.filter((name) => typeof name === "string")) });
  }
  return listed;
}
