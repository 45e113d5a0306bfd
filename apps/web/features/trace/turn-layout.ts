/**
 * Lays out one turn: rows in seq order become the list that the timeline draws. Pure. Pairs are made by what the
 * kernel says (`turn_start`/`turn_end`, a tool call's id, request/response), never by distance in time; what misses its
 * other half stays open and gets no duration. A place on the axis is never before the turn began; a duration is that of
 * the recorded times, wherever they lie.
 */
import type { TraceRow } from "../../../../shared/trace-events";
import { blockerOf, eventsIn, handlersOf, isKnownEvent, isStreaming, phaseOf, textOf, timeOf } from "./event-facts";
import type { EventItem, LeafItem, RunItem, ToolItem, TraceItem, TripItem } from "./trace-model";

/** Events that cannot happen inside a round trip: one that is still open has lost its `turn_end`. */
const AFTER_TRIPS = new Set(["agent_end", "agent_before_settle", "agent_settled", "agent_start", "input"]);
/** Events that name a tool call and are drawn under it. */
const TOOL_EVENTS = new Set(["tool_call", "tool_result", "tool_execution_update"]);
const REQUESTS = new Set(["before_provider_headers", "before_provider_request"]);

export interface TurnLayout {
  items: TraceItem[];
  startedAtMs: number;
  lastMs: number;
  durationMs: number | null;
  eventCount: number;
  roundTrips: number;
  toolCalls: number;
  blockedCount: number;
}

/** `rows`: one turn in seq order, at least one; or its later part, with the first row of all and the round trips before it. */
export function layoutTurn(
  rows: readonly TraceRow[],
  { first, roundTrips: tripsBefore } = { first: rows[0]!, roundTrips: 0 },
): TurnLayout {
  const startedAtMs = timeOf(first);
  const items: TraceItem[] = [];
  /** The latest call of each id. */
  const tools = new Map<string, ToolItem>();
  /** Calls that another one of the same id began beside: whose end is whose cannot be told. */
  const unclear = new Set<ToolItem>();
  let trip: TripItem | null = null;
  let tripRow: TraceRow | null = null;
  let roundTrips = tripsBefore;
  let toolCalls = 0;
  let lastMs = 0;
  let eventCount = 0;
  let blockedCount = 0;
  let durationMs: number | null = null;
  /** The request that no response has answered yet. */
  let asked: EventItem | null = null;
  /** Runs that may still take rows: those since the last event that was no streaming one. */
  let growing: RunItem[] = [];

  const atMs = (row: TraceRow) => Math.max(0, timeOf(row) - startedAtMs);
  const place = (item: LeafItem) => (trip === null ? items.push(item) : trip.children.push(item));
  const depth = () => (trip === null ? 0 : 1);
  /** Ends the wait for the model: the time it was asked, once; null when its distance to the answer cannot be told. */
  const answered = (row: TraceRow): number | null => {
    if (asked === null) return null;
    const { row: from, atMs: fromMs } = asked;
    asked.waiting = false;
    asked = null;
    return timeOf(from) >= startedAtMs && timeOf(from) <= timeOf(row) ? fromMs : null;
  };
  const beginCall = (row: TraceRow, id: string, at: number): ToolItem => {
    const tool = newTool(row, id, tools.has(id), at, depth());
    tools.set(id, tool);
    toolCalls += 1;
    place(tool);
    return tool;
  };

  for (const row of rows) {
    const at = atMs(row);
    const count = eventsIn(row);
    const id = textOf(row.data, "toolCallId");
    lastMs = Math.max(lastMs, at);
    eventCount += count;

    if (row.eventType === "turn_start" || AFTER_TRIPS.has(row.eventType)) trip = null;
    if (row.eventType === "turn_start") {
      answered(row);
      roundTrips += 1;
      trip = newTrip(row, roundTrips, at);
      tripRow = row;
      items.push(trip);
    }
    const home: TripItem | null = trip;
    if (home !== null) home.eventCount += count;

    if (isStreaming(row)) {
      const tool = row.eventType === "tool_execution_update" && id !== null ? tools.get(id) : undefined;
      const phase = tool === undefined ? null : phaseOf(row);
      const run = tool === undefined ? growing.find(isOf(row)) : lastRun(tool, phase);
      if (run !== undefined) {
        run.rows.push(row);
        run.count += count;
        run.endMs = Math.max(run.endMs, at);
        run.durationMs = span(run.rows[0]!, row);
        continue;
      }
      const fresh = newRun(row, count, at, tool === undefined ? depth() : 2, phase);
      if (row.eventType === "message_update") fresh.waitedFromMs = answered(row);
      if (tool !== undefined) {
        tool.children.push(fresh);
      } else {
        growing.push(fresh);
        place(fresh);
      }
      continue;
    }

    growing = [];

    const known = id === null ? undefined : tools.get(id);
    if (row.eventType === "tool_execution_start" && id !== null) {
      // An id that is free again means another call.
      if (known === undefined || known.endRow !== null) {
        beginCall(row, id, at);
        continue;
      }
      unclear.add(known);
    }
    if (row.eventType === "tool_execution_end" && id !== null && (known === undefined || known.endRow === null)) {
      const tool = known ?? beginCall(row, id, at);
      if (known === undefined) tool.startRow = null;
      tool.endRow = row;
      tool.endMs = Math.max(tool.startMs, at);
      tool.durationMs = tool.startRow === null || unclear.has(tool) ? null : span(tool.startRow, row);
      tool.failed = row.data.isError === true;
      continue;
    }

    const event = newEvent(row, at, depth());
    if (event.blockedBy !== null) blockedCount += 1;
    if (row.eventType === "after_provider_response") event.waitedFromMs = answered(row);
    if (REQUESTS.has(row.eventType)) {
      if (asked !== null) asked.waiting = false;
      event.waiting = true;
      asked = event;
    }
    const tool = id !== null && TOOL_EVENTS.has(row.eventType) ? tools.get(id) : undefined;
    if (tool !== undefined) {
      event.depth = 2;
      tool.blockedBy ??= event.blockedBy;
      tool.children.push(event);
    } else {
      place(event);
    }

    if (row.eventType === "turn_end" && home !== null) {
      home.endMs = Math.max(home.startMs, at);
      home.durationMs = span(tripRow!, row);
      trip = null;
    }
    if (row.eventType === "agent_settled") durationMs = span(first, row);
    // A request that is still open when its round trip or the agent ends was given up.
    if (row.eventType === "turn_end" || row.eventType === "agent_end") answered(row);
  }

  for (const run of growing) run.open = true;
  return {
    items,
    startedAtMs,
    lastMs,
    durationMs,
    eventCount,
    roundTrips,
    toolCalls,
    blockedCount,
  };
}

