import { expect, it } from "bun:test";
import { keepUnchanged } from "./keep-unchanged";

it("returns what was there when nothing differs", () => {
  const before = { a: [{ key: "x", n: 1 }], b: null };
  expect(keepUnchanged(before, { a: [{ key: "x", n: 1 }], b: null })).toBe(before);
});

it("reuses every equal part and takes every new one", () => {
  const before = {
    list: [
      { key: "x", inner: { n: 1 } },
      { key: "y", inner: { n: 2 } },
    ],
  };
  const after = keepUnchanged(before, {
    list: [
      { key: "x", inner: { n: 1 } },
      { key: "y", inner: { n: 3 } },
    ],
  });
  expect(after).toEqual({
    list: [
      { key: "x", inner: { n: 1 } },
      { key: "y", inner: { n: 3 } },
    ],
  });
  expect([after.list[0] === before.list[0], after.list[1] === before.list[1]]).toEqual([true, false]);
});

it("finds a list's parts by key when something was put in front of them", () => {
  const before = [{ key: "b", n: 2 }];
  const after = keepUnchanged(before, [
    { key: "a", n: 1 },
    { key: "b", n: 2 },
  ]);
  expect(after[1]).toBe(before[0]!);
});

it("does not keep a part that is gone, nor take a list for an object", () => {
  expect(keepUnchanged({ a: 1, b: 2 }, { a: 1 } as object)).toEqual({ a: 1 });
  expect(keepUnchanged([1, 2], [1])).toEqual([1]);
  expect(keepUnchanged({ 0: 1 }, [1] as unknown)).toEqual([1]);
});
