import { describe, expect, it } from "bun:test";
import { LIMITS } from "../../../../shared/limits";
import { parseDrafts, withDraft } from "./drafts";

describe("drafts", () => {
  it("are one a session, the last written last", () => {
    const drafts = withDraft(withDraft(withDraft([], "a", "one"), null, "new"), "a", "two");
    expect(drafts).toEqual([
      ["", "new"],
      ["a", "two"],
    ]);
  });

  it("are forgotten when emptied or far too long, and the oldest one makes room", () => {
    expect(withDraft([["a", "one"]], "a", "")).toEqual([]);
    const most = "x".repeat(2 * LIMITS.promptChars);
    expect(withDraft([], "a", most)).toHaveLength(1);
    expect(withDraft([], "a", `${most}x`)).toEqual([]);
    const full = Array.from({ length: LIMITS.drafts }, (_, index) => [String(index), "text"] as const);
    const more = withDraft(full, "last", "text");
    expect([more.length, more[0]?.[0], more.at(-1)?.[0]]).toEqual([LIMITS.drafts, "1", "last"]);
  });

  it("are read from what this page wrote, and from nothing else", () => {
    const drafts = [["a", "one"]] as const;
    expect(parseDrafts(JSON.stringify(drafts))).toEqual([["a", "one"]]);
    for (const other of [null, "", "{", "{}", "7", '[["a"]]', '[["a", 1]]', '["ab"]']) {
      expect([other, parseDrafts(other)]).toEqual([other, []]);
    }
  });
});
