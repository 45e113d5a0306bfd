/** The schema language of script inputs: what passes, as what, and the sentence for everything that does not. */
import { describe, expect, it } from "bun:test";
import { checkSkillInput, type SkillField } from "./skill-manifest";

const described = (field: object) => ({ description: "d", ...field }) as SkillField;
const fault = (schema: Record<string, SkillField>, text: string) => {
  const checked = checkSkillInput(schema, text);
  return "fault" in checked ? checked.fault : checked;
};
const one = (field: object, value: unknown) => fault({ x: described(field) }, JSON.stringify({ x: value }));

describe("an input", () => {
  const schema = {
    text: described({ type: "string", maxLength: 5 }),
    top: described({ type: "integer", minimum: 1, maximum: 9, optional: true }),
  };

  it("is handed on with exactly the fields of its schema, in the schema's order", () => {
    const checked = checkSkillInput(schema, '{"top":3,"text":"说不"}');
    expect(JSON.stringify(checked)).toBe('{"input":{"text":"说不","top":3}}');
    expect(checkSkillInput(schema, '{"text":""}')).toEqual({ input: { text: "" } });
    expect(checkSkillInput({}, "{}")).toEqual({ input: {} });
  });

  it("is refused in words of the schema, never in words of the caller", () => {
    const cases: [string, string][] = [
      ["{", "The input is not JSON."],
      ["[]", "The input is not a JSON object."],
      ["null", "The input is not a JSON object."],
      ['"evil"', "The input is not a JSON object."],
      ['{"text":"a","evil":1}', "The input takes only: text, top."],
      ['{"text":"a","__proto__":{"top":1}}', "The input takes only: text, top."],
      ['{"text":"a","constructor":1}', "The input takes only: text, top."],
      ['{"top":1}', '"text" is missing.'],
      ['{"text":"123456"}', '"text" must be text of at most 5 characters.'],
      ['{"text":"a","top":null}', '"top" must be a whole number from 1 to 9.'],
    ];
    expect(cases.map(([text]) => fault(schema, text))).toEqual(cases.map(([, sentence]) => sentence));
    expect(fault({}, '{"x":1}')).toBe("The input takes no field.");
  });
});

describe("a field", () => {
  it("takes its type at both ends of its bounds, and nothing beyond", () => {
    const bounded = { type: "integer", minimum: -2, maximum: 3 };
    expect([-2, 3].map((value) => one(bounded, value))).toEqual([{ input: { x: -2 } }, { input: { x: 3 } }]);
    for (const wrong of [-3, 4, 1.5, "1", true, null, [], 2 ** 53]) {
      expect(one(bounded, wrong), String(wrong)).toBe('"x" must be a whole number from -2 to 3.');
    }
    const text = { type: "string", minLength: 2, maxLength: 3 };
    expect(["ab", "abc"].map((value) => one(text, value))).toEqual([{ input: { x: "ab" } }, { input: { x: "abc" } }]);
    for (const wrong of ["a", "abcd", 12, null]) {
      expect(one(text, wrong)).toBe('"x" must be text of at least 2 characters and at most 3.');
    }
    expect(fault({ x: described({ type: "string" }) }, '{"x":"\\ud800"}')).toBe('"x" must be text.');
    expect(one({ type: "boolean" }, false)).toEqual({ input: { x: false } });
    expect(one({ type: "boolean" }, 0)).toBe('"x" must be true or false.');
    expect(one({ type: "string", enum: ["a", "b"] }, "c")).toBe('"x" must be one of: a, b.');
    expect(one({ type: "integer", minimum: 1 }, 0)).toBe('"x" must be a whole number from 1 up.');
    expect(one({ type: "integer", maximum: 1 }, 2)).toBe('"x" must be a whole number up to 1.');
    expect(one({ type: "integer" }, "2")).toBe('"x" must be a whole number.');
  });

  it("that is an address is handed on as the URL standard spells it, and must still fit then", () => {
    const url = { type: "string", format: "https-url", maxLength: 60 };
    const spelled = [
      ["HTTPS://Example.COM", "https://example.com/"],
      ["https://example.com:443/a/../b", "https://example.com/b"],
      ["https://0x7f.1/", "https://127.0.0.1/"],
      ["https://ｅxample.com/", "https://example.com/"],
      ["https://ex\tample.com/", "https://example.com/"],
      ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ];
    expect(spelled.map(([given]) => one(url, given))).toEqual(spelled.map(([, x]) => ({ input: { x: x! } })));
    const grows = `https://example.com/${"é".repeat(10)}`;
    for (const wrong of ["http://example.com/", "example.com", "https://", "javascript:1", "", grows]) {
      expect(one(url, wrong), wrong).toBe('"x" must be an https address of at most 60 characters.');
    }
  });
});
