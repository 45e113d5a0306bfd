import { describe, expect, test } from "bun:test";
import type { ToolDefinition } from "@earendil-works/pi-coding-agent";
import { echo, tool } from "../../../tests/support/scripted-kernel.mts";
import { LIMITS } from "../../../shared/limits";
import { type KernelTool, ToolFailure } from "./kernel-types";
import { adaptTools, TOOL_ABORTED, TOOL_FAILED, TOOL_TIMED_OUT } from "./tool-adapter";

const logged: unknown[] = [];
const log = { info() {}, error: (...line: unknown[]) => void logged.push(line) };
const limits = { ...LIMITS, toolTimeoutMs: 40 };

function adapt(one: KernelTool): ToolDefinition {
  return adaptTools([one], limits, log)[0]!;
}
async function run(one: KernelTool, signal?: AbortSignal, onUpdate?: (update: unknown) => void) {
  return adapt(one).execute("c1", { text: "hi" }, signal, onUpdate as never, undefined as never);
}
const failure = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    (error: Error) => error.message,
  );

describe("names", () => {
  test.each(["bash tool", "", "Echo", "*", "+bash", "1st", `a${"b".repeat(64)}`])("refuses %j", (name) => {
    expect(() => adapt({ ...echo, name })).toThrow("tool name refused");
  });

  test("refuses the same name twice", () => {
    expect(() => adaptTools([echo, echo], limits, log)).toThrow("tool name refused");
  });
});

describe("results", () => {
  test("hands over the text and keeps details apart", async () => {
    const one = tool("t", async () => ({ text: "found", details: { count: 2 } }));
    expect(await run(one)).toEqual({ content: [{ type: "text", text: "found" }], details: { count: 2 } });
  });

  test("cuts the body and says by how much, in no language", async () => {
    const { content } = await run(tool("t", async () => ({ text: "x".repeat(9_000) })));
    expect(content).toEqual([{ type: "text", text: `${"x".repeat(8_000)}…[+1000 chars]` }]);
  });

  test("passes phases on as keys, not as prose, and none after the end", async () => {
    const updates: unknown[] = [];
    let late: (() => void) | undefined;
    const one = tool("t", async (_params, { onPhase }) => {
      onPhase("search.sent");
      onPhase("asked https://gw.example for model qq-17x");
      late = () => onPhase("too_late");
      return { text: "" };
    });
    await run(one, undefined, (update) => updates.push(update));
    late?.();
    expect(updates).toEqual([{ content: [{ type: "text", text: "search.sent" }], details: {} }]);
  });
});

describe("failures", () => {
  test("only a ToolFailure speaks in its own words", async () => {
    expect(await failure(run(tool("t", async () => Promise.reject(new ToolFailure("No such chapter.")))))).toBe(
      "No such chapter.",
    );
    const fault = tool("t", async () => {
      throw new Error("relation notes does not exist at 10.0.0.7");
    });
    logged.length = 0;
    expect(await failure(run(fault))).toBe(TOOL_FAILED);
    expect(logged).toEqual([["a tool failed", new Error("relation notes does not exist at 10.0.0.7"), { tool: "t" }]]);
  });

  test("a tool that throws before it returns a promise, or returns nothing, fails like any other", async () => {
    const sync = tool("t", () => {
      throw new TypeError("x");
    });
    expect(await failure(run(sync))).toBe(TOOL_FAILED);
    expect(await failure(run(tool("t", async () => undefined as never)))).toBe(TOOL_FAILED);
  });

  test("a tool that ignores its signal is left behind at its time limit", async () => {
    expect(await failure(run(tool("t", () => new Promise(() => {}))))).toBe(TOOL_TIMED_OUT);
  });

  test("an abort ends the call at once, also before it began", async () => {
    const stop = new AbortController();
    const running = failure(
      run(
        tool("t", () => new Promise(() => {})),
        stop.signal,
      ),
    );
    stop.abort();
    expect(await running).toBe(TOOL_ABORTED);
    expect(
      await failure(
        run(
          tool("t", () => new Promise(() => {})),
          AbortSignal.abort(),
        ),
      ),
    ).toBe(TOOL_ABORTED);
  });
});

test("pi's context, through which the key can be read, does not reach a tool", async () => {
  let seen: unknown[] = [];
  const execute = async (...all: unknown[]) => {
    seen = all;
    return { text: "" };
  };
  const spy = { ...echo, execute } as KernelTool;
  const context = { modelRegistry: { getApiKeyAndHeaders: () => "key" } };
  await adapt(spy).execute("c1", {}, undefined, undefined, context as never);
  expect(seen.length).toBe(2);
  expect(Object.keys(seen[1] as object).sort()).toEqual(["onPhase", "signal", "toolCallId"]);
});
