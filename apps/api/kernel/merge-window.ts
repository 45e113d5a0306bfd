/**
 * Merging of the kernel's high-frequency events (architecture §6): of each streamed message part and each tool call at
 * most `mergedRowsPerSecond` rows are made, each with the number of events it stands for. The first event of a key
 * passes at once, so that a stream is seen to start when it starts, and what waits of an earlier part goes before it.
 */
import type { Clock } from "./clock";
import type { KernelEvent } from "./sanitise";

export interface MergedEvent {
  event: KernelEvent;
  mergedCount: number;
}

interface Pending {
  key: string;
  event: KernelEvent;
  deltas: string[];
  mergedCount: number;
}

/** The events that are merged, with what tells one stream of them from another. */
const MERGE_KEYS: Record<string, (event: KernelEvent) => string> = {
  message_update: (event) => String((event.assistantMessageEvent as StreamedPart | undefined)?.contentIndex),
  tool_execution_update: (event) => String(event.toolCallId),
  provider_stream_event: () => "",
};

interface StreamedPart {
  type?: unknown;
  contentIndex?: unknown;
  delta?: unknown;
}

export class MergeWindow {
  private readonly windowMs: number;
  /** When each key last made a row. */
  private readonly lastRowMs = new Map<string, number>();
  private readonly pending = new Map<string, Pending>();
  private cancelTimer: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    rowsPerSecond: number,
    private readonly emit: (merged: MergedEvent) => void,
  ) {
    this.windowMs = 1000 / rowsPerSecond;
  }

  /** Takes the event when it is one that is merged; false leaves it to the caller. */
  take(event: KernelEvent): boolean {
    const keyOf = MERGE_KEYS[event.type];
    if (!keyOf) return false;
    const key = `${event.type} ${keyOf(event)}`;
    const waiting = this.pending.get(key);
    if (waiting) {
      add(waiting, event);
      return true;
    }
    const fresh: Pending = { key, event, deltas: [], mergedCount: 0 };
    add(fresh, event);
    const lastRowMs = this.lastRowMs.get(key);
    if (lastRowMs === undefined) this.flush(event.type);
    const waitMs = lastRowMs === undefined ? 0 : this.waitMs(lastRowMs);
    if (waitMs === 0) this.release(fresh);
    else {
      this.pending.set(key, fresh);
      this.cancelTimer ??= this.clock.after(waitMs, () => this.onTimer());
    }
    return true;
  }

  /** Makes a row of whatever waits, oldest first: all of it, or that of one event type. Keeps rows in order. */
  flush(type?: string): void {
    for (const [key, waiting] of this.pending) {
      if (type !== undefined && waiting.event.type !== type) continue;
      this.pending.delete(key);
      this.release(waiting);
    }
  }

  /** Between turns no stream is running; the next one's first event passes at once again. */
  reset(): void {
    this.flush();
    this.lastRowMs.clear();
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }

  private onTimer(): void {
    this.cancelTimer = undefined;
    let nextWaitMs = Number.POSITIVE_INFINITY;
    for (const [key, waiting] of this.pending) {
      const waitMs = this.waitMs(this.lastRowMs.get(key) ?? 0);
      if (waitMs > 0) {
        nextWaitMs = Math.min(nextWaitMs, waitMs);
        continue;
      }
      this.pending.delete(key);
      this.release(waiting);
    }
    if (this.pending.size > 0) this.cancelTimer = this.clock.after(nextWaitMs, () => this.onTimer());
  }

  /** Until the window after a row is over; 0 also when the clock was set back meanwhile, which must not hold rows up. */
  private waitMs(lastRowMs: number): number {
    const passedMs = this.clock.now() - lastRowMs;
    return passedMs < 0 ? 0 : Math.max(0, this.windowMs - passedMs);
  }

  private release({ key, event, deltas, mergedCount }: Pending): void {
    this.lastRowMs.set(key, this.clock.now());
    this.emit({ event: withDeltas(event, deltas), mergedCount });
  }
}

/** Keeps no more of an event than its row will show: pi's updates hold the whole message, live. */
function add(pending: Pending, event: KernelEvent): void {
  pending.mergedCount += 1;
  if (event.type === "message_update") {
    const part = event.assistantMessageEvent as StreamedPart | undefined;
    if (typeof part?.delta === "string") pending.deltas.push(part.delta);
    const isDelta = typeof part?.delta === "string" || pending.deltas.length === 0;
    const { type, contentIndex } = isDelta ? (part ?? {}) : (pending.event.assistantMessageEvent as StreamedPart);
    pending.event = { type: event.type, assistantMessageEvent: { type, contentIndex } };
  } else if (event.type === "tool_execution_update") {
    const { type, toolCallId, toolName, partialResult } = event;
    pending.event = { type, toolCallId, toolName, partialResult };
  } else {
    pending.event = { type: event.type };
  }
}

function withDeltas(event: KernelEvent, deltas: readonly string[]): KernelEvent {
  if (deltas.length === 0) return event;
  return {
    ...event,
    assistantMessageEvent: { ...(event.assistantMessageEvent as StreamedPart), delta: deltas.join("") },
  };
}
