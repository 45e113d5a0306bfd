import { expect, it } from "bun:test";
import { formatBytes } from "./bytes";

it("writes sizes in the unit they are read in, with one decimal from a kilobyte on", () => {
  expect([0, 1_023, 1_024, 2_150, 1_023_897, 1_363_149].map(formatBytes)).toEqual([
    "0 B",
    "1023 B",
    "1.0 KB",
    "2.1 KB",
    "999.9 KB",
    "1.3 MB",
  ]);
});
