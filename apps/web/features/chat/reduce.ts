/**
 * What the page makes of stored messages and ask frames. Pure: time comes in. A frame is taken once: whatever a
 * resumed stream repeats is known by its id and ignored, and frames of a turn that is not the running one change
 * nothing. The result of a resumed stream is the result of an undisturbed one.
 */
import type { MessageView, SessionView } from "../../../../shared/contracts/agent";
import type { AskFrame } from "../../../../shared/sse";
import { type Answer, type ChatState, type ChatTurn, EMPTY_CHAT, isRunning, type Step } from "./chat-model";

export type ChatAction =
  | { type: "cleared" }
  | { type: "opened"; view: SessionView; nowMs: number }
  | { type: "asked"; prompt: string; nowMs: number }
  /** The message was not taken: its turn never was. */
  | { type: "refused" }
  | { type: "frame"; frame: AskFrame }
  | { type: "cut" }
  | { type: "rejoined" }
  /** Cut before anything could be joined again. */
  | { type: "lost" };

export function reduceChat(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case "cleared":
      return EMPTY_CHAT;
    case "opened":
      return openSession(state, action.view, action.nowMs);
    case "asked":
      return isRunning(state)
        ? state
        : { ...state, turns: [...state.turns, askedTurn(state, action)], link: "streaming" };
    case "refused":
      return state.turns.at(-1)?.turnSeq === null ? { ...state, turns: state.turns.slice(0, -1), link: "idle" } : state;
    case "frame":
      return takeFrame(state, action.frame);
    case "cut":
      return isRunning(state) ? { ...state, link: "reconnecting" } : state;
    case "rejoined":
      return isRunning(state) ? { ...state, link: "rejoined" } : state;
    case "lost":
      return isRunning(state) ? endTurn(state) : state;
  }
}

function endTurn(state: ChatState): ChatState {
  const turn = state.turns.at(-1)!;
  const turns = [...state.turns.slice(0, -1), { ...turn, answer: { ...turn.answer, status: "interrupted" as const } }];
  return { ...state, turns, link: "idle" };
}

function askedTurn(state: ChatState, { prompt, nowMs }: { prompt: string; nowMs: number }): ChatTurn {
  return {
    number: state.turns.length + 1,
    turnSeq: null,
    prompt,
    askedAt: new Date(nowMs).toISOString(),
    answer: runningAnswer(nowMs),
  };
}

function runningAnswer(nowMs: number): Answer {
  return { text: "", steps: [], status: "running", watchedFromMs: nowMs };
}

/** Also serves to settle a turn whose end this page missed: what it watched keeps its time of watching. */
function openSession(before: ChatState, view: SessionView, nowMs: number): ChatState {
  const replies = new Map(
    view.messages.filter(({ role }) => role === "assistant").map((reply) => [reply.seq - 1, reply]),
  );
  const watched = new Map(
    before.sessionId === view.session.id ? before.turns.map((turn) => [turn.turnSeq, turn.answer.watchedFromMs]) : [],
  );
  const turns = view.messages
    .filter(({ role }) => role === "user")
    .map((message, index): ChatTurn => {
      const running = view.running?.turnSeq === message.seq;
      return {
        number: index + 1,
        turnSeq: message.seq,
        prompt: message.content,
        askedAt: message.createdAt,
        answer: running
          ? runningAnswer(Date.parse(message.createdAt) || nowMs)
          : storedAnswer(replies.get(message.seq), watched.get(message.seq) ?? null),
      };
    });
  return {
    sessionId: view.session.id,
    turns,
    totalTokens: view.session.totalTokens,
    ctxPercent: view.ctxPercent ?? null,
    lastFrame: view.running ? { turnSeq: view.running.turnSeq, index: -1 } : null,
    link: view.running ? "streaming" : "idle",
  };
}

/** A question without a stored reply was cut off by a restart that has not been tidied up yet. */
function storedAnswer(reply: MessageView | undefined, watchedFromMs: number | null): Answer {
  const status = reply === undefined ? "interrupted" : (reply.outcome ?? "completed");
  return {
    text: reply?.content ?? "",
    steps: (reply?.turn?.toolCalls ?? []).map(({ isError, durationMs, ...call }) => ({
      ...call,
      state: isError ? "failed" : "done",
      ...(durationMs !== undefined && { durationMs }),
    })),
    status,
    ...(status === "failed" && { errorCode: "model_failed" }),
    ...(reply?.turn && { modelRoundTrips: reply.turn.modelRoundTrips, turnMs: reply.turn.turnMs }),
    watchedFromMs,
  };
}

function takeFrame(state: ChatState, frame: AskFrame): ChatState {
  const turn = state.turns.at(-1);
  const id = /^(\d+)\.(\d+)$/.exec(frame.id);
  if (turn === undefined || turn.answer.status !== "running" || id === null) return state;
  const turnSeq = Number(id[1]);
  const index = Number(id[2]);
  if (turn.turnSeq !== null && turn.turnSeq !== turnSeq) return state;
  if (state.lastFrame?.turnSeq === turnSeq && index <= state.lastFrame.index) return state;

  const answer = applyFrame(turn.answer, frame);
  const ended = answer.status !== "running";
  return {
    ...state,
    ...(frame.event === "session" && { sessionId: frame.data.sessionId }),
    ...((frame.event === "done" || frame.event === "error") && {
      totalTokens: frame.data.totalTokens,
      ctxPercent: frame.data.ctxPercent ?? null,
    }),
    turns: [...state.turns.slice(0, -1), { ...turn, turnSeq, answer }],
    lastFrame: { turnSeq, index },
    link: ended ? "idle" : state.link,
  };
}

function applyFrame(answer: Answer, frame: AskFrame): Answer {
  switch (frame.event) {
    case "session":
      return answer;
    case "delta":
      return { ...answer, text: answer.text + frame.data.text };
    case "tool_start":
      return { ...answer, steps: [...answer.steps, { ...frame.data, resultPreview: "", state: "running" }] };
    case "tool_end": {
      const { toolCallId, resultPreview, isError, durationMs } = frame.data;
      const end = { resultPreview, durationMs, state: isError ? ("failed" as const) : ("done" as const) };
      return {
        ...answer,
        steps: answer.steps.map((step) => (step.toolCallId === toolCallId ? { ...step, ...end } : step)),
      };
    }
    case "done":
    case "error": {
      const { outcome, modelRoundTrips, turnMs } = frame.data;
      return {
        ...answer,
        status: outcome,
        ...(frame.event === "error" && { errorCode: frame.data.code }),
        modelRoundTrips,
        turnMs,
        // A call that never ended is stored as failed (§4.3), so it is shown as failed.
        steps: answer.steps.map((step): Step => (step.state === "running" ? { ...step, state: "failed" } : step)),
      };
    }
  }
}
