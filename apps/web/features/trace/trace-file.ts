/**
 * A session's events as a file of the visitor's own: the rows that came over the wire, as they came, and nothing more.
 * `docs/trace-events.md` describes it.
 */
import type { TraceRow } from "../../../../shared/trace-events";
import { asSent } from "./event-facts";

export const TRACE_FILE_FORMAT = "agent-x-ray-trace";
export const TRACE_FILE_VERSION = 1;

/** `rows` in seq order. `isFromStart` is false when the beginning lies before what one replay holds. */
export function traceFileText(rows: readonly TraceRow[], exportedAt: Date): string {
  const head = {
    format: TRACE_FILE_FORMAT,
    version: TRACE_FILE_VERSION,
    exportedAt: exportedAt.toISOString(),
    isFromStart: rows.length === 0 || rows[0]!.seq === 0,
  };
  // One row a line: a file that can be searched and compared with ordinary tools.
  const lines = rows.map((row) => `    ${JSON.stringify(asSent(row))}`).join(",\n");
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "rows": [${lines === "" ? "" : `\n${lines}\n  `}]\n}\n`;
}
