/** The words of a command line: what is understood, and what is refused with which help. */
import { describe, expect, it } from "bun:test";
import { nearest, readWords, wholeNumber } from "../../cli/args.mts";

const TABLE = {
  background: { text: "", short: "b" },
  port: { text: "", value: "N", short: "p" },
  only: { text: "", value: "SUITE", many: true },
};
const refusal = (argv: string[], positionals = 0) => {
  try {
    readWords(argv, TABLE, positionals);
    return undefined;
  } catch (error) {
    const { sentence, remedy, exitCode } = error as { sentence: string; remedy: string; exitCode: number };
    return { sentence, remedy, exitCode };
  }
};

describe("readWords", () => {
  it("reads switches, values in both spellings, letters, lists and positional words", () => {
    const words = readWords(["-b", "--port=80", "--only", "db", "one", "--only", "http", "--", "--two"], TABLE, 2);
    expect(words.words).toEqual(["one", "--two"]);
    expect([words.has("background"), words.value("port"), words.values("only")]).toEqual([true, "80", ["db", "http"]]);
  });

  it("keeps an absent option apart from an empty one", () => {
    expect(readWords([], TABLE, 0).value("port")).toBeUndefined();
    expect(readWords(["--port="], TABLE, 0).value("port")).toBe("");
  });

  const cases: [string[], string, string][] = [
    [["--prot", "1"], "There is no option --prot.", "Did you mean --port?"],
    [["--zzzzzz"], "There is no option --zzzzzz.", ""],
    [["--back"], "There is no option --back.", "Did you mean --background?"],
    [["--port"], "--port needs a value: --port N.", ""],
    [["--port", "--background"], "--port needs a value: --port N.", ""],
    [["--background=yes"], "--background takes no value.", ""],
    [["--port", "1", "-p", "2"], "--port is given twice.", ""],
    [["word"], '"word" is one word too many.', ""],
    [["port"], '"port" is one word too many.', "Did you mean --port?"],
  ];
  for (const [argv, sentence, remedy] of cases) {
    it(`refuses ${argv.join(" ")} as wrong words`, () => {
      expect(refusal(argv)).toEqual({ sentence, remedy, exitCode: 2 });
    });
  }
});

describe("wholeNumber", () => {
  it("takes whole numbers within the bounds", () => {
    expect([wholeNumber("n", undefined, 1, 9), wholeNumber("n", "1", 1, 9), wholeNumber("n", "9", 1, 9)]).toEqual([
      undefined,
      1,
      9,
    ]);
  });
  for (const text of ["", "0", "10", "1.5", "-1", "1e0", "0x1", " 1", "١"]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => wholeNumber("n", text, 1, 9)).toThrow("--n is a whole number from 1 to 9.");
    });
  }
});

describe("nearest", () => {
  const names = ["up", "down", "status", "provider add"];
  it("finds slips and beginnings, and stays silent for words that are far off", () => {
    expect(["donw", "stat", "statsu", "provider ad", "x", "elephant"].map((word) => nearest(word, names))).toEqual([
      "down",
      "status",
      "status",
      "provider add",
      "up",
      undefined,
    ]);
  });
});
