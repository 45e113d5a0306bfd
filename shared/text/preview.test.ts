import { describe, expect, test } from "bun:test";
import { LIMITS } from "../limits";
import { ASK_CUT_MARK, previewText } from "./preview";

const ask = (value: unknown) => previewText(value, { mark: "ask" });
const trace = (value: unknown) => previewText(value, { mark: "trace" });

describe("previewText", () => {
  test("shows text as it is and anything else as JSON", () => {
    expect(ask("two\nlines")).toBe("two\nlines");
    expect(ask({ query: "role", limit: 5, deep: [true, null] })).toBe('{"query":"role","limit":5,"deep":[true,null]}');
    expect(ask(undefined)).toBe("");
  });

  test("cuts both streams at the same place, each with its own mark", () => {
    const text = "x".repeat(500);
    expect(ask(text)).toBe(`${"x".repeat(400)}${ASK_CUT_MARK}`);
    expect(trace(text)).toBe(`${"x".repeat(400)}…[+100 chars]`);
    expect(ask("x".repeat(400))).toBe("x".repeat(400));
  });

  test("counts what a long string inside JSON leaves out", () => {
    const json = JSON.stringify({ query: "x".repeat(100_000) });
    expect(trace({ query: "x".repeat(100_000) })).toBe(`${json.slice(0, 400)}…[+${json.length - 400} chars]`);
  });

  test("replaces what stands under the key of a credential, at any depth", () => {
    expect(ask({ apiKey: "sk-abcdefghijkl", a: { Authorization: "x", list: [{ password: 1 }] } })).toBe(
      '{"apiKey":"[redacted]","a":{"Authorization":"[redacted]","list":[{"password":"[redacted]"}]}}',
    );
  });

  test("replaces values that look like credentials, also when the cut falls inside one", () => {
    expect(ask("use sk-abcdefghij1 or Bearer abcdefgh9")).toBe("use [redacted] or [redacted]");
    const cutInside = `${"x".repeat(390)} sk-abcdefghijklmnopqrstuvwxyz`;
    expect(ask(cutInside)).toBe(`${"x".repeat(390)} [redacted${ASK_CUT_MARK}`);
    expect(ask(`${"x".repeat(397)} sk-${"k".repeat(4_000)}`)).not.toContain("kk");
  });

  test("leaves ordinary words alone", () => {
    expect(ask("task-management and desk-organisers")).toBe("task-management and desk-organisers");
  });

  test("holds no NUL, no lone surrogate and no half pair", () => {
    expect(ask("a\0b\ud800c\u202ed")).toBe("abcd");
    const emoji = ask(`${"x".repeat(399)}😀 and more`);
    expect(emoji).toBe(`${"x".repeat(399)}${ASK_CUT_MARK}`);
    expect(emoji.isWellFormed()).toBe(true);
  });

  test("survives values that JSON does not know", () => {
    const cycle: Record<string, unknown> = { name: "loop" };
    cycle.self = cycle;
    expect(ask(cycle)).toContain('{"name":"loop","self":{"name":"loop"');
    expect(ask({ n: 10n, f() {}, nan: Number.NaN, u: undefined })).toBe('{"n":"10","nan":null}');
    expect(
      ask({
        get boom() {
          throw new Error("no");
        },
      }),
    ).toBe('"…"');
    expect(ask(JSON.parse('{"__proto__":{"polluted":1}}'))).toBe('{"__proto__":{"polluted":1}}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test("does bounded work on a value of any size", () => {
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, "v".repeat(1_000)]));
    const deep = Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => Array(50).fill(wide)));
    expect(ask(deep).length).toBe(LIMITS.previewChars + ASK_CUT_MARK.length);
  });
});
