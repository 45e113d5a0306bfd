/**
 * The seam between the kernel and a face (architecture §2.1): what a face hands in to run turns, and what it gets
 * back. The kernel knows nothing of HTTP, cookies or SQL; whoever speaks, which tools exist and where events go is
 * decided by the face that calls it.
 */
import type { TSchema } from "typebox";
import type { Outcome, ToolCallView } from "../../../shared/contracts/agent";
import type { TurnErrorCode } from "../../../shared/errors";
import type { ManifestSkill } from "../../../shared/skill-manifest";
import type { AskFrame } from "../../../shared/sse";
import type { JsonObject, TraceRow } from "../../../shared/trace-events";

/** Which process a turn's model calls go to. Secrets live here and nowhere else in the kernel. */
export type ModelSource =
  | { kind: "demo" }
  | {
      kind: "provider";
      /** Row name; never leaves the server. */
      provider: string;
      /** Wire protocol, a name pi knows: `openai-completions`, … */
      api: string;
      baseUrl: string;
      apiKey: string;
      modelId: string;
      contextWindow: number;
      maxOutput: number;
      /** Micro-USD per million tokens; 0 when the row gives no price. */
      price: { input: number; output: number; cacheRead: number; cacheWrite: number };
    };

export type ToolGroup = "pure" | "outbound" | "session" | "sandbox";

/**
 * A tool, built for one session: whatever it may touch is bound in its closure. It throws to fail. The words of a
 * `ToolFailure` reach the model and the public stream; of any other throw they see one generic sentence, and the cause
 * goes to the log.
 */
export interface KernelTool {
  /** `^[a-z][a-z0-9_]{0,63}$` */
  name: string;
  label: string;
  description: string;
  group: ToolGroup;
  parameters: TSchema;
  /** How long one call may take, where the usual limit does not fit it. */
  timeoutMs?: number;
  execute(params: Record<string, unknown>, call: ToolCallContext): Promise<ToolOutcome>;
}
/** A failure in the tool's own words: one fixed sentence, with nothing in it that a visitor may not read. */
export class ToolFailure extends Error {
  override name = "ToolFailure";
}
export interface ToolCallContext {
  toolCallId: string;
  signal: AbortSignal;
  /** Reports a phase: language-neutral key, no host, model or path. */
  onPhase(phase: string): void;
}
export interface ToolOutcome {
  text: string;
  /** Structured side data; leaves through the trace, so no provider, model, host or key. */
  details?: JsonObject;
}

/** One earlier message of the session, oldest first. */
export interface HistoryMessage {
  role: "user" | "assistant";
  content: string;
}

/** All a session is built from. Two blueprints with the same fingerprint build the same session. */
export interface SessionBlueprint {
  fingerprint: string;
  model: ModelSource;
  systemPrompt: string;
  tools: readonly KernelTool[];
  /** Absent: the session knows of no skill. */
  skills?: SessionSkills;
  history: readonly HistoryMessage[];
  /** First free trace seq of the session in the store. */
  nextTraceSeq: number;
}

/** The skills that a session may use: listed to the model, and the measure of its calls. */
export interface SessionSkills {
  skills: readonly ManifestSkill[];
  /** Whether their scripts run in this session; otherwise skills are only read. */
  canRun: boolean;
  /** Runs that the session has had before it was built. */
  earlierRuns: number;
}

/** What a turn leaves behind; handed to the sink before the closing frame is sent. */
export interface StoredTurn {
  /** The visitor message's seq; the assistant message is written at `turnSeq + 1`. */
  turnSeq: number;
  content: string;
  outcome: Outcome;
  modelRoundTrips: number;
  turnMs: number;
  /** Empty when the turn called no tool. */
  toolCalls: readonly ToolCallView[];
  usage: TurnUsage;
}
/** Sums over the turn's assistant messages; only finite numbers are added (§8). */
export interface TurnUsage {
  totalTokens: number;
  costMicros: number;
}

/** Where a session's results go. The face implements it over its stores; the kernel never waits for a reader. */
export interface KernelSink {
  /** Stores sanitised rows in seq order. Rejecting loses them from storage only; the live view keeps them. */
  storeTraceRows(sessionId: string, rows: readonly TraceRow[]): Promise<void>;
  /** Stores the assistant message idempotently at a fixed seq and returns the session's new token total. */
  storeTurn(sessionId: string, turn: StoredTurn): Promise<{ totalTokens: number }>;
}

/** One log line: a fixed message and facts that may be logged. Never visitor text, keys or raw errors. */
export interface KernelLog {
  info(message: string, facts?: Record<string, unknown>): void;
  /** `cause` is reduced to a redacted message by the implementation. */
  error(message: string, cause?: unknown, facts?: Record<string, unknown>): void;
}

export type ClaimRefusal = "turn_running" | "slots_full";

/** The kernel as a face sees it. One per process. */
export interface Kernel {
  /** Synchronous check-and-set of a session's slot (§2.1). A refused claim holds nothing. */
  claim(sessionId: string): Claim | ClaimRefusal;
  /** The turn now running in the session, if any. */
  runningTurn(sessionId: string): RunningTurn | undefined;
  /** Whether the session has a slot in memory, idle or not. */
  isResident(sessionId: string): boolean;
  /** Share of the context window in use, 0 to 100; undefined when unknown or not in memory. */
  contextPercent(sessionId: string): number | undefined;
  /** Live kernel events of all sessions. */
  readonly traceBus: TraceBus;
  /** Waits until every row recorded so far for the session is stored, or could not be. */
  drainTrace(sessionId: string): Promise<void>;
  stats(): { residentSessions: number; runningTurns: number };
  /** Ends running turns as interrupted, stores them, drains the trace and disposes every session. */
  shutdown(): Promise<void>;
}

/** A held slot. Exactly one of `run` or `release` ends it. */
export interface Claim {
  /** Starts a turn: (re)builds the session when its fingerprint differs from the one in memory. */
  run(turn: TurnRequest): Promise<RunningTurn>;
  /** Gives the slot back; with `dispose` the session also leaves memory, its trace drained. */
  release(options?: { dispose?: boolean }): Promise<void>;
}

export interface TurnRequest {
  turnSeq: number;
  prompt: string;
  fingerprint: string;
  /** Called only when the session has to be built. */
  blueprint(): Promise<SessionBlueprint>;
}

/** A turn in progress. It belongs to the server: readers come and go, the turn runs to its end (architecture §6). */
export interface RunningTurn {
  readonly turnSeq: number;
  /** Frames with an index above `after` (-1 for all), then live ones, until the closing frame. */
  frames(after: number, signal?: AbortSignal): AsyncIterable<AskFrame>;
  /** Resolves when the closing frame has been recorded and the slot is free. Never rejects. */
  readonly ended: Promise<{ outcome: Outcome; errorCode?: TurnErrorCode }>;
  /** Stops the turn: partial text is kept, open tool calls close as errors. Resolves when the slot is free. */
  cancel(): Promise<void>;
}

export interface TraceBus {
  /** Calls `onRow` for each new row of the session, synchronously and in order. Returns the unsubscriber. */
  subscribe(sessionId: string, onRow: (row: TraceRow) => void): () => void;
  /** The rows still in memory, oldest first; at most `traceBusRows`. Covers rows not yet stored. */
  recent(sessionId: string): readonly TraceRow[];
}
