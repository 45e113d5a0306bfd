import { describe, expect, it } from "bun:test";
import { createHash } from "node:crypto";
import { parseTokenHashes, principalOf } from "./tokens";

const hex = (token: string) => createHash("sha256").update(token).digest("hex");

describe("the list of hashes", () => {
  it("names each token and what it may do; blanks and empty entries mean nothing", () => {
    const tokens = parseTokenHashes(` owner:${hex("a")} , ,reader:${hex("b")}:ro,`);
    expect(tokens.map(({ name, readOnly, sha256 }) => [name, readOnly, sha256.toString("hex")])).toEqual([
      ["owner", false, hex("a")],
      ["reader", true, hex("b")],
    ]);
    expect(parseTokenHashes("")).toEqual([]);
  });

  it.each([
    "owner",
    hex("a"),
    `:${hex("a")}`,
    `owner:${hex("a").slice(1)}`,
    `owner:${hex("a").toUpperCase()}`,
    `owner:${hex("a")}:rw`,
    `owner:${hex("a")}:ro:ro`,
    `Owner:${hex("a")}`,
    `${"x".repeat(33)}:${hex("a")}`,
    `owner:${hex("a")};reader:${hex("b")}`,
  ])("is refused whole for an entry of another form: %s", (entry) => {
    expect(() => parseTokenHashes(`good:${hex("good")},${entry}`)).toThrow(TypeError);
  });
});

describe("the principal of a header", () => {
  const tokens = parseTokenHashes(`owner:${hex("one")},owner:${hex("two")},reader:${hex("three")}:ro`);

  it("is the name of its token; two tokens may share one while one replaces the other", () => {
    expect(principalOf("Bearer one", tokens)).toEqual({ name: "owner", readOnly: false });
    expect(principalOf("bearer two", tokens)).toEqual({ name: "owner", readOnly: false });
    expect(principalOf("BEARER three", tokens)).toEqual({ name: "reader", readOnly: true });
  });

  it.each<[unknown]>([
    [undefined],
    [null],
    [["Bearer one"]],
    [{}],
    [""],
    ["one"],
    ["Bearer"],
    ["Bearer "],
    ["Bearer  one"],
    ["Bearer one "],
    ["Bearer one two"],
    ["Bearer one\n"],
    ["Basic one"],
    ["xBearer one"],
    ["Bearer öne"],
    [`Bearer ${hex("one")}`],
  ])("is nobody's: %p", (header) => {
    expect(principalOf(header, tokens)).toBeUndefined();
  });

  it("is nobody's while there is no token, and never the empty text's", () => {
    expect(principalOf("Bearer one", [])).toBeUndefined();
    expect(principalOf(undefined, parseTokenHashes(`empty:${hex("")}`))).toBeUndefined();
  });
});
