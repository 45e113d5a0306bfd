import { describe, expect, it } from "bun:test";
import { LIMITS } from "../../../shared/limits";
import { type PageOf, pageOf, pieceOf } from "./paging";
import { ToolRefusal } from "./tool-refusal";

const SECRET = "a secret of the server";
const rows = Array.from({ length: 60 }, (_, i) => ({ slug: `row-${String(i).padStart(2, "0")}` }));
const keyOf = ({ slug }: { slug: string }) => slug;
const pageAt = (args: { limit?: number; cursor?: string }, owner = "owner\0notes_list") => pageOf(args, SECRET, owner);

/** All pages, from the first cursor to the last. */
function walk(all: readonly { slug: string }[], limit?: number): string[][] {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page: PageOf<{ slug: string }> = pageAt({ limit, cursor })(all, keyOf);
    pages.push(page.rows.map(keyOf));
    expect(page.total).toBe(all.length);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

describe("pages", () => {
  it.each([
    [undefined, [25, 25, 10]],
    [100, [60]],
    [60, [60]],
    [59, [59, 1]],
    [1, Array(60).fill(1)],
  ])("of %p rows hold every row once, in order", (limit, sizes) => {
    const pages = walk(rows, limit);
    expect(pages.map((page) => page.length)).toEqual(sizes);
    expect(pages.flat()).toEqual(rows.map(keyOf));
  });

  it("of an empty list are one, without a cursor", () => {
    expect(pageAt({})([], keyOf)).toEqual({ rows: [], total: 0 });
  });

  it("end early when their rows are long, and hold at least one", () => {
    const long = rows.map((row) => ({ ...row, text: "长".repeat(4_000) }));
    const sizes = walk(long, 100).map((page) => page.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(60);
    expect(Math.max(...sizes) * 12_000).toBeLessThanOrEqual(LIMITS.mcpPageBytes);
    expect(walk([{ slug: "huge", text: "x".repeat(100_000) } as { slug: string }, ...rows])[0]).toEqual(["huge"]);
  });

  it("that a store cut end early too, and hold at least one", () => {
    const long = rows.map((row) => ({ ...row, text: "长".repeat(4_000) }));
    const shown = pageAt({}).within(long);
    expect([shown, shown.length]).toEqual([long.slice(0, shown.length), 4]);
    expect(pageAt({}).within([{ text: "x".repeat(100_000) }, ...rows])).toHaveLength(1);
    expect(pageAt({}).within([])).toEqual([]);
  });

  it("go on after their last row when rows before it are gone, and begin anew when it is gone itself", () => {
    const { nextCursor: cursor } = pageAt({ limit: 10 })(rows, keyOf);
    expect(pageAt({ limit: 2, cursor })(rows.slice(5), keyOf).rows.map(keyOf)).toEqual(["row-10", "row-11"]);
    expect(() => pageAt({ cursor })(rows.slice(10), keyOf)).toThrow(ToolRefusal);
  });
});

describe("a cursor", () => {
  const cursor = pageAt({ limit: 10 })(rows, keyOf).nextCursor!;

  it("opens for whom and what it was made, and for nobody and nothing else", () => {
    expect(pageAt({ cursor }).after).toBe("row-09");
    for (const owner of ["owner\0skills_list", "reader\0notes_list", ""]) {
      expect(() => pageAt({ cursor }, owner)).toThrow("This cursor does not continue this list.");
    }
    expect(() => pageOf({ cursor }, "another secret", "owner\0notes_list")).toThrow(ToolRefusal);
  });

  it.each(["", ".", "x", cursor.slice(0, -1), `${cursor}x`, `é${cursor.slice(1)}`, cursor.replace(".", "..")])(
    "that was altered is refused: %s",
    (altered) => {
      expect(() => pageAt({ cursor: altered })).toThrow(ToolRefusal);
    },
  );

  it("is refused with another row's name in it", () => {
    const [, mark] = cursor.split(".");
    expect(() => pageAt({ cursor: `${Buffer.from("row-30").toString("base64url")}.${mark}` })).toThrow(ToolRefusal);
  });
});

describe("a long text", () => {
  it("comes in pieces that are the whole again, none ending within a character", () => {
    const text = `a${"😀".repeat(40_000)}`;
    const pieces: string[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const piece: ReturnType<typeof pieceOf> = pieceOf(text, offset);
      expect(piece.totalChars).toBe(text.length);
      pieces.push(piece.text);
      offset = piece.nextOffset;
    }
    expect(pieces.join("")).toBe(text);
    expect(pieces.every((piece) => piece.isWellFormed() && piece.length <= LIMITS.mcpTextChars)).toBe(true);
    expect(pieces.length).toBeGreaterThan(2);
  });

  it.each(["字", "\u0001", '"', "\ud800"])("of %j is in pieces that are small as JSON too", (character) => {
    const text = character.repeat(LIMITS.mcpTextChars + 1);
    let whole = "";
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const piece: ReturnType<typeof pieceOf> = pieceOf(text, offset);
      expect(Buffer.byteLength(JSON.stringify(piece.text))).toBeLessThanOrEqual(LIMITS.mcpPageBytes);
      whole += piece.text;
      offset = piece.nextOffset;
    }
    expect(whole).toBe(text);
  });

  it("that is short is one piece, and past its end there is nothing", () => {
    expect(pieceOf("short")).toEqual({ text: "short", totalChars: 5 });
    expect(pieceOf("short", 5)).toEqual({ text: "", totalChars: 5 });
    expect(pieceOf("short", 99)).toEqual({ text: "", totalChars: 5 });
  });
});
