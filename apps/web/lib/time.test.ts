import { describe, expect, it } from "bun:test";
import { dayAndTime, formatDuration, formatTokens, longDay, shortDay, timeAgo } from "./time";

const NOW = Date.parse("2026-11-30T12:00:00.000Z");
const before = (ms: number) => timeAgo(new Date(NOW - ms).toISOString(), NOW);

describe("time ago", () => {
  it("changes its unit exactly at a minute, an hour, a day and two days", () => {
    expect(before(59_999)).toEqual({ key: "now" });
    expect(before(60_000)).toEqual({ key: "minutes", n: 1 });
    expect(before(3_599_999)).toEqual({ key: "minutes", n: 59 });
    expect(before(3_600_000)).toEqual({ key: "hours", n: 1 });
    expect(before(86_399_999)).toEqual({ key: "hours", n: 23 });
    expect(before(86_400_000)).toEqual({ key: "yesterday" });
    expect(before(2 * 86_400_000)).toEqual({ key: "days", n: 2 });
  });

  it("is now for a clock that runs ahead and for a time that cannot be read", () => {
    expect(before(-5_000)).toEqual({ key: "now" });
    expect(timeAgo("never", NOW)).toEqual({ key: "now" });
  });
});

describe("numbers in sentences", () => {
  it("write durations so that no unit overflows into the next", () => {
    expect([38, 999, 11_400, 59_949, 59_950, 125_000].map((ms) => formatDuration(ms, "en"))).toEqual([
      "38 ms",
      "999 ms",
      "11.4 s",
      "59.9 s",
      "1 min 0 s",
      "2 min 5 s",
    ]);
    expect(formatDuration(11_400, "zh")).toBe("11.4 秒");
  });

  it("write days day first in English", () => {
    const iso = "2026-11-28T23:59:00.000Z";
    expect([shortDay(iso, "en"), longDay(iso, "en")]).toEqual(["28 Nov", "28 November 2026"]);
    expect([shortDay(iso, "zh"), longDay(iso, "zh")]).toEqual(["11月28日", "2026年11月28日"]);
    expect([dayAndTime(iso, "en"), dayAndTime(iso, "zh")]).toEqual(["28 Nov, 23:59", "11月28日 23:59"]);
  });

  it("write token counts with one decimal", () => {
    expect([0, 999, 1_000, 48_210, 999_949, 999_950].map(formatTokens)).toEqual([
      "0",
      "999",
      "1.0k",
      "48.2k",
      "999.9k",
      "1.0M",
    ]);
  });
});
