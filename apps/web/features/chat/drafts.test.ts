import { afterEach, describe, expect, it } from "bun:test";
import { LIMITS } from "../../../../shared/limits";
import { adoptDraft, keepDraft, parseDrafts, recallDraft, withDraft } from "./drafts";

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

describe("drafts in the storage of a tab", () => {
  const stored = new Map<string, string>();
  const works = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  };
  const refuse = (): never => {
    throw new DOMException("no", "QuotaExceededError");
  };
  const use = (storage: object) =>
    Object.defineProperty(globalThis, "sessionStorage", { value: storage, configurable: true });
  afterEach(() => {
    stored.clear();
    Reflect.deleteProperty(globalThis, "sessionStorage");
  });

  it("are another session's only where the new conversation became that session", () => {
    use(works);
    keepDraft("a", "one");
    keepDraft(null, "new");
    expect([recallDraft("a"), recallDraft("b"), recallDraft(null)]).toEqual(["one", "", "new"]);
    adoptDraft("b");
    expect([recallDraft("a"), recallDraft("b"), recallDraft(null)]).toEqual(["one", "new", ""]);
    keepDraft("a", "");
    keepDraft("b", "");
    expect(stored.size).toBe(0);
  });

  it("are as if never written where storage is full, and where there is none", () => {
    use({ ...works, setItem: refuse });
    keepDraft("a", "one");
    expect(recallDraft("a")).toBe("");
    use({ getItem: refuse, setItem: refuse, removeItem: refuse });
    keepDraft("a", "one");
    keepDraft("a", "");
    expect(recallDraft("a")).toBe("");
  });
});
