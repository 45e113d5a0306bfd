import { describe, expect, it } from "bun:test";
import { LIMITS } from "../../../../shared/limits";
import { wholeLines } from "./source-text";

describe("a result of whole lines", () => {
  it("is head, lines and note", () => {
    expect(wholeLines("head", ["a", "b"], (shown) => (shown === 2 ? null : "more"))).toBe("head\na\nb");
    expect(wholeLines("head", [], () => "more")).toBe("head\n\nmore");
  });

  it("ends with a complete line before the note, and the note is never cut", () => {
    for (const width of [7, 40, 333, 999]) {
      const lines = Array.from({ length: 2_000 }, (_, index) => `${index}`.padEnd(width, "x"));
      let counted = 0;
      const text = wholeLines("head", lines, (shown) => {
        counted = shown;
        return "n".repeat(550);
      });
      expect(text).toBe(`${["head", ...lines.slice(0, counted)].join("\n")}\n\n${"n".repeat(550)}`);
      expect(text.length).toBeLessThanOrEqual(LIMITS.toolResultChars);
      expect(text.length).toBeGreaterThan(LIMITS.toolResultChars - 600 - width - 1 - 50);
    }
  });

  it("cuts a line that alone would take it whole, and marks the cut", () => {
    const text = wholeLines("head", ["y".repeat(50_000), "z"], () => null);
    expect(text).toBe(`head\n${"y".repeat(LIMITS.sourceLineChars)} … (the line goes on)\nz`);
  });

  it("leaves no half of a character at a cut", () => {
    const text = wholeLines("head", [`${"y".repeat(LIMITS.sourceLineChars - 1)}😀😀`], () => null);
    expect(text.isWellFormed()).toBe(true);
  });
});
