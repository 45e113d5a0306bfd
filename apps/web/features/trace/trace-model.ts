/**
 * The shapes of the trace as it is drawn. Times are milliseconds from the first event of the turn and never negative;
 * a duration exists only where two events make a pair, otherwise it is null.
 */
import type { HandlerDecision, TraceMode, TraceRow } from "../../../../shared/trace-events";

/** One event: a tick without a duration. */
export interface EventItem {
  kind: "event";
  key: string;
  /** 0 outside a round trip, 1 inside one, 2 inside a tool call. */
  depth: 0 | 1 | 2;
  row: TraceRow;
  atMs: number;
  /** The model was asked and answered with this event: when it was asked. */
  waitedFromMs: number | null;
  /** The model was asked by this event and has not answered yet. */
  waiting: boolean;
  /** Who returned what; null when the wire carries no handlers. */
  handlers: HandlerDecision[] | null;
  /** The extension that stopped it. */
  blockedBy: string | null;
  /** The name is not in this page's vocabulary. */
  unknown: boolean;
}

/** Events of one streaming type, of a call also of one phase, merged: a bar from the first to the last. */
export interface RunItem {
  kind: "run";
  key: string;
  depth: 0 | 1 | 2;
  eventType: string;
  mode: TraceMode;
  rows: TraceRow[];
  /** Kernel events, the merged ones included. */
  count: number;
  startMs: number;
  /** Equal to `startMs` for a single row. */
  endMs: number;
  durationMs: number | null;
  waitedFromMs: number | null;
  /** Updates of a call: the phase it said it is in, a key without a language; null for any other progress. */
  phase: string | null;
  /** Nothing but its own kind has followed: it may still grow. */
  open: boolean;
}

/** One tool call, from its start to its end, with the events that name its id. */
export interface ToolItem {
  kind: "tool";
  key: string;
  depth: 0 | 1;
  toolCallId: string;
  name: string;
  argsPreview: string | null;
  /** The events of the pair; the start is absent when the trace began in the middle of the call. */
  startRow: TraceRow | null;
  endRow: TraceRow | null;
  startMs: number;
  endMs: number | null;
  durationMs: number | null;
  failed: boolean;
  blockedBy: string | null;
  children: Array<EventItem | RunItem>;
}

/** One model round trip: everything from a `turn_start` to its `turn_end`. */
export interface TripItem {
  kind: "trip";
  key: string;
  /** 1, 2, 3 … within the turn. */
  number: number;
  startMs: number;
  endMs: number | null;
  durationMs: number | null;
  /** Kernel events in it, the merged ones included. */
  eventCount: number;
  children: Array<EventItem | RunItem | ToolItem>;
}

export type LeafItem = EventItem | RunItem | ToolItem;
export type TraceItem = LeafItem | TripItem;

/** All that one visitor message set in motion, or, with `turnSeq` null, what happened outside any turn. */
export interface TraceTurn {
  turnSeq: number | null;
  /** What the page calls it: 1 for the first message of the session. Null outside any turn. */
  number: number | null;
  /** In `seq` order, each seq once. */
  rows: TraceRow[];
  items: TraceItem[];
  /** Unix time of the first event; every other time of the turn counts from here. */
  startedAtMs: number;
  /** Latest time any event of the turn has. */
  lastMs: number;
  /** First event to `agent_settled`; null until that pair is complete. */
  durationMs: number | null;
  eventCount: number;
  roundTrips: number;
  toolCalls: number;
  blockedCount: number;
}

/** How the page stands to the trace stream. `failed` and `superseded` do not come back by themselves. */
export type TraceConnection = "idle" | "connecting" | "live" | "reconnecting" | "superseded" | "failed";

/** Everything a panel needs to draw one session's trace. */
export interface TraceView {
  turns: TraceTurn[];
  connection: TraceConnection;
  /** Highest seq seen; -1 before the first event. */
  lastSeq: number;
  /** Numbers up to `lastSeq` that no row has: not recorded, not delivered, or not to be read. */
  missingRows: number;
  /** Kernel events seen, the merged ones included. */
  eventCount: number;
  countsByMode: Record<TraceMode, number>;
  /** Of these, the events that a handler stopped, changed or did instead. */
  decidedByMode: Record<TraceMode, number>;
  /** Server clock minus page clock, as far as the events tell; null before the first event. */
  clockOffsetMs: number | null;
  /** Connects again after `superseded` or `failed`. */
  reconnect: () => void;
}
