/**
 * The sessions in memory (§0.2, §2.1): at most `activeSessions`, one turn at a time in each, the oldest idle one giving
 * way to a new one, the idle ones leaving after `sessionIdleMs`. A slot is taken and given back synchronously, so that
 * two requests in one tick cannot both have it.
 */
import type { Outcome } from "../../../shared/contracts/agent";
import type { Limits } from "../../../shared/limits";
import type { Clock } from "./clock";
import type { ClaimRefusal, KernelLog } from "./kernel-types";
import type { KernelSession } from "./session-build";
import type { Turn } from "./turn";

/** One session's place in the pool. Whoever claimed it may change it until it is released. */
export interface Slot {
  readonly sessionId: string;
  busy: boolean;
  lastUsedMs: number;
  session: KernelSession | undefined;
  turn: Turn | undefined;
  /** Of the session, as last stored. */
  totalTokens: number;
  /** How the turn before ended; undefined before the first in memory. */
  lastOutcome: Outcome | undefined;
}

export class SessionPool {
  private readonly slots = new Map<string, Slot>();
  /** Sessions on their way out; their seqs are not free before their rows are stored. */
  private readonly leaving = new Map<string, Promise<void>>();
  private coldStarts: Promise<unknown> = Promise.resolve();
  private cancelSweep: (() => void) | undefined;
  /** True from the beginning of a shutdown. */
  isClosed = false;

  constructor(
    private readonly clock: Clock,
    private readonly limits: Limits,
    private readonly log: KernelLog,
    /** Called when a session has left and its rows are stored. */
    private readonly onGone: (sessionId: string) => void,
  ) {
    this.scheduleSweep();
  }

  claim(sessionId: string): Slot | ClaimRefusal {
    if (this.isClosed) return "slots_full";
    const known = this.slots.get(sessionId);
    if (known?.busy) return "turn_running";
    if (known) {
      known.busy = true;
      return known;
    }
    if (this.slots.size >= this.limits.activeSessions && !this.evictOldestIdle()) return "slots_full";
    const slot: Slot = {
      sessionId,
      busy: true,
      lastUsedMs: this.clock.now(),
      session: undefined,
      turn: undefined,
      totalTokens: 0,
      lastOutcome: undefined,
    };
    this.slots.set(sessionId, slot);
    return slot;
  }

  get(sessionId: string): Slot | undefined {
    return this.slots.get(sessionId);
  }

  all(): readonly Slot[] {
    return [...this.slots.values()];
  }

  /** Gives a slot back. One without a session holds nothing and goes. */
  release(slot: Slot): void {
    slot.busy = false;
    slot.turn = undefined;
    slot.lastUsedMs = this.clock.now();
    if (!slot.session) this.slots.delete(slot.sessionId);
  }

  /** Takes the slot out at once and ends its session. Resolves when its rows are stored. */
  remove(slot: Slot): Promise<void> {
    if (this.slots.get(slot.sessionId) === slot) this.slots.delete(slot.sessionId);
    return this.endSession(slot);
  }

  /** Ends the slot's session, the slot staying as it is. Resolves when its rows are stored. */
  endSession(slot: Slot): Promise<void> {
    const { session, sessionId } = slot;
    if (!session) return this.whenGone(sessionId);
    slot.session = undefined;
    const gone = this.whenGone(sessionId)
      .then(() => session.dispose())
      .catch((error: unknown) => this.log.error("a session did not end cleanly", error))
      .then(() => {
        if (this.leaving.get(sessionId) !== gone) return;
        this.leaving.delete(sessionId);
        this.onGone(sessionId);
      });
    this.leaving.set(sessionId, gone);
    return gone;
  }

  /** Resolves when no earlier session of this id is still on its way out. */
  whenGone(sessionId: string): Promise<void> {
    return this.leaving.get(sessionId) ?? Promise.resolve();
  }

  /** Runs `build` alone: cold starts are made one after another. */
  coldStart<T>(build: () => Promise<T>): Promise<T> {
    const started = this.coldStarts.then(build);
    this.coldStarts = started.catch(() => {});
    return started;
  }

  /** Ends every session that has been idle for too long. */
  sweep(): void {
    const nowMs = this.clock.now();
    for (const slot of this.all()) {
      // A clock that was set back would make a session young for hours.
      slot.lastUsedMs = Math.min(slot.lastUsedMs, nowMs);
      if (!slot.busy && slot.lastUsedMs <= nowMs - this.limits.sessionIdleMs) void this.remove(slot);
    }
  }

  /** No slot is given out any more. Idle sessions end; busy ones are the caller's to end first. */
  async close(): Promise<void> {
    this.refuseClaims();
    this.cancelSweep?.();
    await Promise.all([...this.all().map((slot) => this.remove(slot)), ...this.leaving.values()]);
  }

  /** From the first call on no slot is given out. */
  refuseClaims(): void {
    this.isClosed = true;
  }

  private evictOldestIdle(): boolean {
    const idle = this.all().filter(({ busy }) => !busy);
    const oldest = idle.toSorted((a, b) => a.lastUsedMs - b.lastUsedMs)[0];
    if (!oldest) return false;
    void this.remove(oldest);
    return true;
  }

  private scheduleSweep(): void {
    this.cancelSweep = this.clock.after(this.limits.sessionSweepMs, () => {
      this.sweep();
      this.scheduleSweep();
    });
  }
}
