import { describe, expect, it } from "bun:test";
import { BoundedQueue } from "./bounded-queue";

describe("a bounded queue", () => {
  it("hands items over in order, also those that come while the reader waits", async () => {
    const queue = new BoundedQueue<number>(10);
    const reader = queue[Symbol.asyncIterator]();
    queue.push(1);
    queue.push(2);
    expect(await reader.next()).toEqual({ done: false, value: 1 });
    queue.push(3);
    expect(await reader.next()).toEqual({ done: false, value: 2 });
    expect(await reader.next()).toEqual({ done: false, value: 3 });
    const waiting = reader.next();
    queue.push(4);
    expect(await waiting).toEqual({ done: false, value: 4 });
  });

  it("refuses the item past its limit and never holds more, wherever the reader stands", async () => {
    const queue = new BoundedQueue<number>(3);
    expect([1, 2, 3, 4].map((item) => queue.push(item))).toEqual([true, true, true, false]);
    const reader = queue[Symbol.asyncIterator]();
    await reader.next();
    // Two of the first batch still wait for the reader, so there is room for one.
    expect([5, 6].map((item) => queue.push(item))).toEqual([true, false]);
    expect([await reader.next(), await reader.next(), await reader.next()].map((r) => r.value)).toEqual([2, 3, 5]);
  });

  it("ends the reader's loop when closed and drops what waits", async () => {
    const queue = new BoundedQueue<number>(10);
    const reader = queue[Symbol.asyncIterator]();
    queue.push(1);
    queue.push(2);
    await reader.next();
    queue.close();
    expect(await reader.next()).toEqual({ done: true, value: undefined });
    expect(queue.push(3)).toBe(false);
  });

  it("ends a reader that is waiting when it is closed", async () => {
    const queue = new BoundedQueue<number>(10);
    const waiting = queue[Symbol.asyncIterator]().next();
    queue.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });
});
