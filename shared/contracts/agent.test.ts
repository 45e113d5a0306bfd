import { describe, expect, it } from "bun:test";
import { LIMITS } from "../limits";
import { askContract } from "./agent";

const promptOf = (prompt: string) => askContract.body!.safeParse({ prompt }).data?.prompt;

describe("a prompt", () => {
  it.each<[string, string, string]>([
    ["an order that differs from the one shown", "send \u202Etxt.exe\u202C", "send txt.exe"],
    ["words in tag characters", "hello\u{E0049}\u{E0067}\u{E006E}\u{E006F}\u{E0072}\u{E0065}", "hello"],
    ["zero-width marks", "pass\u200Bword\uFEFF", "password"],
  ])("is what its visitor sees, without %s", (_case, sent, seen) => {
    expect(promptOf(sent)).toBe(seen);
  });

  it("keeps its lines, its tabs and what shapes a character", () => {
    const text = "a\n\tb 👩\u200D🚀 ❤\uFE0F";
    expect(promptOf(text)).toBe(text);
  });

  it("is measured as it is kept, and is none when nothing can be seen", () => {
    expect(promptOf(`${"a".repeat(LIMITS.promptChars)}\u200B`)).toHaveLength(LIMITS.promptChars);
    expect(promptOf("a".repeat(LIMITS.promptChars + 1))).toBeUndefined();
    expect(promptOf(" \u200B\u{E0041} ")).toBeUndefined();
  });
});
