import { describe, expect, it } from "bun:test";
import { cutPart, prefillHref, readPrefill } from "./prefill";

const at = (search: string) => readPrefill({ pathname: "/", search, hash: "" });

describe("a question in the address", () => {
  it("is read and taken out, whatever else the address holds", () => {
    expect(at("?ask=hi")).toEqual({ text: "hi", address: "/" });
    expect(readPrefill({ pathname: "/", search: "?a=1&ask=x%20y&b=2", hash: "#h" })).toEqual({
      text: "x y",
      address: "/?a=1&b=2#h",
    });
    expect(at("?b=2")).toEqual({ text: "", address: null });
    expect(at("?ask=first&ask=second")).toEqual({ text: "first", address: "/" });
  });

  it("is dropped whole over 1,000 characters, measured before anything is removed", () => {
    expect(at(`?ask=${"x".repeat(1_000)}`).text).toHaveLength(1_000);
    expect(at(`?ask=${"x".repeat(1_001)}`)).toEqual({ text: "", address: "/" });
    expect(at(`?ask=${"x".repeat(999)}%E2%80%AE%E2%80%AE`).text).toBe("");
  });

  it("loses what cannot be seen and keeps line breaks and markup as text", () => {
    expect(at("?ask=a%E2%80%AEb%00c%0Ad").text).toBe("abc\nd");
    expect(at("?ask=%3Cb%3E%20%3Cscript%3E").text).toBe("<b> <script>");
    expect(at("?ask=%20%20").text).toBe("");
  });

  it("survives the link that was built for it", () => {
    const question = "读《说不》 & tell me: 100% + “why”?\nsecond line";
    expect(at(new URL(prefillHref(question), "http://x").search).text).toBe(question);
  });

  it("cuts a part between characters only", () => {
    expect(cutPart("abc", 3)).toBe("abc");
    expect(cutPart("ab\u{1F600}d", 3)).toBe("ab…");
  });
});
