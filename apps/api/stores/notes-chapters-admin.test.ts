import { expect, test } from "bun:test";
import { countWords } from "./notes-chapters-admin";

test.each([
  ["", 0],
  ["one two  three\nfour", 4],
  ["don't re-run it's-fine", 3],
  ["内核说不", 4],
  ["内核 kernel 说不", 5],
  ["用 pi 的 4 种模式", 7],
  ["# Title\n\n- `SET LOCAL ROLE`", 4],
  ["ひらがなカタ", 6],
  ["—— …… !!!", 0],
])("%p has %p words", (text, words) => {
  expect(countWords(text)).toBe(words);
});
