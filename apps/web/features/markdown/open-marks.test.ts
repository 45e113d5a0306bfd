import { describe, expect, it } from "bun:test";
import { closeOpenMarks } from "./open-marks";

describe("marks of a growing answer", () => {
  it("are closed when they are open, whatever they enclose", () => {
    expect(
      ["a **bo", "a *b c", "a ~~b", "a ***b", "a _b", "`co", "``a ` b", "a **b `c", "**a *b", "- x\n- *y"].map(
        closeOpenMarks,
      ),
    ).toEqual([
      "a **bo**",
      "a *b c*",
      "a ~~b~~",
      "a ***b***",
      "a _b_",
      "`co`",
      "``a ` b``",
      "a **b `c`**",
      "**a *b***",
      "- x\n- *y*",
    ]);
  });

  it("are not shown while nothing stands behind them, and half a closing mark is none", () => {
    expect(["a **", "a *", "a `", "a **b*", "``a`", "a **b ", "a\n\n**", "| a | **"].map(closeOpenMarks)).toEqual([
      "a ",
      "a ",
      "a ",
      "a **b**",
      "``a``",
      "a **b**",
      "a\n\n",
      "| a | ",
    ]);
  });

  it("of a link give way to its words until its address is there", () => {
    expect(
      ["see [the", "see [the chapter]", "see [the chapter](", "see [the chapter](/notes/a", "see ![a](x", "**[a"].map(
        closeOpenMarks,
      ),
    ).toEqual(["see the", "see [the chapter]", "see the chapter", "see the chapter", "see a", "**a**"]);
  });

  it("are left alone where they are text", () => {
    for (const text of [
      "2 * 3 * 4",
      "a snake_case_name",
      "\\*not\\*",
      "`**` is bold",
      "```\n**a",
      "[a] and (b",
      "* item",
      "a **b**, `c`, [d](e) and *f* end",
    ]) {
      expect(closeOpenMarks(text)).toBe(text);
    }
  });

  it("stay as they are where more are open than anyone means: each would be an element in the one before", () => {
    expect(closeOpenMarks("*a ".repeat(32))).toBe(`${"*a ".repeat(32).trimEnd()}${"*".repeat(32)}`);
    expect(closeOpenMarks("*a ".repeat(33))).toBe("*a ".repeat(33));
  });

  it("leave no mark open at any moment of a text that grows", () => {
    const text = "One **bold *and* `code`** then [a *link*](https://example.com/a_b), `x * y` and ~~gone~~ ![i](j).";
    for (let end = 1; end <= text.length; end++) {
      const shown = closeOpenMarks(text.slice(0, end));
      expect(closeOpenMarks(shown)).toBe(shown);
      expect((shown.replaceAll(/`[^`]*`|\]\([^)]*\)/g, "").match(/\*\*/g) ?? []).length % 2).toBe(0);
      expect((shown.match(/`/g) ?? []).length % 2).toBe(0);
    }
  });
});
