import { expect, it } from "bun:test";
import { axisSpanMs, axisTicks, formatCount, formatDuration } from "./time-scale";

it("writes a duration with its unit, and a dash for one that is not known", () => {
  const shown = [0, 3.4, 331, 999.4, 999.6, 1_000, 11_449, 72_400, null, -1, Number.NaN].map((ms) =>
    formatDuration(ms),
  );
  expect(shown).toEqual(["0 ms", "3 ms", "331 ms", "999 ms", "1.0 s", "1.0 s", "11.4 s", "72.4 s", "-", "-", "-"]);
});

it("rescales to the next round span that holds the turn", () => {
  expect([0, 1_200, 1_201, 2_900, 6_000, 6_001, 11_400, 12_001, 300_000, 600_000].map(axisSpanMs)).toEqual([
    1_200, 1_200, 1_500, 3_000, 6_000, 9_000, 12_000, 15_000, 300_000, 600_000,
  ]);
});

it("divides the axis into six parts and names the unit once", () => {
  expect(axisTicks(12_000).map(({ label }) => label)).toEqual(["0", "2", "4", "6", "8", "10", "12 s"]);
  expect(axisTicks(15_000).map(({ label }) => label)).toEqual(["0", "2.5", "5", "7.5", "10", "12.5", "15 s"]);
  expect(axisTicks(1_200).map(({ label }) => label)).toEqual(["0", "0.2", "0.4", "0.6", "0.8", "1", "1.2 s"]);
});

it("names longer units where a clock has leapt", () => {
  expect(axisTicks(4 * 3_600_000).map(({ label }) => label)).toEqual(["0", "0.67", "1.33", "2", "2.67", "3.33", "4 h"]);
  expect(axisTicks(axisSpanMs(5 * 86_400_000)).at(-1)!.label).toBe("5.21 d");
});

it("groups the digits of a count by three", () => {
  expect([0, 999, 1_000, 12_345, 1_234_567, 999.6, -1_234].map(formatCount)).toEqual([
    "0",
    "999",
    "1,000",
    "12,345",
    "1,234,567",
    "1,000",
    "-1,234",
  ]);
});
