/** Whole turns on the real loop with a scripted model: frames, stored turn and trace rows, in order. */
import { describe, expect, test } from "bun:test";
import { fauxAssistantMessage, type FauxResponseStep, fauxText, fauxToolCall } from "@earendil-works/pi-ai";
import {
  echo,
  framesOf,
  scriptedKernel,
  type ScriptedKernel,
  SESSION,
  tool,
} from "../../../tests/support/scripted-kernel.mts";
import { ManualClock } from "../../../tests/support/manual-clock.mts";
import { TURN_ERRORS } from "../../../shared/errors";
import type { AskFrame, AskFrames } from "../../../shared/sse";
import { ToolFailure } from "./kernel-types";
import { outcomeOf } from "./turn";

const call = (name: string, args: object, id = "c1") => fauxToolCall(name, args as never, { id });
const calls = (...blocks: ReturnType<typeof call>[]) => fauxAssistantMessage(blocks, { stopReason: "toolUse" });
const namesOf = (frames: readonly AskFrame[]) => frames.map(({ event }) => event);
const callIdIn = (frame: AskFrame | undefined) =>
  frame?.event === "tool_start" ? frame.data.toolCallId : "no tool_start";
/** Everything that is due without waiting for time has happened. */
const nextTick = () => new Promise((resolve) => setImmediate(resolve));
const last = <K extends keyof AskFrames>(frames: readonly AskFrame[]) => frames.at(-1)?.data as AskFrames[K];
async function eventTypes({ kernel, stored }: ScriptedKernel): Promise<string[]> {
  await kernel.drainTrace(SESSION);
  return stored.rows.map(({ eventType }) => eventType);
}

