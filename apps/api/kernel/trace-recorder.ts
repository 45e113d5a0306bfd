/**
 * The only writer of a session's trace: sanitises, numbers and merges kernel events, publishes each row to the live
 * bus and hands rows to storage in batches; a batch that was refused waits and is sent again. Live and stored rows are
 * the same objects. Nothing here waits for storage or for a reader, and nothing throws into the kernel.
 */
import { TRACE_EVENTS, type TraceRow } from "../../../shared/trace-events";
import type { Limits } from "../../../shared/limits";
import type { Clock } from "./clock";
import type { KernelLog, KernelSink } from "./kernel-types";
import { MergeWindow } from "./merge-window";
import { type EventExtra, isTraceEvent, type KernelEvent, sanitiseEvent } from "./sanitise";
import type { LocalTraceBus } from "./trace-bus";

export interface TraceRecorderDeps {
  sessionId: string;
  /** First seq to give out. */
  nextSeq: number;
  clock: Clock;
  limits: Limits;
  bus: LocalTraceBus;
  sink: KernelSink;
  log: KernelLog;
}

export class TraceRecorder {
  private seq: number;
  private turnSeq: number | null = null;
  private unstored: TraceRow[] = [];
  private cancelFlush: (() => void) | undefined;
  private storing: Promise<void> = Promise.resolve();
  private isStoring = false;
  /** Since storage last took a batch. */
  private droppedRows = 0;
  /** Of the oldest batch, in a row. */
  private failures = 0;
  private readonly merge: MergeWindow;

  constructor(private readonly deps: TraceRecorderDeps) {
    this.seq = deps.nextSeq;
    this.merge = new MergeWindow(deps.clock, deps.limits.mergedRowsPerSecond, ({ event, mergedCount }) =>
      this.write(event, { mergedCount }),
    );
  }

  /** The seq that the next row will have, if nothing is waiting to be merged. */
  get nextSeq(): number {
    return this.seq;
  }

  /** Rows belong to this turn from now on. */
  beginTurn(turnSeq: number): void {
    this.merge.reset();
    this.turnSeq = turnSeq;
  }

  /** Rows belong to no turn from now on; what the turn left is on its way to storage. */
  endTurn(): void {
    this.merge.reset();
    this.turnSeq = null;
    this.flush();
  }

  record(event: KernelEvent, extra: EventExtra = {}): void {
    try {
      if (this.merge.take(event)) return;
      // The parts of a new message are new streams.
      if (event.type === "message_start") this.merge.reset();
      else this.merge.flush();
      this.write(event, extra);
    } catch (error) {
      this.deps.log.error("a trace event was lost", error, { eventType: event.type });
    }
  }

  /** Resolves when every row recorded before the call is stored, or storage has refused it now. Never rejects. */
  async drain(): Promise<void> {
    this.merge.flush();
    this.flush();
    await this.storing;
  }

  private write(event: KernelEvent, extra: EventExtra): void {
    const row: TraceRow = {
      seq: this.seq,
      turnSeq: this.turnSeq,
      eventType: event.type,
      mode: isTraceEvent(event.type) ? TRACE_EVENTS[event.type] : "notify",
      timestamp: new Date(this.deps.clock.now()).toISOString(),
      data: sanitiseEvent(event, extra),
    };
    this.seq += 1;
    this.deps.bus.publish(this.deps.sessionId, row);
    this.enqueue(row);
  }

  private enqueue(row: TraceRow): void {
    this.unstored.push(row);
    const { traceFlushRows, tracePendingRows } = this.deps.limits;
    if (this.unstored.length > tracePendingRows) {
      this.unstored.shift();
      this.droppedRows += 1;
      if (this.droppedRows === 1) this.deps.log.error("storage is behind: the oldest trace rows are dropped");
    }
    // Storage that has just refused is asked again by the timer alone, not by each row.
    if (this.unstored.length >= traceFlushRows && !this.isStoring && this.failures === 0) this.flush();
    else this.scheduleFlush();
  }

  /** One batch at a time: while one is being stored, rows collect for the next. */
  private flush(): void {
    this.cancelFlush?.();
    this.cancelFlush = undefined;
    if (!this.isStoring) this.storing = this.storeAll();
  }

  private async storeAll(): Promise<void> {
    const { sink, sessionId, limits, log } = this.deps;
    this.isStoring = true;
    while (this.unstored.length > 0) {
      const batch = this.unstored.splice(0, limits.traceFlushRows);
      if (this.droppedRows > 0) log.error("trace rows were dropped", undefined, { rows: this.droppedRows });
      this.droppedRows = 0;
      try {
        await sink.storeTraceRows(sessionId, batch);
        this.failures = 0;
      } catch (error) {
        this.failures += 1;
        if (this.failures === 1) log.error("trace rows could not be stored", error, { rows: batch.length });
        if (this.failures < limits.traceWriteAttempts) {
          // The batch may be sent again; until then it is the oldest of what waits.
          this.unstored.unshift(...batch);
          this.scheduleFlush();
          break;
        }
        log.error("trace rows were given up", undefined, { rows: batch.length });
        this.failures = 0;
      }
    }
    // In the same tick as the look that found nothing left: a row that comes now begins a storing of its own.
    this.isStoring = false;
  }

  private scheduleFlush(): void {
    this.cancelFlush ??= this.deps.clock.after(this.deps.limits.traceFlushMs, () => this.flush());
  }
}
