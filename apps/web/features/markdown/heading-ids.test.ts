import { describe, expect, it } from "bun:test";
import { headingId } from "./heading-ids";

const named = (...texts: string[]) => {
  const used = new Map<string, number>();
  return texts.map((text) => headingId(text, used));
};

describe("the name of a heading", () => {
  it("is its words, in any script, as code hosts write them", () => {
    expect(named("What's new in `turn.ts`?", "一次拒绝，由什么组成", "A & B", "snake_case")).toEqual([
      "whats-new-in-turnts",
      "一次拒绝由什么组成",
      "a--b",
      "snake_case",
    ]);
  });

  it("is used once, whatever the text repeats or claims", () => {
    expect(named("Same", "same", "Same", "same-1", "…", "!")).toEqual([
      "same",
      "same-1",
      "same-2",
      "same-1-1",
      "section",
      "section-1",
    ]);
  });

  it("is never one that a script of the page goes by", () => {
    expect(named("__next_f")).toEqual(["next_f"]);
  });
});
