/**
 * The live trace of this process, between the service that owns the kernel and the one that shows it. Services do not
 * import each other, so the owner puts the feed here and the other takes it. Where no kernel runs in the process, the
 * feed is silent and a trace shows what is stored.
 */
import type { TraceRow } from "../../../shared/trace-events";

export interface TraceFeed {
  /** Calls back for each new row of a session, synchronously and in order; returns the unsubscriber. */
  subscribe(sessionId: string, onRow: (row: TraceRow) => void): () => void;
  /** The newest rows still in memory, oldest first: they cover what is not stored yet. */
  recent(sessionId: string): readonly TraceRow[];
}

const SILENT: TraceFeed = { subscribe: () => () => {}, recent: () => [] };
let current = SILENT;

export function provideTraceFeed(feed: TraceFeed): void {
  current = feed;
}

export function traceFeed(): TraceFeed {
  return current;
}
