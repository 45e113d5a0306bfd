/**
 * The kernel as a face uses it (architecture §2.1): claim a session, run a turn in it, read its frames and its trace.
 * It knows nothing of HTTP, cookies or SQL, and reads no environment.
 */
import type { Provider } from "@earendil-works/pi-ai";
import type { Limits } from "../../../shared/limits";
import { type Clock, systemClock } from "./clock";
import { createDemoProvider } from "./demo-model";
import type { Claim, ClaimRefusal, Kernel, KernelLog, KernelSink, RunningTurn, TurnRequest } from "./kernel-types";
import { createModels, type Models } from "./model";
import { buildSession } from "./session-build";
import { SessionPool, type Slot } from "./session-pool";
import { LocalTraceBus } from "./trace-bus";
import { TraceRecorder } from "./trace-recorder";
import { Turn } from "./turn";

export interface KernelOptions {
  sink: KernelSink;
  log: KernelLog;
  limits: Limits;
  clock?: Clock;
  /** Answers for models of kind "demo"; a test puts its scripted one here. */
  demo?: Provider;
}

export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { limits, log, demo = createDemoProvider({ charsPerSecond: limits.demoCharsPerSecond }) } = options;
  return new LocalKernel({ clock: systemClock, ...options }, await createModels(limits, log, demo));
}

class LocalKernel implements Kernel {
  readonly traceBus: LocalTraceBus;
  private readonly pool: SessionPool;

  constructor(
    private readonly deps: KernelOptions & { clock: Clock },
    private readonly models: Models,
  ) {
    this.traceBus = new LocalTraceBus(deps.limits.traceBusRows, deps.log);
    this.pool = new SessionPool(deps.clock, deps.limits, deps.log, (sessionId) => this.traceBus.forget(sessionId));
  }

  claim(sessionId: string): Claim | ClaimRefusal {
    const slot = this.pool.claim(sessionId);
    if (typeof slot === "string") return slot;
    let held = true;
    const spend = () => {
      if (!held) throw new Error("the claim has been used");
      held = false;
    };
    return {
      run: async (request) => {
        spend();
        return this.run(slot, request);
      },
      release: async ({ dispose = false } = {}) => {
        spend();
        if (dispose) await this.pool.remove(slot);
        else this.pool.release(slot);
      },
    };
  }

  runningTurn(sessionId: string): RunningTurn | undefined {
    return this.pool.get(sessionId)?.turn;
  }

  isResident(sessionId: string): boolean {
    return this.pool.get(sessionId) !== undefined;
  }

  contextPercent(sessionId: string): number | undefined {
    return this.pool.get(sessionId)?.session?.contextPercent();
  }

  async drainTrace(sessionId: string): Promise<void> {
    await this.pool.whenGone(sessionId);
    await this.pool.get(sessionId)?.session?.recorder.drain();
  }

  stats() {
    const slots = this.pool.all();
    return {
      residentSessions: slots.filter(({ session }) => session).length,
      runningTurns: slots.filter(({ turn }) => turn).length,
    };
  }

  async shutdown(): Promise<void> {
    this.pool.refuseClaims();
    await Promise.all(this.pool.all().map(({ turn }) => turn?.interrupt()));
    await this.pool.close();
  }

  private async run(slot: Slot, request: TurnRequest): Promise<RunningTurn> {
    try {
      return this.startTurn(slot, request, await this.prepareSession(slot, request));
    } catch (error) {
      this.pool.release(slot);
      throw error;
    }
  }

  /** The session in memory, or a new one when there is none or its configuration has changed. */
  private async prepareSession(slot: Slot, request: TurnRequest) {
    if (slot.session && slot.session.fingerprint !== request.fingerprint) await this.pool.endSession(slot);
    // The blueprint says where seqs go on, so the rows of an earlier session must be stored before it is made.
    await this.pool.whenGone(slot.sessionId);
    slot.session ??= await this.pool.coldStart(() => this.build(slot.sessionId, request));
    if (this.pool.isClosed) {
      await this.pool.remove(slot);
      throw new Error("the kernel is shutting down");
    }
    return slot.session;
  }

  private async build(sessionId: string, request: TurnRequest) {
    const { clock, limits, sink, log } = this.deps;
    const blueprint = await request.blueprint();
    const recorder = new TraceRecorder({
      sessionId,
      nextSeq: blueprint.nextTraceSeq,
      clock,
      limits,
      bus: this.traceBus,
      sink,
      log,
    });
    return buildSession(blueprint, { sessionId, models: this.models, recorder, clock, limits, log });
  }

  private startTurn(slot: Slot, request: TurnRequest, session: NonNullable<Slot["session"]>): RunningTurn {
    const { sink, clock, limits, log } = this.deps;
    const turn = new Turn({
      sessionId: slot.sessionId,
      turnSeq: request.turnSeq,
      prompt: request.prompt,
      session,
      knownTotalTokens: slot.totalTokens,
      onClosed: ({ totalTokens, outcome, hung }) => {
        slot.totalTokens = totalTokens;
        // A transcript may hold what no request can carry, such as arguments nested without end. The next turn then
        // starts from the stored messages.
        const failsAgain = outcome === "failed" && slot.lastOutcome === "failed";
        slot.lastOutcome = outcome;
        if (hung || failsAgain) void this.pool.remove(slot);
        else this.pool.release(slot);
      },
      sink,
      clock,
      limits,
      log,
    });
    slot.turn = turn;
    return turn;
  }
}
