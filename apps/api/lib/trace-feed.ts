/**
 * The live trace of this process, between the service that owns the kernel and the one that shows it. Services do not
 * import each other, so the owner says here how to get the feed and the other asks for it. Where no kernel runs in the
 * process, the feed is silent and a trace shows what is stored.
 */
import type { TraceRow } from "../../../shared/trace-events";

export interface TraceFeed {
  /** Calls back for each new row of a session, synchronously and in order; returns the unsubscriber. */
  subscribe(sessionId: string, onRow: (row: TraceRow) => void): () => void;
  /** The newest rows still in memory, oldest first: they cover what is not stored yet. */
  recent(sessionId: string): readonly TraceRow[];
}

const SILENT: TraceFeed = { subscribe: () => () => {}, recent: () => [] };
let load = async () => SILENT;

/** Called once, while the owner's module loads; `loadFeed` may take as long as the kernel needs to start. */
export function provideTraceFeed(loadFeed: () => Promise<TraceFeed>): void {
  load = loadFeed;
}

export function traceFeed(): Promise<TraceFeed> {
  return load();
}
