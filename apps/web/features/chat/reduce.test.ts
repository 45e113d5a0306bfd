import { describe, expect, it } from "bun:test";
import type { SessionView } from "../../../../shared/contracts/agent";
import type { AskFrame } from "../../../../shared/sse";
import { type Answer, type ChatState, EMPTY_CHAT, isRunning, resumeAfter } from "./chat-model";
import { splitAnswer } from "./parts";
import { type ChatAction, reduceChat } from "./reduce";

const NOW = Date.parse("2026-11-30T12:00:00.000Z");
const SESSION = "0b9f8a52-33c1-4a57-9a37-0f4f8c1b2d3e";
const TOTALS = { modelRoundTrips: 2, turnMs: 6_200, totalTokens: 900 };

const ASKED: ChatAction = { type: "asked", prompt: "Why?", nowMs: NOW };
const FRAMES: AskFrame[] = [
  { id: "0.0", event: "session", data: { sessionId: SESSION } },
  { id: "0.1", event: "delta", data: { text: "First " } },
  { id: "0.2", event: "delta", data: { text: "look. " } },
  { id: "0.3", event: "tool_start", data: { toolCallId: "a", name: "notes_search", at: 12, inputPreview: '"no"' } },
  { id: "0.4", event: "tool_end", data: { toolCallId: "a", resultPreview: "1 hit", isError: false, durationMs: 42 } },
  { id: "0.5", event: "tool_start", data: { toolCallId: "b", name: "notes_get_chapter", at: 12, inputPreview: "x" } },
  { id: "0.6", event: "tool_end", data: { toolCallId: "b", resultPreview: "none", isError: true, durationMs: 3 } },
  { id: "0.7", event: "delta", data: { text: "Because." } },
  { id: "0.8", event: "done", data: { sessionId: SESSION, outcome: "completed", ...TOTALS, ctxPercent: 12 } },
];

function run(actions: ChatAction[], from: ChatState = EMPTY_CHAT): ChatState {
  return actions.reduce(reduceChat, from);
}
const taken = (frames: AskFrame[]): ChatAction[] => frames.map((frame) => ({ type: "frame", frame }));
const answerOf = (state: ChatState): Answer => state.turns.at(-1)!.answer;

describe("an undisturbed turn", () => {
  it("becomes text, steps and totals", () => {
    const state = run([ASKED, ...taken(FRAMES)]);
    expect(state).toEqual({
      sessionId: SESSION,
      turns: [
        {
          number: 1,
          turnSeq: 0,
          prompt: "Why?",
          askedAt: "2026-11-30T12:00:00.000Z",
          answer: {
            text: "First look. Because.",
            steps: [
              {
                toolCallId: "a",
                name: "notes_search",
                at: 12,
                inputPreview: '"no"',
                resultPreview: "1 hit",
                state: "done",
                durationMs: 42,
              },
              {
                toolCallId: "b",
                name: "notes_get_chapter",
                at: 12,
                inputPreview: "x",
                resultPreview: "none",
                state: "failed",
                durationMs: 3,
              },
            ],
            status: "completed",
            modelRoundTrips: 2,
            turnMs: 6_200,
            watchedFromMs: NOW,
          },
        },
      ],
      totalTokens: 900,
      ctxPercent: 12,
      lastFrame: { turnSeq: 0, index: 8 },
      link: "idle",
    });
  });

  it("is running from the moment it is asked, and knows where to resume only once a frame has come", () => {
    const asked = run([ASKED]);
    expect(isRunning(asked)).toBe(true);
    expect(resumeAfter(asked)).toBeUndefined();
    expect(resumeAfter(run([ASKED, ...taken(FRAMES.slice(0, 3))]))).toBe("0.2");
  });

  it("forgets a context share that the closing frame does not give", () => {
    const known = { ...run([ASKED, ...taken(FRAMES)]) };
    const second = run([{ type: "asked", prompt: "And?", nowMs: NOW }], known);
    const done: AskFrame = { id: "2.0", event: "done", data: { sessionId: SESSION, outcome: "completed", ...TOTALS } };
    expect(run(taken([done]), second).ctxPercent).toBeNull();
  });

  it("takes no second question while one runs", () => {
    const asked = run([ASKED]);
    expect(reduceChat(asked, { type: "asked", prompt: "More?", nowMs: NOW })).toBe(asked);
  });
});

describe("a stream that is resumed", () => {
  const whole = run([ASKED, ...taken(FRAMES)]);

  it("ends like an undisturbed one wherever it is cut, with frames repeated or not", () => {
    for (let cut = 1; cut < FRAMES.length; cut++) {
      for (let from = 0; from <= cut; from++) {
        const state = run([
          ASKED,
          ...taken(FRAMES.slice(0, cut)),
          { type: "cut" },
          { type: "rejoined" },
          ...taken(FRAMES.slice(from)),
        ]);
        expect(state).toEqual(whole);
      }
    }
  });

  it("changes nothing for a repeated frame, a frame of another turn, or one without a usable id", () => {
    const state = run([ASKED, ...taken(FRAMES.slice(0, 3))]);
    for (const id of ["0.2", "0.0", "7.9", "nonsense", ""]) {
      expect(reduceChat(state, { type: "frame", frame: { id, event: "delta", data: { text: "again" } } })).toBe(state);
    }
  });

  it("after a reload starts from the turn's first frame and ends the same, but for the clock", () => {
    const view = viewOf({ running: { turnSeq: 0 }, messages: [message(0, "user", "Why?")] });
    const opened = run([{ type: "opened", view, nowMs: NOW }]);
    expect(isRunning(opened)).toBe(true);
    expect(resumeAfter(opened)).toBeUndefined();
    expect(run([{ type: "rejoined" }, ...taken(FRAMES)], opened)).toEqual(whole);
  });

  it("says how the page stands to it", () => {
    const links = [ASKED, ...taken(FRAMES.slice(0, 2)), { type: "cut" } as const, { type: "rejoined" } as const].map(
      (_, index, all) => run(all.slice(0, index + 1)).link,
    );
    expect(links).toEqual(["streaming", "streaming", "streaming", "reconnecting", "rejoined"]);
  });
});

