/** The conversation as it is drawn: turns in order, each a question and what came back for it. */
import type { Outcome, SessionView } from "../../../../shared/contracts/agent";
import type { ErrorCode, TurnErrorCode } from "../../../../shared/errors";

/** One tool call of a turn. `at`: UTF-16 offset in the answer's text where it was called. */
export interface Step {
  toolCallId: string;
  name: string;
  at: number;
  inputPreview: string;
  resultPreview: string;
  state: "running" | "done" | "failed";
  /** Absent when the call never ended by itself. */
  durationMs?: number;
}

export interface Answer {
  text: string;
  steps: readonly Step[];
  status: "running" | Outcome;
  errorCode?: TurnErrorCode;
  /** Totals; absent while the turn runs, and for stored turns without tool calls. */
  modelRoundTrips?: number;
  turnMs?: number;
  /** When this page began to wait, unix ms; null for an answer that was already over when it was opened. */
  watchedFromMs: number | null;
}

export interface ChatTurn {
  /** 1, 2, 3 … as the page counts them. */
  number: number;
  /** `seq` of the visitor's message; null until the server has taken it. */
  turnSeq: number | null;
  prompt: string;
  /** ISO 8601. */
  askedAt: string;
  answer: Answer;
}

export interface ChatState {
  sessionId: string | null;
  turns: readonly ChatTurn[];
  /** Null: nothing known yet. */
  totalTokens: number | null;
  ctxPercent: number | null;
  /** The last frame taken of the running turn; its id is what a resumed stream continues after. */
  lastFrame: { turnSeq: number; index: number } | null;
  /** How the page stands to the running turn's stream. */
  link: "idle" | "streaming" | "reconnecting" | "rejoined";
}

/** Why a message was not taken. `unreachable` is the page's own: no answer, or none that can be read. */
export type RefusalCode = ErrorCode | "unreachable";

export interface Refusal {
  code: RefusalCode;
  /** `rate_limited` only: whole minutes until the next message is taken. */
  minutes?: number;
}

export const EMPTY_CHAT: ChatState = {
  sessionId: null,
  turns: [],
  totalTokens: null,
  ctxPercent: null,
  lastFrame: null,
  link: "idle",
};

export function isRunning(state: ChatState): boolean {
  return state.turns.at(-1)?.answer.status === "running";
}

/** The cursor for a resumed stream; undefined: from the turn's first frame. */
export function resumeAfter(state: ChatState): string | undefined {
  const frame = state.lastFrame;
  return frame === null || frame.index < 0 ? undefined : `${frame.turnSeq}.${frame.index}`;
}

/** Whether the stored session holds a turn that the page does not, or one that runs where the page has none running. */
export function hasNews({ turns }: ChatState, { messages, running }: SessionView): boolean {
  return running !== undefined || messages.filter(({ role }) => role === "user").length > turns.length;
}

/** Whether turns were asked elsewhere before the last one: questions of a session are numbered 0, 2, 4 … */
export function lacksTurns({ turns }: ChatState): boolean {
  const turnSeq = turns.at(-1)?.turnSeq;
  return typeof turnSeq === "number" && turnSeq / 2 >= turns.length;
}
