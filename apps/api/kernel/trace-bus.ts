/**
 * The live side of the trace: rows of each session, handed on as they are made and kept for a while. A listener that
 * throws hurts neither the turn nor the other listeners. One process holds it; past one machine, another
 * implementation stands behind the same interface (architecture §12).
 */
import type { TraceRow } from "../../../shared/trace-events";
import type { KernelLog, TraceBus } from "./kernel-types";

type Listener = (row: TraceRow) => void;

export class LocalTraceBus implements TraceBus {
  private readonly rows = new Map<string, TraceRow[]>();
  private readonly listeners = new Map<string, Set<Listener>>();

  constructor(
    private readonly rowsPerSession: number,
    private readonly log: KernelLog,
  ) {}

  publish(sessionId: string, row: TraceRow): void {
    const rows = this.rows.get(sessionId) ?? [];
    this.rows.set(sessionId, rows);
    rows.push(row);
    // Half as much again before the old go, so that dropping is not work for each row.
    if (rows.length > 1.5 * this.rowsPerSession) rows.splice(0, rows.length - this.rowsPerSession);
    for (const listener of [...(this.listeners.get(sessionId) ?? [])]) {
      this.deliver(listener, row);
    }
  }

  subscribe(sessionId: string, onRow: Listener): () => void {
    const listeners = this.listeners.get(sessionId) ?? new Set();
    this.listeners.set(sessionId, listeners.add(onRow));
    return () => {
      listeners.delete(onRow);
      if (listeners.size === 0 && this.listeners.get(sessionId) === listeners) this.listeners.delete(sessionId);
    };
  }

  recent(sessionId: string): readonly TraceRow[] {
    return (this.rows.get(sessionId) ?? []).slice(-this.rowsPerSession);
  }

  /** A listener that turns out to be asynchronous may fail later; unhandled, that would end the process. */
  private deliver(listener: Listener, row: TraceRow): void {
    const onFailure = (error: unknown) => this.log.error("a trace listener failed", error);
    try {
      const result: unknown = listener(row);
      if (result instanceof Promise) result.catch(onFailure);
    } catch (error) {
      onFailure(error);
    }
  }

  /** Drops a session's rows; its listeners stay. Called once the rows are stored, when the session leaves memory. */
  forget(sessionId: string): void {
    this.rows.delete(sessionId);
  }
}
