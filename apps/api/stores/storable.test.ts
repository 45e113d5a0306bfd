import { expect, test } from "bun:test";
import { storableJson, storableText } from "./storable";

test.each([
  ["plain 中文 🔑", "plain 中文 🔑"],
  ["a\0b", "a\ufffdb"],
  ["half \ud83d pair", "half \ufffd pair"],
  ["\udd11", "\ufffd"],
])("%p is stored as %p", (text, stored) => {
  expect(storableText(text)).toBe(stored);
});

test("JSON is made storable at every depth, names too, and keeps its order", () => {
  const value = { z: ["\0", { "k\0": "\ud83d" }], a: 1, n: null, gone: undefined };
  expect(storableJson(value)).toBe('{"z":["\ufffd",{"k\ufffd":"\ufffd"}],"a":1,"n":null}');
});
