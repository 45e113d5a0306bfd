import { expect, test } from "bun:test";
import { LIMITS } from "../../../shared/limits";
import { composeSystemPrompt, decideToolCall, type KernelExtension, listExtensions } from "./extension";
import { TOO_MANY_TOOL_CALLS, turnGuard } from "./turn-guard";

const call = { toolCallId: "1", toolName: "t", input: {} };
const logged: string[] = [];
const log = { info() {}, error: (message: string) => void logged.push(message) };
const passes: KernelExtension = { name: "passes", handlers: { tool_call: () => undefined } };
const blocks: KernelExtension = {
  name: "blocks",
  handlers: { tool_call: async () => ({ block: true, reason: "no" }) },
};
const throws: KernelExtension = {
  name: "throws",
  handlers: {
    tool_call() {
      throw new Error("fault with a secret");
    },
    before_agent_start() {
      throw new Error("fault");
    },
  },
};

test("asks in order, and the first that blocks decides", async () => {
  const { verdict, decisions } = await decideToolCall([passes, blocks, throws], call, undefined, log);
  expect(verdict).toEqual({ block: true, reason: "no" });
  expect(decisions).toEqual([
    { extension: "passes", returned: null },
    { extension: "blocks", returned: { block: true, reason: "no" } },
  ]);
});

test("a call that nobody blocks is not blocked", async () => {
  const { verdict, decisions } = await decideToolCall([passes], call, undefined, log);
  expect(verdict).toBeUndefined();
  expect(decisions).toEqual([{ extension: "passes", returned: null }]);
});

test("a fault blocks, in fixed words", async () => {
  const { verdict, decisions } = await decideToolCall([throws, passes], call, undefined, log);
  expect(verdict).toEqual({ block: true, reason: "The call could not be checked." });
  expect(decisions.length).toBe(1);
  expect(logged).toEqual(["an extension failed to judge a tool call"]);
});

test("a handler that never answers gives way to an abort, and the call is blocked", async () => {
  const never: KernelExtension = { name: "never", handlers: { tool_call: () => new Promise(() => {}) } };
  const stop = new AbortController();
  const deciding = decideToolCall([never], call, stop.signal, log);
  stop.abort();
  expect((await deciding).verdict?.block).toBe(true);
  expect((await decideToolCall([never], call, AbortSignal.abort(), log)).verdict?.block).toBe(true);
});

test("a long reason is cut where it is shown, not where it is said", async () => {
  const wordy: KernelExtension = {
    name: "wordy",
    handlers: { tool_call: () => ({ block: true, reason: "r".repeat(500) }) },
  };
  const { verdict, decisions } = await decideToolCall([wordy], call, undefined, log);
  expect(verdict?.reason.length).toBe(500);
  expect(decisions[0]?.returned?.reason).toBe(`${"r".repeat(200)}…[+300 chars]`);
});

test("the prompt passes through each extension, and one that fails adds nothing", async () => {
  const add = (name: string): KernelExtension => ({
    name,
    handlers: { before_agent_start: ({ systemPrompt }) => ({ systemPrompt: `${systemPrompt}+${name}` }) },
  });
  const { systemPrompt, decisions } = await composeSystemPrompt([add("a"), throws, passes, add("b")], "q", "base", log);
  expect(systemPrompt).toBe("base+a+b");
  expect(decisions).toEqual([
    { extension: "a", returned: { addedChars: 2 } },
    { extension: "throws", returned: null },
    { extension: "b", returned: { addedChars: 2 } },
  ]);
});

test("the list of handlers keeps the order of asking and names only what there is a handler for", () => {
  const deaf: KernelExtension = { name: "deaf", handlers: { tool_call: undefined } };
  const both: KernelExtension = { name: "both", handlers: { turn_start() {}, tool_call: () => undefined } };
  expect(listExtensions([both, deaf])).toEqual([
    { extension: "both", listensTo: ["turn_start", "tool_call"] },
    { extension: "deaf", listensTo: [] },
  ]);
});

test("the guard counts calls and round trips anew in each turn", () => {
  let ended = 0;
  const guard = turnGuard({ ...LIMITS, toolCallsPerTurn: 2, modelRoundTripsPerTurn: 1 }, () => {
    ended += 1;
  });
  for (let turn = 0; turn < 2; turn += 1) {
    ended = 0;
    guard.handlers.before_agent_start?.({ prompt: "", systemPrompt: "" });
    const verdicts = [1, 2, 3].map(() => guard.handlers.tool_call?.(call));
    expect(verdicts).toEqual([undefined, undefined, { block: true, reason: TOO_MANY_TOOL_CALLS }]);
    guard.handlers.turn_start?.();
    expect(ended).toBe(0);
    guard.handlers.turn_start?.();
    expect(ended).toBe(1);
  }
});
