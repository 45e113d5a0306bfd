import { describe, expect, it } from "bun:test";
import cases from "../../tests/cases/unicode.json";
import { LIMITS } from "../limits";
import { cleanTitle, cutGraphemes, derivedTitle, firstLine, oneLine, stripInvisible } from "./clean";

interface UnicodeCase {
  id: string;
  kind: string;
  input: string;
  expected: string;
  also_ok: string[];
  must_not_contain: string[];
  level?: string;
}

const PIPELINES: Record<string, ((input: string) => string)[]> = {
  title: [derivedTitle, (input) => cleanTitle(input) ?? ""],
  label: [(input) => cutGraphemes(oneLine(input), LIMITS.titleGraphemes)],
  prefill: [(input) => stripInvisible(input, { keep: "\n\t" })],
};

/** The comparison that the case file prescribes. */
function comparable(text: string, kind: string): string {
  const collapsed = kind === "prefill" ? text : text.replace(/\s+/g, " ").replace(/…$/, "");
  return collapsed.trim();
}

describe("the unicode cases", () => {
  for (const item of cases.cases as UnicodeCase[]) {
    const pipelines = PIPELINES[item.kind];
    if (!pipelines) throw new Error(`no pipeline for kind ${item.kind}`);
    it(`${item.id} ${item.kind}`, () => {
      for (const clean of pipelines) {
        const result = clean(item.input);
        // A proposed title may also be refused where a derived one shows symbols: it then counts as empty.
        const refused =
          item.kind === "title" && clean !== derivedTitle && result === "" && !/[\p{L}\p{N}]/u.test(item.expected);
        if (!refused) {
          expect([item.expected, ...item.also_ok].map((text) => comparable(text, item.kind))).toContain(
            comparable(result, item.kind),
          );
        }
        for (const mark of item.must_not_contain) {
          const code = /^U\+([0-9A-F]+)/.exec(mark);
          if (!code) throw new Error(`unreadable mark ${mark}`);
          const character = String.fromCodePoint(Number.parseInt(code[1]!, 16));
          expect(mark.endsWith("alone") ? result.isWellFormed() : !result.includes(character)).toBe(true);
        }
        expect(result.isWellFormed()).toBe(true);
      }
    });
  }

  it("covers every kind", () => {
    expect(new Set((cases.cases as UnicodeCase[]).map((item) => item.kind))).toEqual(
      new Set(["title", "label", "prefill"]),
    );
  });
});

describe("stripInvisible", () => {
  it("is idempotent where removing one character changes the neighbours of another", () => {
    for (const text of [
      "x\uFE0F\u200D\uFE0Fy",
      "👨\u200D\u200D👩",
      "👨\uFE0F\uFE0F\u200D👩",
      "a\u200B\uFE0F\uFE0E",
      "\n\uFE0Fx",
    ]) {
      const once = stripInvisible(text, { keep: "\n\t" });
      expect(stripInvisible(once, { keep: "\n\t" })).toBe(once);
    }
  });

  it("keeps joiners that shape an emoji or a word and drops the others", () => {
    expect(stripInvisible("👨‍👩‍👧 می‌خواهم क्‍ष a\u200Db \u200Cx", { keep: "" })).toBe("👨‍👩‍👧 می‌خواهم क्‍ष ab x");
  });

  it("drops a message hidden in variation selectors", () => {
    expect(stripInvisible("😀\uFE0F\uFE01\uFE02\u{E0101}!", { keep: "" })).toBe("😀\uFE0F!");
  });

  it("turns every line break into a newline when lines are kept and removes them otherwise", () => {
    expect(stripInvisible("a\r\nb\rc\u2028d\te", { keep: "\n\t" })).toBe("a\nb\nc\nd\te");
    expect(stripInvisible("a\r\nb\tc", { keep: "" })).toBe("abc");
  });
});

describe("one line", () => {
  it("joins lines and runs of any blank with one space", () => {
    expect(oneLine("  a\n\n b\u3000\u00A0c\t ")).toBe("a b c");
  });

  it("finds the first line that shows anything", () => {
    expect(firstLine("\n \u200B\n  Real \nmore")).toBe("Real");
    expect(firstLine("\u2060\n")).toBe("");
  });
});

describe("derivedTitle", () => {
  it("marks a cut and nothing else", () => {
    expect(derivedTitle("为什么？\n因为")).toBe("为什么？");
    expect(derivedTitle("词".repeat(41))).toBe(`${"词".repeat(40)}…`);
    expect(derivedTitle("词".repeat(40))).toBe("词".repeat(40));
  });
});

describe("cleanTitle", () => {
  const table: [string, string | null][] = [
    ["“标题：清洗事件。”", "标题：清洗事件"],
    ['"Hello."!', "Hello"],
    ['""Nested""', "Nested"],
    ['"A" or "B"', '"A" or "B"'],
    ["《内核》第四章", "《内核》第四章"],
    ["**Saying no**", "Saying no"],
    ["\u202Eevil\u202C\nsecond", "evil"],
    [`${"a".repeat(39)}, b`, "a".repeat(39)],
    ["…!?", null],
    ["", null],
    ["'\u0007'", null],
  ];
  for (const [raw, title] of table) {
    it(`makes ${JSON.stringify(title)} of ${JSON.stringify(raw)}`, () => {
      expect(cleanTitle(raw)).toBe(title);
      if (title !== null) expect(cleanTitle(title)).toBe(title);
    });
  }

  it("stays within 40 graphemes for 200 characters with bidi, control and quote characters (G1)", () => {
    const title = cleanTitle(`"\u202E${"ab\u0000 ".repeat(70)}"\nmore`);
    expect(title).toBe("ab ".repeat(14).slice(0, 40).trim());
  });
});
