import { describe, expect, it } from "bun:test";
import { formatPreference, parsePreference, pickLanguage } from "./preference";

describe("preference cookie", () => {
  it("holds only what was chosen, in either order of choosing", () => {
    expect(parsePreference("zh.dark")).toEqual({ language: "zh", theme: "dark" });
    expect(parsePreference("en.")).toEqual({ language: "en" });
    expect(parsePreference(".light")).toEqual({ theme: "light" });
    expect(formatPreference({ theme: "light" })).toBe(".light");
    expect(parsePreference(formatPreference({ language: "en", theme: "dark" }))).toEqual({
      language: "en",
      theme: "dark",
    });
  });

  it("treats anything unknown as no choice", () => {
    for (const value of [undefined, "", "fr.sepia", "zh-CN.dark\u0000", "<script>"]) {
      expect(parsePreference(value)).toEqual({});
    }
  });
});

describe("language of a page", () => {
  it("is the choice, whatever the browser says", () => {
    expect(pickLanguage({ language: "zh" }, "en-US,en")).toBe("zh");
  });

  it("is the browser's best known language, and Chinese when it knows neither", () => {
    expect(pickLanguage({}, "en-GB,en;q=0.9,zh;q=0.5")).toBe("en");
    expect(pickLanguage({}, "fr,zh-TW;q=0.4,en;q=0.3")).toBe("zh");
    expect(pickLanguage({}, "fr-FR,de;q=0.9")).toBe("zh");
    expect(pickLanguage({}, "en;q=0, zh")).toBe("zh");
    expect(pickLanguage({}, undefined)).toBe("zh");
  });
});
