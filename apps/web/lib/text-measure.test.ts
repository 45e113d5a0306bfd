import { describe, expect, it } from "bun:test";
import { languageOf, measureText } from "./text-measure";

describe("the measure of a text", () => {
  it("counts Chinese in characters and anything else in words", () => {
    expect(measureText("字".repeat(3_500))).toEqual({ language: "zh", minutes: 10 });
    expect(measureText("word ".repeat(2_200))).toEqual({ language: "en", minutes: 10 });
    expect(measureText("字".repeat(350) + " word".repeat(220))).toEqual({ language: "zh", minutes: 2 });
  });

  it("is never less than a minute", () => {
    for (const text of ["", "…", "short"]) expect(measureText(text).minutes).toBe(1);
  });

  it("takes a Chinese text with Latin names for Chinese, and a quoted character for nothing", () => {
    expect(languageOf("内核先发出 tool_execution_start，再在 tool_call 上问一圈")).toBe("zh");
    expect(languageOf("The character 不 means no in this short sentence")).toBe("en");
  });
});
