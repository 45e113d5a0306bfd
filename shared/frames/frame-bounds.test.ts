import { describe, expect, it } from "bun:test";
import { fitsFrame, frameHeight } from "./frame-bounds";

describe("the source of a frame", () => {
  it.each<[string, string, boolean]>([
    ["nothing", "", true],
    ["16,384 bytes", "a".repeat(16_384), true],
    ["16,385 bytes", "a".repeat(16_385), false],
    ["16,383 bytes in 5,461 Chinese characters", "图".repeat(5_461), true],
    ["16,386 bytes in 5,462 Chinese characters", "图".repeat(5_462), false],
    ["two million characters", "a".repeat(2_000_000), false],
  ])("%s", (_name, source, fits) => {
    expect(fitsFrame(source)).toBe(fits);
  });
});

describe("the height of a frame", () => {
  it.each<[string, number]>([
    ["", 320],
    ["height=10", 160],
    ["height=159", 160],
    ["height=161", 161],
    ["height=479", 479],
    ["height=9999", 480],
    ["height=-5", 160],
    [`height=${"9".repeat(400)}`, 480],
    ["title=x height=200 y", 200],
    ["height=200 height=300", 200],
    ["height=200px", 320],
    ["height=2e2", 320],
    ["height=", 320],
    ["maxheight=200", 320],
    ["HEIGHT=200", 320],
  ])("behind %p is %p", (meta, height) => {
    expect(frameHeight(meta)).toBe(height);
  });
});
