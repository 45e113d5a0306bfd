import { describe, expect, it } from "bun:test";
import { BoundedQueue } from "./bounded-queue";

describe("a bounded queue", () => {
  it("hands items over in order and in batches of a bounded size, also those that come while the reader waits", async () => {
    const queue = new BoundedQueue<number>(10, 2);
    const reader = queue[Symbol.asyncIterator]();
    for (const item of [1, 2, 3]) queue.push(item);
    expect(await reader.next()).toEqual({ done: false, value: [1, 2] });
    queue.push(4);
    expect(await reader.next()).toEqual({ done: false, value: [3, 4] });
    const waiting = reader.next();
    queue.push(5);
    queue.push(6);
    expect(await waiting).toEqual({ done: false, value: [5, 6] });
  });

  it("refuses the item past its limit and never holds more, wherever the reader stands", async () => {
    const queue = new BoundedQueue<number>(3, 2);
    expect([1, 2, 3, 4].map((item) => queue.push(item))).toEqual([true, true, true, false]);
    const reader = queue[Symbol.asyncIterator]();
    await reader.next();
    // The reader still has the first two in hand, and the third waits for it.
    expect(queue.push(5)).toBe(false);
    expect((await reader.next()).value).toEqual([3]);
    expect([5, 6, 7].map((item) => queue.push(item))).toEqual([true, true, false]);
    expect((await reader.next()).value).toEqual([5, 6]);
  });

  it("ends the reader's loop when closed and drops what waits", async () => {
    const queue = new BoundedQueue<number>(10, 1);
    const reader = queue[Symbol.asyncIterator]();
    queue.push(1);
    queue.push(2);
    await reader.next();
    queue.close();
    expect(await reader.next()).toEqual({ done: true, value: undefined });
    expect(queue.push(3)).toBe(false);
  });

  it("ends a reader that is waiting when it is closed", async () => {
    const queue = new BoundedQueue<number>(10, 1);
    const waiting = queue[Symbol.asyncIterator]().next();
    queue.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });
});
