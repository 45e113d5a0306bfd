/** What the report is made of: the stored session and its recorded events, through the page's own reducers. */
import type { SessionSummary } from "../../../../shared/contracts/agent";
import { LIMITS } from "../../../../shared/limits";
import type { TraceRow } from "../../../../shared/trace-events";
import { readSession } from "../chat/agent-api";
import { type ChatTurn, EMPTY_CHAT } from "../chat/chat-model";
import { reduceChat } from "../chat/reduce";
import { addRows, EMPTY_TRACE, readStoredTrace, type TraceState } from "../trace/report";

export interface Report {
  session: SessionSummary;
  turns: readonly ChatTurn[];
  trace: TraceState;
  /** In seq order, each once. */
  rows: TraceRow[];
}

/** @throws when either cannot be read in time, or when `leave` fires. */
export async function readReport(sessionId: string, leave: AbortSignal): Promise<Report> {
  const signal = AbortSignal.any([leave, AbortSignal.timeout(LIMITS.contentAnswerMs)]);
  const [stored, rows] = await Promise.all([readSession(sessionId, signal), readStoredTrace(sessionId, signal)]);
  if (!stored.ok || rows === null) throw new Error("the session cannot be read");
  const nowMs = Date.now();
  const { turns } = reduceChat(EMPTY_CHAT, { type: "opened", view: stored.value, nowMs });
  const trace = addRows(EMPTY_TRACE, rows, nowMs);
  // Each once and in order, which the page's own reducer has seen to.
  const inOrder = trace.turns.flatMap((turn) => turn.rows).sort((a, b) => a.seq - b.seq);
  return { session: stored.value.session, turns, trace, rows: inOrder };
}