/** Time between the two events of a pair; null when the clock stepped back between them. */
const span = (from: TraceRow, to: TraceRow): number | null =>
  timeOf(to) >= timeOf(from) ? timeOf(to) - timeOf(from) : null;

const isOf = (row: TraceRow) => (run: RunItem) => run.eventType === row.eventType;

/** The call's run of updates, as long as nothing else has happened in the call and it is in the same phase. */
function lastRun(tool: ToolItem, phase: string | null): RunItem | undefined {
  const last = tool.children.at(-1);
  return last?.kind === "run" && last.phase === phase ? last : undefined;
}

function newTrip(row: TraceRow, number: number, at: number): TripItem {
  return {
    kind: "trip",
    key: `trip-${row.seq}`,
    number,
    startMs: at,
    endMs: null,
    durationMs: null,
    eventCount: 0,
    children: [],
  };
}

function newRun(row: TraceRow, count: number, at: number, depth: 0 | 1 | 2, phase: string | null): RunItem {
  const { eventType, mode } = row;
  const key = `run-${row.seq}`;
  return {
    kind: "run",
    key,
    depth,
    eventType,
    mode,
    rows: [row],
    count,
    startMs: at,
    endMs: at,
    durationMs: null,
    waitedFromMs: null,
    phase,
    open: false,
  };
}

/** `again`: an earlier call of the turn had the same id. */
function newTool(row: TraceRow, toolCallId: string, again: boolean, at: number, depth: 0 | 1): ToolItem {
  return {
    kind: "tool",
    key: again ? `again-${row.seq}` : `tool-${toolCallId}`,
    depth,
    toolCallId,
    name: textOf(row.data, "toolName") ?? "tool",
    argsPreview: textOf(row.data, "argsPreview"),
    startRow: row,
    endRow: null,
    startMs: at,
    endMs: null,
    durationMs: null,
    failed: false,
    blockedBy: null,
    children: [],
  };
}

function newEvent(row: TraceRow, at: number, depth: 0 | 1): EventItem {
  const handlers = handlersOf(row);
  return {
    kind: "event",
    key: `event-${row.seq}`,
    depth,
    row,
    atMs: at,
    waitedFromMs: null,
    waiting: false,
    handlers,
    blockedBy: blockerOf(handlers),
    unknown: !isKnownEvent(row.eventType),
  };
}
