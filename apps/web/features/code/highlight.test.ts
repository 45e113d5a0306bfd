import { describe, expect, it } from "bun:test";
import { LIMITS } from "../../../../shared/limits";
import { highlightLines, type Token } from "./highlight";

const LANGUAGES = [
  ...["bash", "css", "diff", "dockerfile", "toml", "javascript", "json", "markdown", "powershell", "python", "sql"],
  ...["typescript", "xml", "yaml", "text", "cobol"],
];
const textOf = (lines: Token[][]) => lines.map((line) => line.map(({ text }) => text).join("")).join("\n");

describe("code in weights and inks", () => {
  it("tells comments, words of the language and strings apart, and nothing else", () => {
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: code as it would stand in a file.
    expect(highlightLines("// why\nconst a = `x ${1 + b} y`;", "typescript")).toEqual([
      [{ ink: "comment", text: "// why" }],
      [
        { ink: "word", text: "const" },
        { ink: null, text: " a = " },
        { ink: "string", text: "`x " },
        { ink: null, text: "${1 + b}" },
        { ink: "string", text: " y`" },
        { ink: null, text: ";" },
      ],
    ]);
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above
  });

  it("keeps a comment of several lines a comment on each", () => {
    const inks = highlightLines("/* a\n\n b */ x", "css").map((line) => line.map(({ ink }) => ink));
    expect(inks).toEqual([["comment"], [], ["comment", null]]);
  });

  it("loses and adds no character, in any language, known or not", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code as it would stand in a file.
    const odd = 'a <b> & "c"\r\n\n\t/* 中文 \u{1f600} */ ${`x`} <!-- y -->\n--- # z\n';
    for (const language of LANGUAGES) {
      expect([language, textOf(highlightLines(odd, language))]).toEqual([language, odd]);
    }
  });

  it("is plain for a language it does not know, and for a text that would take too long", () => {
    const known = "const a = 1;";
    expect(highlightLines(known, "xray-html")).toEqual([[{ ink: null, text: known }]]);
    const long = known.padEnd(LIMITS.highlightChars + 1);
    expect(highlightLines(long, "typescript")).toEqual([[{ ink: null, text: long }]]);
    expect(highlightLines(long.slice(0, -1), "typescript")[0]?.length).toBeGreaterThan(1);
  });
});
