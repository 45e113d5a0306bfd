import { afterEach, beforeEach, expect, it, jest } from "bun:test";
import { onTicks } from "./ticks";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it("tells all of one pace at the same moment, whenever they began, and nobody after the end", () => {
  const told: string[] = [];
  const first = onTicks(100, () => told.push("first"));
  jest.advanceTimersByTime(60);
  const second = onTicks(100, () => told.push("second"));
  jest.advanceTimersByTime(40);
  expect(told).toEqual(["first", "second"]);
  first();
  jest.advanceTimersByTime(100);
  expect(told).toEqual(["first", "second", "second"]);
  second();
  second();
  jest.advanceTimersByTime(1_000);
  expect(told).toHaveLength(3);
});
