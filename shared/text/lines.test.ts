import { describe, expect, it } from "bun:test";
import { countLines, linesOf } from "./lines";

describe("lines", () => {
  it.each<[string, string[]]>([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\nb", ["a", "b"]],
    ["\n", [""]],
    ["\n\n", ["", ""]],
    ["a\n\nb\n", ["a", "", "b"]],
    ["a\r\nb\r\n", ["a\r", "b\r"]],
    ["a\rb\u2028c", ["a\rb\u2028c"]],
  ])("of %j are %j, and are counted alike", (text, lines) => {
    expect(linesOf(text)).toEqual(lines);
    expect(countLines(text)).toBe(lines.length);
  });
});
