/** `./xray cases`: the committed files pass whole, a wrong verdict is found, and no file of another kind is judged. */
import { describe, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { judgeText, report } from "../../cli/commands/cases.mts";
import { Refusal } from "../../cli/refusal.mts";

const textOf = (name: string) => readFileSync(join(import.meta.dir, "../cases", `${name}.json`), "utf8");
const judge = (file: unknown) => judgeText(JSON.stringify(file), "file.json");

describe("the committed cases", () => {
  it("of paths are all judged as they say; archives are left out", async () => {
    const judged = await judgeText(textOf("paths"), "paths.json");
    const { path_cases, set_cases, zip_cases } = JSON.parse(textOf("paths"));
    expect(report(judged)).toEqual([
      "skipped: no archive is ever imported",
      `${path_cases.length + set_cases.length} passed, 0 failed, ${zip_cases.length} skipped`,
    ]);
  });

  it("of unicode are all judged as they say", async () => {
    const judged = await judgeText(textOf("unicode"), "unicode.json");
    expect(report(judged)).toEqual([`${JSON.parse(textOf("unicode")).cases.length} passed, 0 failed`]);
  });

  it("with every verdict of the paths turned round fail one by one, each in a line", async () => {
    const file = JSON.parse(textOf("paths"));
    const turned: Record<string, string> = { accept: "reject", reject: "accept", either: "either" };
    for (const one of [...file.path_cases, ...file.set_cases]) one.verdict = turned[one.verdict];
    const clear = [...file.path_cases, ...file.set_cases].filter(
      ({ verdict }: { verdict: string }) => verdict !== "either",
    );
    const failed = (await judge(file)).filter(({ fault }) => fault !== null);
    expect(failed.map(({ id }) => id)).toEqual(clear.map(({ id }: { id: string }) => id));
    for (const line of report(failed)) expect(line).toMatch(/^[\x20-\x7e…]+$/);
  });
});

describe("a mismatch", () => {
  it("says what came out and what should have, in plain characters", async () => {
    const judged = await judge({
      path_cases: [
        { id: "a", path: "../\u202e", verdict: "accept" },
        { id: "b", path: "ok.md", verdict: "reject", level: "should" },
        { id: "c", path: "ok.md", verdict: "accept" },
      ],
      set_cases: [{ id: "d", paths: ["A", "a"], verdict: "accept" }],
    });
    expect(report(judged)).toEqual([
      'a (must): refused, and should not be: "../\\u202e" has a segment of dots alone, which names another folder.',
      'b (should): accepted, and should not be: "ok.md"',
      'd (must): refused, and should not be: "a" and "A" are one file on many disks.',
      "1 passed, 3 failed",
    ]);
  });

  it("of a text names the character that is left, or what the text became", async () => {
    const text = { kind: "prefill", input: "a b", expected: "a b" };
    const judged = await judge({
      cases: [
        { id: "a", ...text, must_not_contain: ["U+0062"] },
        { id: "b", ...text, expected: "内" },
        { id: "c", ...text, also_ok: [] },
      ],
    });
    expect(report(judged)).toEqual([
      'a (must): U+0062 is left in "a b"',
      'b (must): became "a b", should be "\\u5185"',
      "1 passed, 2 failed",
    ]);
  });

  it("is what a rule that throws makes of its case, and of no other", async () => {
    const { judged } = await import("../../cli/cases/format.mts");
    const thrown = judged({ id: "a", level: "must" }, () => {
      throw new TypeError("inner text");
    });
    expect(thrown).toEqual({ id: "a", level: "must", fault: "the rule threw TypeError" });
  });
});

describe("a file", () => {
  it.each([
    ["not json", "file.json is no JSON object."],
    ["[]", "file.json is no JSON object."],
    ["null", "file.json is no JSON object."],
    ["{}", "file.json is of no format that is known here."],
    ['{"cases": []}', "file.json is of no format that is known here."],
    ['{"path_cases": [{"id": "x"}]}', "file.json has a case that is not of the format paths: path_cases.0.path."],
    [
      '{"path_cases": [{"id": "x", "path": "a", "verdict": "maybe"}]}',
      "file.json has a case that is not of the format paths: path_cases.0.verdict.",
    ],
  ])("of %s is refused in one sentence", async (text, sentence) => {
    const refused = await judgeText(text, "file.json").catch((error: Refusal) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect((refused as Refusal).sentence).toBe(sentence);
  });
});
