import { describe, expect, it } from "bun:test";
import { headingsOf, withoutTitle } from "./headings";

describe("contents of a chapter", () => {
  it("lists headings with their source lines, as plain text, in order", () => {
    expect(headingsOf("intro\n\n## What `block` is\n\n### A [link](/x) and **bold** ##\n#### too deep")).toEqual([
      { line: 3, depth: 2, text: "What block is", id: "h-1" },
      { line: 5, depth: 3, text: "A link and bold", id: "h-2" },
    ]);
  });

  it("sees no heading inside a fence", () => {
    expect(headingsOf("```sh\n# comment\n```\n## real\n~~~\n## not\n").map(({ text }) => text)).toEqual(["real"]);
  });

  it("drops a first heading that repeats the title, and no other", () => {
    expect(withoutTitle("# Saying no\n\ntext", "Saying no")).toBe("text");
    expect(withoutTitle("# Other\n\ntext", "Saying no")).toBe("# Other\n\ntext");
  });
});
