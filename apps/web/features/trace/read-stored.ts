/** The recorded events of one session as they are stored, read once, for a page that only looks back. */
import type { TraceRow } from "../../../../shared/trace-events";
import { readRow } from "./event-facts";
import { followTrace } from "./follow-trace";
import { randomId, waitFor } from "./use-trace";

/** In seq order, at most what one replay holds. Null when they cannot be read before the signal fires. */
export async function readStoredTrace(sessionId: string, signal: AbortSignal): Promise<TraceRow[] | null> {
  const rows: TraceRow[] = [];
  const done = new AbortController();
  let isWhole = false;
  await followTrace(
    {
      sessionId,
      // A name of its own: the panel of the same tab keeps its connection.
      clientId: randomId(),
      lastSeq: () => rows.at(-1)?.seq ?? -1,
      onRow: (value) => {
        const row = readRow(value);
        if (row !== null) rows.push(row);
      },
      onConnection: (connection) => {
        if (connection !== "live") return;
        isWhole = true;
        done.abort();
      },
      fetch: (url, init) => fetch(url, init),
      wait: waitFor,
    },
    AbortSignal.any([signal, done.signal]),
  );
  return isWhole ? rows : null;
}
