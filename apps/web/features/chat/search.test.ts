import { describe, expect, it } from "bun:test";
import { LIMITS } from "../../../../shared/limits";
import type { ChatTurn } from "./chat-model";
import { excerptOf, searchSessions } from "./search";

function turn(turnSeq: number, prompt: string, text: string): ChatTurn {
  return {
    number: turnSeq / 2 + 1,
    turnSeq,
    prompt,
    askedAt: "2026-11-30T12:00:00.000Z",
    answer: { text, steps: [], status: "completed", watchedFromMs: null },
  };
}

describe("search", () => {
  it("finds titles and messages whatever their case, in the order of the list", () => {
    const hits = searchSessions(" guard ", [
      { id: "a", title: "Who is the Guard?", turns: [] },
      { id: "b", title: "Notes", turns: [turn(0, "Hello", "Nothing"), turn(2, "The GUARD?", "It guards.")] },
      { id: "c", title: "Other", turns: [turn(0, "Hello", "Nothing")] },
    ]);
    expect(hits).toEqual([
      { sessionId: "a", title: ["Who is the ", "Guard", "?"], messages: [] },
      {
        sessionId: "b",
        title: ["Notes"],
        messages: [
          { turnSeq: 2, half: "user", excerpt: ["The ", "GUARD", "?"] },
          { turnSeq: 2, half: "answer", excerpt: ["It ", "guard", "s."] },
        ],
      },
    ]);
  });

  it("takes the query as text, never as a pattern, and finds nothing for nothing", () => {
    const sessions = [{ id: "a", title: "1+1 (two) 守卫", turns: [] }];
    expect(searchSessions("(TWO", sessions)).toHaveLength(1);
    expect(searchSessions("守卫", sessions)).toHaveLength(1);
    for (const query of [".*", "", "  "]) expect(searchSessions(query, sessions)).toEqual([]);
  });

  it("finds words across lines and blanks as on one line, whichever way either is written", () => {
    const turns = [turn(0, "The three\n\n  GATES.", "Three\u00a0gates? Threegates.")];
    const found = (query: string) =>
      searchSessions(query, [{ id: "a", title: "", turns }]).flatMap(({ messages }) =>
        messages.map(({ half }) => half),
      );
    expect(["three gates", "three \t gates", "e\ng", "threegates", "three gates."].map(found)).toEqual([
      ["user", "answer"],
      ["user", "answer"],
      ["user", "answer"],
      ["answer"],
      ["user"],
    ]);
  });

  it("lists no more messages than the limit, and reads none after it", () => {
    const read: number[] = [];
    const turns = Array.from({ length: 500 }, (_, index) =>
      Object.defineProperty(turn(index * 2, "", "word"), "prompt", {
        get() {
          read.push(index);
          return "word";
        },
      }),
    );
    const [hit] = searchSessions("word", [{ id: "a", title: "", turns }]);
    expect(hit?.messages).toHaveLength(LIMITS.searchHits);
    expect(read.length).toBeLessThan(LIMITS.searchHits);
  });

  it("lists no more messages than the limit over all sessions", () => {
    const turns = Array.from({ length: LIMITS.searchHits }, (_, index) => turn(index * 2, "word", "word"));
    const hits = searchSessions("word", [
      { id: "a", title: "", turns },
      { id: "b", title: "word", turns },
    ]);
    expect(hits.map(({ messages }) => messages.length)).toEqual([LIMITS.searchHits, 0]);
  });
});

describe("an excerpt", () => {
  it("is one line around the first place, cut at whole characters", () => {
    expect(excerptOf(`${"👀".repeat(20)}x\n y ${"👀".repeat(40)}`, "X Y")).toEqual([
      `…${"👀".repeat(12)}`,
      "x y",
      ` ${"👀".repeat(29)}…`,
    ]);
    expect(excerptOf("abc", "d")).toBeNull();
  });
});
