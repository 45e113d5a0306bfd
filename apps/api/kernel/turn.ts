/**
 * One turn from the visitor's message to its closing frame (§4.3). It belongs to the server: readers come and go.
 * Whatever happens (a failed model, a hanging tool, a full limit, a stop, a lost database) it ends with exactly one
 * closing frame, its reply stored before that frame is sent and its slot free by then.
 */
import type { Outcome } from "../../../shared/contracts/agent";
import { TURN_ERRORS, type TurnErrorCode } from "../../../shared/errors";
import type { Limits } from "../../../shared/limits";
import type { AskFrame, TurnTotals } from "../../../shared/sse";
import type { Clock } from "./clock";
import type { KernelLog, KernelSink, RunningTurn } from "./kernel-types";
import type { KernelEvent } from "./sanitise";
import type { KernelSession } from "./session-build";
import { type StopReason, TurnRecord } from "./turn-record";

/** Why a turn was ended from outside the model's loop; the first reason stays. */
type EndReason = "cancelled" | "limit" | "shutdown";
export interface TurnResult {
  outcome: Outcome;
  errorCode?: TurnErrorCode;
}

export interface TurnDeps {
  sessionId: string;
  turnSeq: number;
  prompt: string;
  session: KernelSession;
  /** Token total of the session as far as this process knows; used when storing fails. */
  knownTotalTokens: number;
  /** Frees the slot. `hung`: the session did not stop when asked and must not be used again. */
  onClosed(end: { totalTokens: number; outcome: Outcome; hung: boolean }): void;
  sink: KernelSink;
  clock: Clock;
  limits: Limits;
  log: KernelLog;
}

export class Turn implements RunningTurn {
  readonly turnSeq: number;
  readonly ended: Promise<TurnResult>;
  private readonly record: TurnRecord;
  private endReason: EndReason | undefined;
  private readonly hung = Promise.withResolvers<"hung">();

  /** Starts the turn. */
  constructor(private readonly deps: TurnDeps) {
    this.turnSeq = deps.turnSeq;
    this.record = new TurnRecord(deps);
    this.ended = this.run();
  }

  frames(after: number, signal?: AbortSignal): AsyncIterable<AskFrame> {
    return this.record.frames(after, signal);
  }

  async cancel(): Promise<void> {
    this.end("cancelled");
    await this.ended;
  }

  async interrupt(): Promise<void> {
    this.end("shutdown");
    await this.ended;
  }

  private async run(): Promise<TurnResult> {
    const { session, clock, limits, log } = this.deps;
    const cancelTotal = clock.after(limits.turnTotalMs, () => this.end("limit"));
    session.recorder.beginTurn(this.turnSeq);
    session.listener = { observe: (event) => this.observe(event), onLimit: () => this.end("limit") };
    let threw = false;
    const finished = await Promise.race([
      session.prompt(this.deps.prompt).catch((error: unknown) => {
        threw = true;
        log.error("the kernel refused a turn", error);
      }),
      this.hung.promise,
    ]);
    cancelTotal();
    session.listener = undefined;
    session.recorder.endTurn();
    this.record.finish();
    return this.close(outcomeOf(this.endReason, threw, this.record.lastStopReason), finished === "hung");
  }

  private observe(event: KernelEvent): void {
    this.record.observe(event);
    if (this.record.isFull) this.end("limit");
    // A stop asked for before pi's run had begun is lost on pi; it is asked for again here.
    if (event.type === "turn_start" && this.endReason) this.abortSession();
  }

  private end(reason: EndReason): void {
    if (this.endReason) return;
    this.endReason = reason;
    this.abortSession();
    this.deps.clock.after(this.deps.limits.abortGraceMs, () => this.hung.resolve("hung"));
  }

  private abortSession(): void {
    this.deps.session.abort().catch((error: unknown) => this.deps.log.error("a turn could not be aborted", error));
  }

  private async close(result: TurnResult, hung: boolean): Promise<TurnResult> {
    const { session, onClosed } = this.deps;
    const ctxPercent = session.contextPercent();
    const turnMs = this.record.turnMs;
    const totalTokens = await this.store(result.outcome, turnMs);
    const stored = totalTokens !== undefined;
    const final: TurnResult = stored ? result : { outcome: "failed", errorCode: "not_stored" };
    const totals: TurnTotals = {
      modelRoundTrips: this.record.modelRoundTrips,
      turnMs,
      totalTokens: totalTokens ?? this.deps.knownTotalTokens + this.record.usage.totalTokens,
      ...(ctxPercent === undefined ? {} : { ctxPercent }),
    };
    // The slot first: whoever reads the closing frame may ask again at once.
    onClosed({ totalTokens: totals.totalTokens, outcome: result.outcome, hung });
    this.sendClosingFrame(final, totals);
    return final;
  }

  private sendClosingFrame({ outcome, errorCode }: TurnResult, totals: TurnTotals): void {
    if (outcome === "completed" || outcome === "stopped") {
      this.record.close("done", { sessionId: this.deps.sessionId, outcome, ...totals });
    } else {
      const code = errorCode ?? "model_failed";
      this.record.close("error", { code, message: TURN_ERRORS[code], outcome, ...totals });
    }
  }

  /** The session's new token total, or undefined when the reply could not be stored. */
  private async store(outcome: Outcome, turnMs: number): Promise<number | undefined> {
    const { sink, sessionId, limits, clock, log } = this.deps;
    const turn = {
      turnSeq: this.turnSeq,
      content: this.record.content,
      outcome,
      modelRoundTrips: this.record.modelRoundTrips,
      turnMs,
      toolCalls: this.record.toolCalls(),
      usage: { ...this.record.usage },
    };
    for (let attempt = 1, waitMs = limits.assistantWriteBackoffMs; ; attempt += 1, waitMs *= 4) {
      try {
        return (await sink.storeTurn(sessionId, turn)).totalTokens;
      } catch (error) {
        log.error("a reply could not be stored", error, { attempt });
        if (attempt >= limits.assistantWriteAttempts) return undefined;
        await new Promise<void>((resume) => clock.after(waitMs, resume));
      }
    }
  }
}

/**
 * How a turn ended (architecture §14). A provider's failure is in the last message's stop reason; pi's prompt resolves
 * all the same.
 */
export function outcomeOf(
  endReason: EndReason | undefined,
  threw: boolean,
  stopReason: StopReason | undefined,
): TurnResult {
  if (endReason === "cancelled") return { outcome: "stopped" };
  if (endReason) return { outcome: "interrupted", errorCode: "interrupted" };
  if (threw || stopReason === undefined || stopReason === "error" || stopReason === "aborted") {
    return { outcome: "failed", errorCode: "model_failed" };
  }
  return { outcome: "completed" };
}