describe("a turn that ends early", () => {
  it("keeps what arrived, and closes an open call as failed without a duration", () => {
    const stopped: AskFrame = { id: "0.4", event: "done", data: { sessionId: SESSION, outcome: "stopped", ...TOTALS } };
    const { text, status, steps } = answerOf(run([ASKED, ...taken([...FRAMES.slice(0, 4), stopped])]));
    expect({ text, status }).toEqual({ text: "First look. ", status: "stopped" });
    expect(steps.map(({ state, durationMs }) => [state, durationMs])).toEqual([["failed", undefined]]);
  });

  it("keeps the reason of a failure", () => {
    const failed: AskFrame = {
      id: "0.2",
      event: "error",
      data: { code: "not_stored", message: "", outcome: "failed", ...TOTALS },
    };
    const answer = answerOf(run([ASKED, ...taken([...FRAMES.slice(0, 2), failed])]));
    expect([answer.status, answer.errorCode, answer.text]).toEqual(["failed", "not_stored", "First "]);
  });

  it("is interrupted when it was lost before it could be joined", () => {
    const lost = run([ASKED, { type: "lost" }]);
    expect([answerOf(lost).status, isRunning(lost), lost.link]).toEqual(["interrupted", false, "idle"]);
  });

  it("takes no frame after its end", () => {
    const state = run([ASKED, ...taken(FRAMES)]);
    const late: AskFrame = { id: "0.9", event: "delta", data: { text: "late" } };
    expect(reduceChat(state, { type: "frame", frame: late })).toBe(state);
  });
});

describe("a refusal", () => {
  it("takes back the turn that never was, and only that", () => {
    expect(run([ASKED, { type: "refused" }])).toEqual(EMPTY_CHAT);
    const taking = run([ASKED, ...taken(FRAMES.slice(0, 1))]);
    expect(reduceChat(taking, { type: "refused" })).toBe(taking);
  });
});

describe("a stored session", () => {
  it("is drawn like the live one was", () => {
    const live = run([ASKED, ...taken(FRAMES)]);
    const view = viewOf({
      ctxPercent: 12,
      messages: [
        message(0, "user", "Why?"),
        {
          ...message(1, "assistant", "First look. Because."),
          outcome: "completed",
          turn: {
            modelRoundTrips: 2,
            turnMs: 6_200,
            toolCalls: [
              {
                toolCallId: "a",
                name: "notes_search",
                at: 12,
                inputPreview: '"no"',
                resultPreview: "1 hit",
                isError: false,
                durationMs: 42,
              },
              {
                toolCallId: "b",
                name: "notes_get_chapter",
                at: 12,
                inputPreview: "x",
                resultPreview: "none",
                isError: true,
                durationMs: 3,
              },
            ],
          },
        },
      ],
    });
    expect(run([{ type: "opened", view, nowMs: NOW }], live).turns).toEqual(live.turns);
    expect(answerOf(run([{ type: "opened", view, nowMs: NOW }])).watchedFromMs).toBeNull();
  });

  it("shows a question without a reply as interrupted, and each outcome as it was stored", () => {
    const view = viewOf({
      messages: [
        message(0, "user", "a"),
        message(2, "user", "b"),
        { ...message(3, "assistant", "partial"), outcome: "failed" },
        message(4, "user", "c"),
        message(5, "assistant", "old row"),
      ],
    });
    const turns = run([{ type: "opened", view, nowMs: NOW }]).turns;
    expect(turns.map(({ number, turnSeq, answer }) => [number, turnSeq, answer.status, answer.errorCode])).toEqual([
      [1, 0, "interrupted", undefined],
      [2, 2, "failed", "model_failed"],
      [3, 4, "completed", undefined],
    ]);
  });

  it("is forgotten whole", () => {
    expect(run([ASKED, ...taken(FRAMES), { type: "cleared" }])).toEqual(EMPTY_CHAT);
  });
});

describe("an answer split at its calls", () => {
  it("puts everything up to the last call into the process, and the rest into the answer", () => {
    const { process, final } = splitAnswer(answerOf(run([ASKED, ...taken(FRAMES)])));
    expect(process.map((part) => (part.kind === "text" ? part.text : part.step.toolCallId))).toEqual([
      "First look.",
      "a",
      "b",
    ]);
    expect(final).toBe("Because.");
  });

  it("has no process without calls, and survives offsets that lie", () => {
    expect(splitAnswer({ text: "x", steps: [] })).toEqual({ process: [], final: "x" });
    const step = { toolCallId: "a", name: "n", at: 99, inputPreview: "", resultPreview: "", state: "done" as const };
    expect(splitAnswer({ text: "short", steps: [step, { ...step, toolCallId: "b", at: -4 }] }).final).toBe("");
  });
});

function message(seq: number, role: "user" | "assistant", content: string) {
  return { seq, role, content, createdAt: "2026-11-30T12:00:00.000Z" };
}

function viewOf(view: Omit<SessionView, "session">): SessionView {
  const createdAt = "2026-11-30T12:00:00.000Z";
  return { session: { id: SESSION, title: "Why?", createdAt, lastActiveAt: createdAt, totalTokens: 900 }, ...view };
}
