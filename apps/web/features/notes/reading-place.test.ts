import { describe, expect, it } from "bun:test";
import { currentHeading, shareRead } from "./reading-place";

describe("the place of a reader", () => {
  it("goes from nothing to the whole as the text passes", () => {
    const at = (top: number) => shareRead({ top, height: 3_000 }, 1_000);
    expect([at(48), at(0), at(-500), at(-2_000), at(-2_400)]).toEqual([0, 0, 0.25, 1, 1]);
    expect(shareRead({ top: 48, height: 600 }, 1_000)).toBe(1);
  });

  it("is the last heading in the upper third, none before the first, and the last in view at the end", () => {
    const view = { atEnd: false, viewHeight: 1_000 };
    expect(currentHeading([310, 700, 1_500], view)).toBe(-1);
    expect(currentHeading([-900, 299, 700], view)).toBe(1);
    expect(currentHeading([-900, 299, 700, 1_200], { ...view, atEnd: true })).toBe(2);
    expect(currentHeading([], view)).toBe(-1);
  });
});
