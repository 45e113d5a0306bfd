import { describe, expect, it } from "bun:test";
import { random } from "../../../../tests/support/random.mts";
import { blockSplitter, drawnPart, splitBlocks } from "./blocks";

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

  it("does not tear a list when only the number of its next item has arrived", () => {
    expect(splitBlocks("1. one\n\n2")).toEqual(["1. one\n\n2"]);
    expect(splitBlocks("one\n\n2")).toEqual(["one\n\n", "2"]);
  });

  it("are the same, letter by letter, as those of the text read anew", () => {
    const PARTS = ["a", "*", "- ", "1", "1.", " ", "  ", "\n", "\n\n", "```", "~~~\n", "> ", "[a]", ":", "| b |\n"];
    const chance = random();
    for (let round = 0; round < 300; round++) {
      const grow = blockSplitter();
      let text = "";
      for (let length = 0; length < 30; length++) {
        text += chance.pick(PARTS);
        expect(grow(text)).toEqual(splitBlocks(text));
      }
      expect(grow("another\n\ntext")).toEqual(["another\n\n", "text"]);
    }
  });

  it("stay the very same while others are added, and are not read again", () => {
    const grow = blockSplitter();
    const early = "# One\n\ntwo\n\n";
    const late = "x\n\n".repeat(10_000);
    const before = grow(early + late);
    const after = grow(`${early}${late}more`);
    expect(after).toHaveLength(before.length + 1);
    expect(before.slice(0, -1).every((block, index) => block === after[index])).toBe(true);
  });
});

describe("the drawn part of a growing block", () => {
  it("is all of it while it is short, and full lines in steps of its size when it is long", () => {
    expect(drawnPart("short *te")).toBe("short *te");
    const line = `${"x".repeat(99)}\n`;
    const long = line.repeat(50);
    // 5,000 characters: steps of 256.
    expect(drawnPart(long)).toHaveLength(4_800);
    expect(drawnPart(`${long}${"y".repeat(120)}`)).toHaveLength(5_000);
  });

  it("is cut anywhere in a line without end", () => {
    expect(drawnPart("x".repeat(5_000))).toHaveLength(4_864);
  });

  it("changes so rarely that all drawings together are a small multiple of the last", () => {
    let drawn = "";
    let total = 0;
    for (let length = 0; length <= 100_000; length += 4) {
      const next = drawnPart("x".repeat(length));
      expect(length - next.length).toBeLessThan(Math.max(1, length / 8));
      if (next !== drawn && length >= 4_096) total += next.length;
      drawn = next;
    }
    expect(total / 100_000).toBeLessThan(48);
  });
});
