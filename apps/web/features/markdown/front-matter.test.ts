import { describe, expect, it } from "bun:test";
import { splitFrontMatter } from "./front-matter";

describe("the fields before a text", () => {
  it("are what stands between the first two lines of dashes", () => {
    expect(splitFrontMatter("---\nname: a\nb: c --- d\n---\n# Text\n---\n")).toEqual({
      fields: "name: a\nb: c --- d",
      text: "# Text\n---\n",
    });
    expect(splitFrontMatter("---\r\nname: a\r\n---\r\ntext")).toEqual({ fields: "name: a", text: "text" });
    expect(splitFrontMatter("---\n---\ntext")).toEqual({ fields: "", text: "text" });
  });

  it("are none in a text that only begins with a rule, or has one later", () => {
    for (const text of ["---\n\nno end", "text\n---\na: b\n---\n", "----\na\n----\n", ""]) {
      expect(splitFrontMatter(text)).toEqual({ fields: null, text });
    }
  });
});
