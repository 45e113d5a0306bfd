/**
 * What a turn says to its visitor and leaves in storage, made from the same kernel events in one place (§4.2, §4.3):
 * ask frames as they happen, and the text, tool calls and usage that are stored. A preview is made once, so that it is
 * the same string live, in storage and in replay.
 */
import type { ToolCallView } from "../../../shared/contracts/agent";
import type { Limits } from "../../../shared/limits";
import type { AskFrame, AskFrames } from "../../../shared/sse";
import { previewText } from "../../../shared/text/preview";
import type { Clock } from "./clock";
import { FrameLog } from "./frame-log";
import type { TurnUsage } from "./kernel-types";
import { type KernelEvent, resultText } from "./sanitise";
import { TextJoiner } from "./text-joiner";

/** How the model's last message ended, in pi's words. */
export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted" | (string & {});

interface ToolCall extends ToolCallView {
  startedMs: number;
  open: boolean;
}

export interface TurnRecordDeps {
  sessionId: string;
  turnSeq: number;
  clock: Clock;
  limits: Limits;
}

export class TurnRecord {
  /** Of the last assistant message; undefined when there was none. */
  lastStopReason: StopReason | undefined;
  modelRoundTrips = 0;
  readonly usage: TurnUsage = { totalTokens: 0, costMicros: 0 };
  private readonly startedMs: number;
  private readonly log: FrameLog;
  private readonly parts: string[] = [];
  private textChars = 0;
  private readonly joiner = new TextJoiner();
  /** Text that waits for its frame; used only past `askDeltaFrames`. */
  private waiting = "";
  private readonly calls: ToolCall[] = [];

  constructor(private readonly deps: TurnRecordDeps) {
    this.startedMs = deps.clock.now();
    this.log = new FrameLog(deps.turnSeq);
    this.log.push("session", { sessionId: deps.sessionId });
  }

  get content(): string {
    return this.parts.join("");
  }

  get turnMs(): number {
    return Math.max(0, this.deps.clock.now() - this.startedMs);
  }

  /** True once the answer has reached `turnTextChars`; nothing is added past it. */
  get isFull(): boolean {
    return this.textChars >= this.deps.limits.turnTextChars;
  }

  frames(after: number, signal?: AbortSignal): AsyncIterable<AskFrame> {
    return this.log.read(after, signal);
  }

  observe(event: KernelEvent): void {
    switch (event.type) {
      case "message_update":
        this.onMessageUpdate(event.assistantMessageEvent as { type?: unknown; delta?: unknown });
        break;
      case "message_end":
        this.onMessageEnd(event.message as Record<string, unknown>);
        break;
      case "tool_execution_start":
        this.onToolStart(event);
        break;
      case "tool_execution_end":
        this.onToolEnd(event);
        break;
    }
  }

  /** Ends what is still open: held-back text, and tool calls without a result, as failed ones (§4.3). */
  finish(): void {
    this.addText(this.joiner.end());
    for (const call of this.calls) if (call.open) this.endCall(call, "", true, undefined);
    this.sendWaiting();
  }

  /** Calls in the order of their start, as stored. */
  toolCalls(): ToolCallView[] {
    return this.calls.map(({ startedMs, open, ...view }) => view);
  }

  close<K extends "done" | "error">(event: K, data: AskFrames[K]): void {
    this.log.push(event, data);
  }

  private onMessageUpdate(part: { type?: unknown; delta?: unknown }): void {
    if (part.type === "text_delta" && typeof part.delta === "string") this.addText(this.joiner.add(part.delta));
  }

  private onMessageEnd(message: Record<string, unknown>): void {
    if (message.role !== "assistant") return;
    this.addText(this.joiner.end());
    this.sendWaiting();
    this.lastStopReason = message.stopReason as StopReason;
    const isEmptyAbort = message.stopReason === "aborted" && (message.content as unknown[] | undefined)?.length === 0;
    if (!isEmptyAbort) this.modelRoundTrips += 1;
    const usage = message.usage as { totalTokens?: unknown; cost?: { total?: unknown } } | undefined;
    const { turnTokens, turnCostMicros } = this.deps.limits;
    const tokens = Math.round(finite(usage?.totalTokens));
    const micros = Math.round(finite(usage?.cost?.total) * 1_000_000);
    this.usage.totalTokens = Math.min(this.usage.totalTokens + tokens, turnTokens);
    this.usage.costMicros = Math.min(this.usage.costMicros + micros, turnCostMicros);
  }

  private addText(text: string): void {
    const fitting = text.slice(0, this.deps.limits.turnTextChars - this.textChars);
    if (fitting === "") return;
    this.parts.push(fitting);
    this.textChars += fitting.length;
    this.waiting += fitting;
    // A very long answer gets larger frames, so that a turn's memory stays bounded.
    const { askDeltaFrames, askJoinedDeltaChars } = this.deps.limits;
    if (this.log.length < askDeltaFrames || this.waiting.length >= askJoinedDeltaChars) this.sendWaiting();
  }

  private sendWaiting(): void {
    if (this.waiting !== "") this.log.push("delta", { text: this.waiting });
    this.waiting = "";
  }

  private onToolStart(event: KernelEvent): void {
    this.sendWaiting();
    const call: ToolCall = {
      toolCallId: String(event.toolCallId),
      name: previewText(String(event.toolName), { mark: "ask", chars: this.deps.limits.eventKeyChars }),
      at: this.textChars,
      inputPreview: previewText(event.args, { mark: "ask" }),
      resultPreview: "",
      isError: true,
      startedMs: this.deps.clock.now(),
      open: true,
    };
    this.calls.push(call);
    const { toolCallId, name, at, inputPreview } = call;
    this.log.push("tool_start", { toolCallId, name, at, inputPreview });
  }

  private onToolEnd(event: KernelEvent): void {
    const call = this.calls.find((one) => one.open && one.toolCallId === String(event.toolCallId));
    if (!call) return;
    const durationMs = Math.max(0, this.deps.clock.now() - call.startedMs);
    this.endCall(call, previewText(resultText(event.result), { mark: "ask" }), event.isError === true, durationMs);
  }

  /** Without a duration the call had no end of its own; the frame then carries the time until the turn closed. */
  private endCall(call: ToolCall, resultPreview: string, isError: boolean, durationMs: number | undefined): void {
    call.open = false;
    call.resultPreview = resultPreview;
    call.isError = isError;
    if (durationMs !== undefined) call.durationMs = durationMs;
    this.log.push("tool_end", {
      toolCallId: call.toolCallId,
      resultPreview,
      isError,
      durationMs: durationMs ?? Math.max(0, this.deps.clock.now() - call.startedMs),
    });
  }
}

/** Providers report usage as they like; only a finite, non-negative number is added (§8), and sums are bounded. */
function finite(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
