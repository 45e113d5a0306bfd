import { expect, test } from "bun:test";
import type { TraceRow } from "../../../shared/trace-events";
import { LocalTraceBus } from "./trace-bus";

const row = (seq: number): TraceRow => ({
  seq,
  turnSeq: null,
  eventType: "turn_start",
  mode: "notify",
  timestamp: "2026-01-05T08:00:00.000Z",
  data: { type: "turn_start" },
});
const logged: string[] = [];
const busOf = (rows: number) => new LocalTraceBus(rows, { info() {}, error: (message) => void logged.push(message) });

test("hands each row on at once, in order, to its session's listeners only", () => {
  const bus = busOf(10);
  const seen: string[] = [];
  bus.subscribe("a", ({ seq }) => seen.push(`a${seq}`));
  const leave = bus.subscribe("b", ({ seq }) => seen.push(`b${seq}`));
  bus.publish("a", row(0));
  bus.publish("b", row(0));
  leave();
  bus.publish("b", row(1));
  bus.publish("a", row(1));
  expect(seen).toEqual(["a0", "b0", "a1"]);
});

test("keeps the newest rows, never more than its number", () => {
  const bus = busOf(10);
  for (let seq = 0; seq < 100; seq += 1) {
    bus.publish("a", row(seq));
    expect(bus.recent("a").map((one) => one.seq)).toEqual(
      Array.from({ length: Math.min(seq + 1, 10) }, (_, i) => Math.max(0, seq - 9) + i),
    );
  }
  bus.forget("a");
  expect(bus.recent("a")).toEqual([]);
});

test("a listener that fails, now or later, hurts neither the publisher nor the others", async () => {
  const bus = busOf(10);
  const seen: number[] = [];
  bus.subscribe("a", () => {
    throw new Error("now");
  });
  bus.subscribe("a", async () => {
    throw new Error("later");
  });
  bus.subscribe("a", ({ seq }) => seen.push(seq));
  bus.publish("a", row(0));
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual([0]);
  expect(logged).toEqual(["a trace listener failed", "a trace listener failed"]);
});

test("a listener that leaves while rows are handed on gets no second one", () => {
  const bus = busOf(10);
  let count = 0;
  const leave = bus.subscribe("a", () => {
    count += 1;
    leave();
  });
  bus.publish("a", row(0));
  bus.publish("a", row(1));
  expect(count).toBe(1);
});