describe("frames", () => {
  test("text only: session, deltas, done", async () => {
    const run = await scriptedKernel({ script: [fauxAssistantMessage("Twelve chars, and more.")] });
    expect(await run.ask("hello")).toEqual([
      { id: "0.0", event: "session", data: { sessionId: SESSION } },
      { id: "0.1", event: "delta", data: { text: "Twelve chars" } },
      { id: "0.2", event: "delta", data: { text: ", and more." } },
      {
        id: "0.3",
        event: "done",
        data: {
          sessionId: SESSION,
          outcome: "completed",
          modelRoundTrips: 1,
          turnMs: 0,
          totalTokens: run.stored.turns[0]!.usage.totalTokens,
          ctxPercent: expect.any(Number),
        },
      },
    ]);
    expect(run.stored.turns).toEqual([
      {
        turnSeq: 0,
        content: "Twelve chars, and more.",
        outcome: "completed",
        modelRoundTrips: 1,
        turnMs: 0,
        toolCalls: [],
        usage: { totalTokens: expect.any(Number), costMicros: 0 },
      },
    ]);
    expect(run.logged).toEqual([]);
  });

  test("one tool: its frames stand where it ran, its stored call says the same", async () => {
    const run = await scriptedKernel({
      tools: [
        tool("echo", async ({ text }) => {
          run.clock.advance(70);
          return { text: `echo: ${text}` };
        }),
      ],
      script: [
        fauxAssistantMessage([fauxText("Look: "), call("echo", { text: "hi" })], { stopReason: "toolUse" }),
        fauxAssistantMessage("Done."),
      ],
    });
    const frames = await run.ask("hello");
    const toolCallId = "call-20";
    expect(frames.slice(1, -1)).toEqual([
      { id: "0.1", event: "delta", data: { text: "Look: " } },
      {
        id: "0.2",
        event: "tool_start",
        data: { toolCallId, name: "echo", at: 6, inputPreview: '{"text":"hi"}' },
      },
      {
        id: "0.3",
        event: "tool_end",
        data: { toolCallId, resultPreview: "echo: hi", isError: false, durationMs: 70 },
      },
      { id: "0.4", event: "delta", data: { text: "Done." } },
    ]);
    expect(last<"done">(frames)).toMatchObject({ modelRoundTrips: 2, turnMs: 70 });
    expect(run.stored.turns[0]).toMatchObject({
      content: "Look: Done.",
      toolCalls: [
        {
          toolCallId,
          name: "echo",
          at: 6,
          inputPreview: '{"text":"hi"}',
          resultPreview: "echo: hi",
          isError: false,
          durationMs: 70,
        },
      ],
    });
  });

  test("a failing tool is a failed call, and the turn still ends with done", async () => {
    const failing = tool("search", async () => {
      throw new ToolFailure("The search is not available.");
    });
    const run = await scriptedKernel({
      tools: [failing],
      script: [calls(call("search", { text: "x" })), fauxAssistantMessage("No result.")],
    });
    const frames = await run.ask("hello");
    expect(namesOf(frames)).toEqual(["session", "tool_start", "tool_end", "delta", "done"]);
    expect(frames[2]?.data).toEqual({
      toolCallId: callIdIn(frames[1]),
      resultPreview: "The search is not available.",
      isError: true,
      durationMs: 0,
    });
  });

  test("a failed model keeps what arrived and ends with one error", async () => {
    const run = await scriptedKernel({
      script: [fauxAssistantMessage("Half an ans", { stopReason: "error", errorMessage: "503 at zz9gw.example" })],
    });
    const frames = await run.ask("hello");
    expect(namesOf(frames)).toEqual(["session", "delta", "error"]);
    expect(last<"error">(frames)).toMatchObject({
      code: "model_failed",
      message: TURN_ERRORS.model_failed,
      outcome: "failed",
    });
    expect(run.stored.turns[0]).toMatchObject({ content: "Half an ans", outcome: "failed" });
    await run.kernel.drainTrace(SESSION);
    expect(JSON.stringify([frames, run.stored])).not.toContain("zz9gw");
  });

  test("previews are redacted and cut, the same in frame and storage", async () => {
    const long = "x".repeat(500);
    const run = await scriptedKernel({
      tools: [echo],
      script: [
        calls(call("echo", { apiKey: "sk-abcdefghijkl" }, "c1"), call("echo", { text: long }, "c2")),
        fauxAssistantMessage("Done."),
      ],
    });
    const frames = await run.ask("hello");
    const starts = frames.flatMap((frame) => (frame.event === "tool_start" ? [frame.data.inputPreview] : []));
    expect(starts).toEqual(['{"apiKey":"[redacted]"}', `${`{"text":"${long}`.slice(0, 400)}…[cut]`]);
    const ends = frames.flatMap((frame) => (frame.event === "tool_end" ? [frame.data.resultPreview] : []));
    const stored = run.stored.turns[0]!.toolCalls;
    expect(stored.map(({ inputPreview }) => inputPreview)).toEqual(starts);
    expect(stored.map(({ resultPreview }) => resultPreview).sort()).toEqual(ends.sort());
    await run.kernel.drainTrace(SESSION);
    expect(JSON.stringify(run.stored.rows)).not.toContain("abcdefghijkl");
  });

  test("a reader who joins late or returns sees what an undisturbed one sees", async () => {
    const gate = Promise.withResolvers<void>();
    const run = await scriptedKernel({
      tools: [tool("wait", () => gate.promise.then(() => ({ text: "ok" })))],
      script: [calls(call("wait", {})), fauxAssistantMessage("The end of it.")],
    });
    const turn = await run.start("hello");
    const undisturbed = framesOf(turn);
    const broken = turn.frames(-1)[Symbol.asyncIterator]();
    expect((await broken.next()).value?.event).toBe("session");
    await broken.return?.();
    const joined = framesOf(run.kernel.runningTurn(SESSION)!, 0);
    gate.resolve();
    const all = await undisturbed;
    expect(await joined).toEqual(all.slice(1));
    expect(await framesOf(turn)).toEqual(all);
    expect(run.kernel.runningTurn(SESSION)).toBeUndefined();
  });

  test("a very long answer gets fewer, larger frames and loses no character", async () => {
    const answer = "0123456789".repeat(600);
    const run = await scriptedKernel({
      limits: { askDeltaFrames: 10, askJoinedDeltaChars: 100 },
      script: [fauxAssistantMessage(answer)],
    });
    const frames = await run.ask("hello");
    const deltas = frames.flatMap((frame) => (frame.event === "delta" ? [frame.data.text] : []));
    expect(deltas.join("")).toBe(answer);
    expect(deltas.length).toBeLessThan(70);
  });
});

describe("trace", () => {
  test("one tool call makes the kernel's whole list of events, each of its turn", async () => {
    const run = await scriptedKernel({
      tools: [echo],
      script: [calls(call("echo", { text: "hi" })), fauxAssistantMessage("Done.")],
    });
    await run.ask("hello");
    expect(await eventTypes(run)).toEqual([
      "session_start",
      "resources_discover",
      "input",
      "before_agent_start",
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_start",
      "message_end",
      "context",
      "context_with_system",
      "before_provider_headers",
      "after_provider_response",
      "message_start",
      "message_update",
      "message_update",
      "message_end",
      "tool_execution_start",
      "tool_call",
      "tool_result",
      "tool_execution_end",
      "message_start",
      "message_end",
      "turn_end",
      "turn_start",
      "context",
      "context_with_system",
      "before_provider_headers",
      "after_provider_response",
      "message_start",
      "message_update",
      "message_update",
      "message_end",
      "turn_end",
      "agent_end",
      "agent_before_settle",
      "agent_settled",
    ]);
    expect(run.stored.rows.map(({ seq }) => seq)).toEqual(run.stored.rows.map((_, i) => i));
    expect(run.stored.rows.map(({ turnSeq }) => turnSeq)).toEqual(
      run.stored.rows.map(({ eventType }) => (/^(session_start|resources)/.test(eventType) ? null : 0)),
    );
  });

  test("live rows are the stored rows, and seq goes on in the next turn", async () => {
    const run = await scriptedKernel({ script: [fauxAssistantMessage("One."), fauxAssistantMessage("Two.")] });
    const live: unknown[] = [];
    run.kernel.traceBus.subscribe(SESSION, (row) => live.push(row));
    await run.ask("first");
    await run.ask("second");
    await run.kernel.drainTrace(SESSION);
    expect(live).toEqual(run.stored.rows);
    expect(run.kernel.traceBus.recent(SESSION)).toEqual(run.stored.rows);
    expect(run.stored.rows.map(({ seq }) => seq)).toEqual(run.stored.rows.map((_, i) => i));
    expect(new Set(run.stored.rows.map(({ turnSeq }) => turnSeq))).toEqual(new Set([null, 0, 2]));
  });

  test("a call past the limit is blocked, and the row shows by whom and why", async () => {
    const run = await scriptedKernel({
      tools: [echo],
      limits: { toolCallsPerTurn: 1 },
      script: [calls(call("echo", {}, "c1")), calls(call("echo", {}, "c2")), fauxAssistantMessage("Fine.")],
    });
    const frames = await run.ask("hello");
    expect(namesOf(frames)).toEqual(["session", "tool_start", "tool_end", "tool_start", "tool_end", "delta", "done"]);
    await run.kernel.drainTrace(SESSION);
    const toolCallId = callIdIn(frames[3]);
    const ofSecond = run.stored.rows.filter(({ data }) => data.toolCallId === toolCallId);
    expect(ofSecond.map(({ eventType }) => eventType)).toEqual([
      "tool_execution_start",
      "tool_call",
      "tool_execution_end",
    ]);
    const reason = "This turn has used all its tool calls. Answer with what is known.";
    expect(ofSecond[1]?.data.handlers).toEqual([{ extension: "xray-guard", returned: { block: true, reason } }]);
    expect(ofSecond[2]?.data).toMatchObject({ isError: true, resultPreview: reason });
  });
});

describe("endings", () => {
  test("too many round trips end the turn, although the model never stops calling", async () => {
    const run = await scriptedKernel({
      tools: [echo],
      limits: { modelRoundTripsPerTurn: 3 },
      script: Array.from({ length: 10 }, (_, i) => calls(call("echo", {}, `c${i}`))),
    });
    const frames = await run.ask("hello");
    expect(last<"error">(frames)).toMatchObject({ code: "interrupted", outcome: "interrupted", modelRoundTrips: 3 });
    expect(namesOf(frames).filter((name) => name === "tool_start").length).toBe(3);
  });

  test("a model that is cut off at its output limit again and again is ended too", async () => {
    const cut = fauxAssistantMessage([call("echo", {})], { stopReason: "length" });
    const run = await scriptedKernel({
      tools: [echo],
      limits: { modelRoundTripsPerTurn: 3 },
      script: Array(10).fill(cut),
    });
    expect(last<"error">(await run.ask("hello"))).toMatchObject({ code: "interrupted", modelRoundTrips: 3 });
  });

  test("a stop keeps the partial answer, closes open calls as failed and frees the slot", async () => {
    const started = Promise.withResolvers<void>();
    const deaf = tool("deaf", () => {
      started.resolve();
      return new Promise(() => {});
    });
    const run = await scriptedKernel({
      tools: [deaf],
      script: [
        fauxAssistantMessage([fauxText("So far"), call("deaf", {})], { stopReason: "toolUse" }),
        fauxAssistantMessage("Again."),
      ],
    });
    const turn = await run.start("hello");
    await started.promise;
    expect(run.kernel.claim(SESSION)).toBe("turn_running");
    await turn.cancel();
    const frames = await framesOf(turn);
    expect(namesOf(frames)).toEqual(["session", "delta", "tool_start", "tool_end", "done"]);
    expect(frames[3]?.data).toMatchObject({ isError: true, resultPreview: "The call was stopped." });
    expect(last<"done">(frames)).toMatchObject({ outcome: "stopped" });
    expect(run.stored.turns[0]).toMatchObject({ content: "So far", outcome: "stopped" });
    expect(await turn.ended).toEqual({ outcome: "stopped" });
    run.script([fauxAssistantMessage("Next answer.")]);
    expect(namesOf(await run.ask("and now?"))).toEqual(["session", "delta", "done"]);
  });

  test("a stop that comes before the loop has begun stops it all the same", async () => {
    const run = await scriptedKernel({ script: [fauxAssistantMessage("Never said.")] });
    const turn = await run.start("hello");
    await turn.cancel();
    expect(namesOf(await framesOf(turn))).toEqual(["session", "done"]);
    expect(run.stored.turns[0]).toMatchObject({ content: "", outcome: "stopped", modelRoundTrips: 0 });
  });

  test("a turn that takes too long is interrupted", async () => {
    const started = Promise.withResolvers<void>();
    const deaf = tool("deaf", () => {
      started.resolve();
      return new Promise(() => {});
    });
    const run = await scriptedKernel({ tools: [deaf], script: [calls(call("deaf", {}))] });
    const turn = await run.start("hello");
    await started.promise;
    run.clock.advance(599_999);
    expect(run.kernel.runningTurn(SESSION)).toBe(turn);
    run.clock.advance(1);
    expect(await turn.ended).toEqual({ outcome: "interrupted", errorCode: "interrupted" });
    expect(last<"error">(await framesOf(turn))).toMatchObject({ code: "interrupted", turnMs: 600_000 });
  });

  test("an answer past its size is kept to it and interrupted", async () => {
    const run = await scriptedKernel({
      limits: { turnTextChars: 1_000 },
      script: [fauxAssistantMessage("x".repeat(5_000))],
    });
    const frames = await run.ask("hello");
    expect(last<"error">(frames)).toMatchObject({ code: "interrupted" });
    expect(run.stored.turns[0]?.content).toBe("x".repeat(1_000));
  });

  test("a session that does not stop when asked is left behind and the turn ends", async () => {
    const asked = Promise.withResolvers<void>();
    const run = await scriptedKernel({
      // The model ignores its signal for ever.
      script: [
        () => {
          asked.resolve();
          return new Promise(() => {});
        },
      ],
    });
    const turn = await run.start("hello");
    await asked.promise;
    const stopping = turn.cancel();
    run.clock.advance(2_000);
    await stopping;
    expect(await turn.ended).toEqual({ outcome: "stopped" });
    expect(run.kernel.stats()).toEqual({ residentSessions: 0, runningTurns: 0 });
    // Its way out is bounded as well; then the next question gets a new session.
    const next = run.ask("again?");
    run.script([fauxAssistantMessage("Here again.")]);
    for (let i = 0; i < 3; i += 1) {
      await nextTick();
      run.clock.advance(2_000);
    }
    expect(namesOf(await next)).toEqual(["session", "delta", "done"]);
  });

  test("a transcript that makes the model fail is left behind after two failures in a row", async () => {
    const run = await scriptedKernel({ tools: [echo] });
    const lost = fauxAssistantMessage([], { stopReason: "error", errorMessage: "too deep" });
    const unlessCalled: FauxResponseStep = ({ messages }) =>
      messages.some(({ role }) => role === "toolResult") ? lost : fauxAssistantMessage("fine");
    run.script([calls(call("echo", {})), fauxAssistantMessage("done"), ...Array(3).fill(unlessCalled)]);
    const history = [{ role: "user" as const, content: "the question" }];
    const outcomes: unknown[] = [];
    for (const prompt of ["a", "b", "c", "d"]) {
      const frames = await run.ask(prompt, { blueprint: { history } });
      outcomes.push(last<"done">(frames).outcome);
    }
    expect(outcomes).toEqual(["completed", "failed", "failed", "completed"]);
  });

  test("a failure alone, or one with an answer between, costs the conversation nothing", async () => {
    const run = await scriptedKernel();
    const lost = fauxAssistantMessage([], { stopReason: "error", errorMessage: "busy" });
    run.script([lost, fauxAssistantMessage("a"), lost, fauxAssistantMessage("b")]);
    for (const prompt of ["1", "2", "3", "4"]) await run.ask(prompt);
    expect((await eventTypes(run)).filter((type) => type === "session_shutdown")).toEqual([]);
  });

  test("a shutdown stores running turns as interrupted before it resolves", async () => {
    const started = Promise.withResolvers<void>();
    const deaf = tool("deaf", () => {
      started.resolve();
      return new Promise(() => {});
    });
    const run = await scriptedKernel({
      tools: [deaf],
      script: [fauxAssistantMessage([fauxText("So far"), call("deaf", {})], { stopReason: "toolUse" })],
    });
    const turn = await run.start("hello");
    await started.promise;
    await run.kernel.shutdown();
    expect(run.stored.turns[0]).toMatchObject({ content: "So far", outcome: "interrupted" });
    expect(last<"error">(await framesOf(turn))).toMatchObject({ code: "interrupted" });
    expect(run.stored.rows.at(-1)?.eventType).toBe("session_shutdown");
    expect(run.kernel.claim(SESSION)).toBe("slots_full");
    expect(run.clock.waiting).toBeLessThanOrEqual(1);
  });

  test.each([
    [undefined, false, "stop", { outcome: "completed" }],
    [undefined, false, "length", { outcome: "completed" }],
    [undefined, false, "error", { outcome: "failed", errorCode: "model_failed" }],
    [undefined, false, "aborted", { outcome: "failed", errorCode: "model_failed" }],
    [undefined, false, undefined, { outcome: "failed", errorCode: "model_failed" }],
    [undefined, true, "stop", { outcome: "failed", errorCode: "model_failed" }],
    ["cancelled", false, "error", { outcome: "stopped" }],
    ["limit", false, "aborted", { outcome: "interrupted", errorCode: "interrupted" }],
    ["shutdown", true, undefined, { outcome: "interrupted", errorCode: "interrupted" }],
  ] as const)("ended by %p, threw %p, stop reason %p", (reason, threw, stopReason, expected) => {
    expect(outcomeOf(reason, threw, stopReason)).toEqual(expected as never);
  });
});

describe("storing", () => {
  test("the reply is stored before the closing frame is sent", async () => {
    const order: string[] = [];
    const run = await scriptedKernel({
      script: [fauxAssistantMessage("Hi.")],
      sink: {
        async storeTurn() {
          order.push("stored");
          return { totalTokens: 4_242 };
        },
      },
    });
    const turn = await run.start("hello");
    for await (const frame of turn.frames(-1)) order.push(frame.event);
    expect(order).toEqual(["session", "delta", "stored", "done"]);
    expect(last<"done">(await framesOf(turn)).totalTokens).toBe(4_242);
  });

  test("a write that fails is tried three times, 100 and 400 ms apart", async () => {
    const attempts: number[] = [];
    const firstAttempt = Promise.withResolvers<void>();
    const run = await scriptedKernel({
      script: [fauxAssistantMessage("Hi.")],
      sink: {
        async storeTurn() {
          attempts.push(run.clock.now());
          firstAttempt.resolve();
          if (attempts.length < 3) throw new Error("connection lost");
          return { totalTokens: 7 };
        },
      },
    });
    const turn = await run.start("hello");
    await firstAttempt.promise;
    for (const waitMs of [99, 1, 399, 1]) {
      await nextTick();
      run.clock.advance(waitMs);
    }
    expect(await turn.ended).toEqual({ outcome: "completed" });
    expect(attempts.map((ms) => ms - attempts[0]!)).toEqual([0, 100, 500]);
  });

  test("a reply that cannot be stored says so, with the tokens it used, and the turn is over", async () => {
    const run = await scriptedKernel({
      limits: { assistantWriteAttempts: 1 },
      script: [fauxAssistantMessage("Hi.")],
      sink: { storeTurn: () => Promise.reject(new Error("password=hunter2")) },
    });
    const frames = await run.ask("hello");
    expect(namesOf(frames)).toEqual(["session", "delta", "error"]);
    const { code, message, outcome, totalTokens } = last<"error">(frames);
    expect([code, message, outcome]).toEqual(["not_stored", TURN_ERRORS.not_stored, "failed"]);
    expect(totalTokens).toBeGreaterThan(0);
    expect(run.kernel.stats().runningTurns).toBe(0);
  });

  test("trace rows that cannot be stored are still seen live, and the turn does not notice", async () => {
    const run = await scriptedKernel({
      script: [fauxAssistantMessage("Hi.")],
      sink: { storeTraceRows: () => Promise.reject(new Error("down")) },
    });
    expect(namesOf(await run.ask("hello"))).toEqual(["session", "delta", "done"]);
    await run.kernel.drainTrace(SESSION);
    expect(run.kernel.traceBus.recent(SESSION).length).toBeGreaterThan(10);
    expect(run.logged.map(({ message }) => message)).toEqual(["trace rows could not be stored"]);
  });

  test("a storage that hangs holds up no answer", async () => {
    const run = await scriptedKernel({
      script: [fauxAssistantMessage("Hi.")],
      sink: { storeTraceRows: () => new Promise(() => {}) },
    });
    expect(namesOf(await run.ask("hello"))).toEqual(["session", "delta", "done"]);
  });

  test("an answer of a thousand pieces makes a handful of writes and small rows", async () => {
    const run = await scriptedKernel({ script: [fauxAssistantMessage("abcdefghijkl".repeat(1_000))] });
    const frames = await run.ask("hello");
    expect(namesOf(frames).filter((name) => name === "delta").length).toBe(1_000);
    await run.kernel.drainTrace(SESSION);
    expect(run.stored.rowBatches).toBeLessThanOrEqual(2);
    expect(run.stored.turns.length).toBe(1);
    expect(run.stored.rows.length).toBeLessThanOrEqual(25);
    expect(JSON.stringify(run.stored.rows).length).toBeLessThanOrEqual(8_192);
  });

  test("a clock that jumps by hours in mid-turn makes no negative duration, and ids and seqs only rise", async () => {
    for (const hours of [-7, 7]) {
      const clock = new ManualClock();
      const jumping = tool("jump", async () => {
        clock.jump(hours * 3_600_000);
        return { text: "later" };
      });
      const script = [calls(call("jump", {})), fauxAssistantMessage("Done.")];
      const run = await scriptedKernel({ clock, tools: [jumping], script });
      const frames = await run.ask("hello");
      expect(frames.map(({ id }) => id)).toEqual(frames.map((_, index) => `0.${index}`));
      expect(namesOf(frames)).toEqual(["session", "tool_start", "tool_end", "delta", "done"]);
      expect((frames[2]!.data as AskFrames["tool_end"]).durationMs).toBe(Math.max(0, hours * 3_600_000));
      expect(last<"done">(frames).turnMs).toBe(Math.max(0, hours * 3_600_000));
      await run.kernel.drainTrace(SESSION);
      expect(run.stored.rows.map(({ seq }) => seq)).toEqual(run.stored.rows.map((_, index) => index));
    }
  });
});
