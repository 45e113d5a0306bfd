import { describe, expect, it } from "bun:test";
import { splitBlocks } from "./blocks";

describe("blocks of a growing answer", () => {
  it("cuts at blank lines between paragraphs, headings and tables", () => {
    expect(splitBlocks("# One\n\ntwo\nlines\n\n| a |\n|---|\n| b |\n\nend")).toEqual([
      "# One\n\n",
      "two\nlines\n\n",
      "| a |\n|---|\n| b |\n\n",
      "end",
    ]);
  });

  it("keeps a fence whole, whatever is inside it and whether it is closed yet", () => {
    expect(splitBlocks("```ts\na\n\nb\n```\n\nend")).toEqual(["```ts\na\n\nb\n```\n\n", "end"]);
    expect(splitBlocks("````md\n```\n\n```\n\nstill\n````\n\nend")).toEqual([
      "````md\n```\n\n```\n\nstill\n````\n\n",
      "end",
    ]);
    expect(splitBlocks("~~~\na\n\n```\n\nb")).toEqual(["~~~\na\n\n```\n\nb"]);
    expect(splitBlocks("``` `x` ```\n\nend")).toEqual(["``` `x` ```\n\n", "end"]);
  });

  it("keeps a loose list and its indented paragraphs together, so that its numbers go on", () => {
    expect(splitBlocks("1. one\n\n   more\n\n2. two\n\nend")).toEqual(["1. one\n\n   more\n\n2. two\n\n", "end"]);
  });

  it("does not cut a text that defines a reference", () => {
    const text = "see [a]\n\nmore\n\n[a]: https://example.com\n";
    expect(splitBlocks(text)).toEqual([text]);
  });

  it("gives the text back, and only ever adds to its last block while a text grows", () => {
    const text = "# A\n\nfirst **bold**\n\n- x\n\n- y\n\n```\ncode\n\ncode\n```\n\n> quote\n\nlast";
    for (let end = 1; end <= text.length; end++) {
      const blocks = splitBlocks(text.slice(0, end));
      expect(blocks.join("")).toBe(text.slice(0, end));
      const grown = splitBlocks(text.slice(0, end + 1));
      expect(grown.slice(0, blocks.length - 1)).toEqual(blocks.slice(0, -1));
    }
  });
});
