import { describe, expect, it } from "bun:test";
import { clickedRange, formatRange, parseRange, typedRange } from "./line-range";

describe("lines in an address", () => {
  it("are one or a range, whichever end comes first", () => {
    expect(["#L10", "#L10-L20", "#L20-L10", "#L7-9"].map(parseRange)).toEqual([
      { first: 10, last: 10 },
      { first: 10, last: 20 },
      { first: 10, last: 20 },
      { first: 7, last: 9 },
    ]);
  });

  it("are nothing in any other fragment", () => {
    for (const hash of ["", "#", "#L", "#L0", "#L1-L0", "#L1-", "#l1", "#L1x", "#L12345678", "#install"]) {
      expect([hash, parseRange(hash)]).toEqual([hash, null]);
    }
  });

  it("come back from what is written for them", () => {
    for (const hash of ["#L1", "#L3-L1000"]) expect(formatRange(parseRange(hash)!)).toBe(hash);
  });

  it("can be typed as people do", () => {
    expect(["24", " 24-31 ", "L24 - L31", "l24–31", "31-24"].map(typedRange)).toEqual([
      { first: 24, last: 24 },
      { first: 24, last: 31 },
      { first: 24, last: 31 },
      { first: 24, last: 31 },
      { first: 24, last: 31 },
    ]);
    expect(["", "x", "0", "-3"].map(typedRange)).toEqual([null, null, null, null]);
  });

  it("follow clicks: one, stretched both ways with Shift, let go", () => {
    const one = clickedRange(null, 5, false)!;
    expect(one).toEqual({ first: 5, last: 5 });
    expect(clickedRange(one, 9, true)).toEqual({ first: 5, last: 9 });
    expect(clickedRange(one, 2, true)).toEqual({ first: 2, last: 5 });
    expect(clickedRange({ first: 2, last: 9 }, 5, true)).toEqual({ first: 2, last: 5 });
    expect(clickedRange({ first: 2, last: 9 }, 2, false)).toEqual({ first: 2, last: 2 });
    expect(clickedRange(one, 5, false)).toBeNull();
    expect(clickedRange(null, 4, true)).toEqual({ first: 4, last: 4 });
  });
});
