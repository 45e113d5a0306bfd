import { expect, test } from "bun:test";
import { ManualClock } from "../../../tests/support/manual-clock.mts";
import { MergeWindow } from "./merge-window";
import type { KernelEvent } from "./sanitise";

function setUp() {
  const clock = new ManualClock(0);
  const rows: string[] = [];
  const merge = new MergeWindow(clock, 10, ({ event, mergedCount }) => {
    const part = event.assistantMessageEvent as { type: string; contentIndex: number; delta?: string } | undefined;
    const shown = part
      ? `${part.type}[${part.contentIndex}] ${part.delta ?? "-"}`
      : `${event.type} ${event.toolCallId}`;
    rows.push(`${clock.now()}: ${shown} x${mergedCount}`);
  });
  return { clock, rows, merge };
}
const part = (type: string, contentIndex = 0, delta?: string): KernelEvent => ({
  type: "message_update",
  message: { content: "the whole message" },
  assistantMessageEvent: { type, contentIndex, delta, partial: {} },
});
const text = (delta: string, contentIndex = 0) => part("text_delta", contentIndex, delta);

test("the first event passes at once, the next ones wait for the end of their window", () => {
  const { clock, rows, merge } = setUp();
  merge.take(part("text_start"));
  for (const delta of ["a", "b", "c"]) merge.take(text(delta));
  expect(rows).toEqual(["0: text_start[0] - x1"]);
  clock.advance(99);
  expect(rows.length).toBe(1);
  clock.advance(1);
  expect(rows).toEqual(["0: text_start[0] - x1", "100: text_delta[0] abc x3"]);
});

test("a thousand pieces in one second make ten rows a second and lose nothing", () => {
  const { clock, rows, merge } = setUp();
  for (let i = 0; i < 1_000; i += 1) {
    merge.take(text("x"));
    clock.advance(1);
  }
  merge.flush();
  expect(rows.length).toBe(11);
  const deltas = rows.map((row) => row.split(" ")[2] ?? "").join("");
  expect(deltas).toBe("x".repeat(1_000));
  const counts = rows.map((row) => Number(row.split("x").at(-1)));
  expect(counts.reduce((a, b) => a + b)).toBe(1_000);
});

test("no key makes two rows within one window, whatever the others do", () => {
  const { clock, rows, merge } = setUp();
  for (let i = 0; i < 600; i += 1) {
    merge.take(text("x", i % 3));
    merge.take({ type: "tool_execution_update", toolCallId: `c${i % 2}`, partialResult: i });
    clock.advance(3);
  }
  const times = new Map<string, number[]>();
  for (const row of rows) {
    const [time = "", what = "", id = ""] = row.split(/[: ]+/);
    const key = what.startsWith("text") ? what : id;
    times.set(key, [...(times.get(key) ?? []), Number(time)]);
  }
  expect([...times.keys()].sort()).toEqual(["c0", "c1", "text_delta[0]", "text_delta[1]", "text_delta[2]"]);
  // The first row of a new part puts out what waits of the parts before it; from then on the rate holds.
  for (const list of times.values()) {
    const settled = list.filter((ms) => ms >= 100);
    for (let i = 1; i < settled.length; i += 1) expect(settled[i]! - settled[i - 1]!).toBeGreaterThanOrEqual(100);
  }
});

test("one key's window ending puts out no other key early", () => {
  const { clock, rows, merge } = setUp();
  merge.take(text("a"));
  merge.take(text("b"));
  clock.advance(90);
  const progress: KernelEvent = { type: "tool_execution_update", toolCallId: "c" };
  merge.take(progress);
  merge.take(progress);
  clock.advance(99);
  expect(rows).toEqual(["0: text_delta[0] a x1", "90: tool_execution_update c x1", "100: text_delta[0] b x1"]);
  clock.advance(1);
  expect(rows.at(-1)).toBe("190: tool_execution_update c x1");
});

test("what waits of one part goes before the first row of the next", () => {
  const { rows, merge } = setUp();
  for (const event of [part("text_start"), text("a"), part("toolcall_start", 1)]) merge.take(event);
  expect(rows).toEqual(["0: text_start[0] - x1", "0: text_delta[0] a x1", "0: toolcall_start[1] - x1"]);
});

test("a row with text says so, also when it ends the part", () => {
  const { rows, merge } = setUp();
  for (const event of [part("text_start"), text("a"), part("text_end")]) merge.take(event);
  merge.flush();
  expect(rows[1]).toBe("0: text_delta[0] a x2");
});

test("of a tool's progress the newest state stays", () => {
  const clock = new ManualClock(0);
  const seen: unknown[] = [];
  const merge = new MergeWindow(clock, 10, ({ event, mergedCount }) => seen.push([event.partialResult, mergedCount]));
  for (const partialResult of ["one", "two", "three"]) {
    merge.take({ type: "tool_execution_update", toolCallId: "c", toolName: "t", partialResult });
  }
  clock.advance(100);
  expect(seen).toEqual([
    ["one", 1],
    ["three", 2],
  ]);
});

test("other events are left to the caller, and after a reset no timer is left", () => {
  const { clock, merge } = setUp();
  expect(merge.take({ type: "turn_start" })).toBe(false);
  merge.take(text("a"));
  merge.take(text("b"));
  merge.reset();
  expect(clock.waiting).toBe(0);
});

test("a clock that is set back or forward holds no row up and loses none", () => {
  for (const hours of [-3, 3]) {
    const { clock, rows, merge } = setUp();
    merge.take(text("a"));
    merge.take(text("b"));
    clock.jump(hours * 3_600_000);
    clock.advance(100);
    merge.take(text("c"));
    clock.advance(100);
    expect(rows.map((row) => row.replace(/^-?\d+: /, ""))).toEqual([
      "text_delta[0] a x1",
      "text_delta[0] b x1",
      "text_delta[0] c x1",
    ]);
  }
});
