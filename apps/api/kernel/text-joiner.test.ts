import { expect, test } from "bun:test";
import { TextJoiner } from "./text-joiner";

function join(...pieces: string[]): string[] {
  const joiner = new TextJoiner();
  return [...pieces.map((piece) => joiner.add(piece)), joiner.end()];
}

test("a pair cut in two arrives with its second half", () => {
  expect(join("a\ud83d", "\ude00b")).toEqual(["a", "😀b", ""]);
});

test("halves that never meet become the replacement character", () => {
  expect(join("a\ud83d", "b")).toEqual(["a", "\ufffdb", ""]);
  expect(join("\ude00")).toEqual(["\ufffd", ""]);
  expect(join("a\ud83d")).toEqual(["a", "\ufffd"]);
});

test("NUL goes, everything else stays", () => {
  expect(join("a\0b", "", "\u202e\u200d\n")).toEqual(["ab", "", "\u202e\u200d\n", ""]);
});
