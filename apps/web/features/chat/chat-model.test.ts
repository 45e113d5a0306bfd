import { expect, it } from "bun:test";
import type { SessionView } from "../../../../shared/contracts/agent";
import { hasNews, lacksTurns } from "./chat-model";
import { reduceChat } from "./reduce";
import { EMPTY_CHAT } from "./chat-model";

const SESSION = {
  id: "0b9f8a52-33c1-4a57-9a37-0f4f8c1b2d3e",
  totalTokens: 0,
} as SessionView["session"];

/** A stored session of so many questions, each answered but for the one that runs. */
function viewOf(questions: number, running?: number): SessionView {
  const createdAt = "2026-11-30T12:00:00.000Z";
  const messages = Array.from({ length: questions }, (_, index) => [
    { seq: 2 * index, role: "user" as const, content: "Why?", createdAt },
    ...(2 * index === running ? [] : [{ seq: 2 * index + 1, role: "assistant" as const, content: "So.", createdAt }]),
  ]).flat();
  return { session: SESSION, messages, ...(running !== undefined && { running: { turnSeq: running } }) };
}

const opened = (view: SessionView) => reduceChat(EMPTY_CHAT, { type: "opened", view, nowMs: 0 });
const asked = (turnSeq: number) =>
  reduceChat(reduceChat(opened(viewOf(1)), { type: "asked", prompt: "And?", nowMs: 0 }), {
    type: "frame",
    frame: { id: `${turnSeq}.0`, event: "session", data: { sessionId: SESSION.id } },
  });

it("a session has news when another page asked in it, whether the answer is there or still comes", () => {
  const page = opened(viewOf(1));
  expect([viewOf(1), viewOf(2), viewOf(2, 2)].map((view) => hasNews(page, view))).toEqual([false, true, true]);
});

it("a page lacks turns when its question was not the next one of the session", () => {
  expect([EMPTY_CHAT, opened(viewOf(2)), asked(2), asked(4)].map(lacksTurns)).toEqual([false, false, false, true]);
});
