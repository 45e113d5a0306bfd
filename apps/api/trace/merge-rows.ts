/** Joins the stored rows of a session with those still in memory into one list. */
import type { TraceRow } from "../../../shared/trace-events";

/** Both lists ascend by seq and may overlap. The result ascends, holds each seq once, and keeps the latest `limit`. */
export function mergeBySeq(stored: readonly TraceRow[], recent: readonly TraceRow[], limit: number): TraceRow[] {
  const bySeq = new Map<number, TraceRow>();
  for (const row of stored) bySeq.set(row.seq, row);
  for (const row of recent) bySeq.set(row.seq, row);
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq).slice(-limit);
}
