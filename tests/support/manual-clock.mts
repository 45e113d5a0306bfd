/** Time that stands still until a test moves it. Timers fire inside `advance`, in the order they are due. */
import type { Clock } from "../../apps/api/kernel/clock.ts";

export class ManualClock implements Clock {
  private timers: { dueMs: number; task: () => void }[] = [];

  constructor(private nowMs = Date.parse("2026-01-05T08:00:00.000Z")) {}

  now(): number {
    return this.nowMs;
  }

  after(ms: number, task: () => void): () => void {
    const timer = { dueMs: this.nowMs + ms, task };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((one) => one !== timer);
    };
  }

  advance(ms: number): void {
    const untilMs = this.nowMs + ms;
    for (;;) {
      const due = this.timers.filter(({ dueMs }) => dueMs <= untilMs).toSorted((a, b) => a.dueMs - b.dueMs)[0];
      if (!due) break;
      this.timers = this.timers.filter((one) => one !== due);
      this.nowMs = due.dueMs;
      due.task();
    }
    this.nowMs = Math.max(this.nowMs, untilMs);
  }

  /** Sets the wall clock, as an operator or a time server does: timers go on as they were. */
  jump(ms: number): void {
    this.nowMs += ms;
    for (const timer of this.timers) timer.dueMs += ms;
  }

  get waiting(): number {
    return this.timers.length;
  }
}
