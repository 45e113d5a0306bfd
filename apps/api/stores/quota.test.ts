import { expect, test } from "bun:test";
import { withEnvironment } from "../../../tests/support/environment.mts";
import { quotaDay, wholeCount } from "./quota";

test.each([
  ["2026-03-01T15:59:59.999Z", "2026-03-01"],
  ["2026-03-01T16:00:00.000Z", "2026-03-02"],
  ["2026-12-31T16:00:00.000Z", "2027-01-01"],
  ["2028-02-28T16:00:00.000Z", "2028-02-29"],
])("%s belongs to %s, whatever the zone of the process", async (moment, day) => {
  for (const TZ of ["UTC", "America/Los_Angeles", "Pacific/Kiritimati"]) {
    await withEnvironment({ TZ }, () => expect(quotaDay(new Date(moment))).toBe(day));
  }
});

test.each([
  [1_330, 1_330],
  [0.5, 1],
  [-3, 0],
  [Number.NaN, 0],
  [Number.POSITIVE_INFINITY, 0],
  [1e308, 5_000],
])("a reported count of %p is %p where 5,000 is the most", (reported, count) => {
  expect(wholeCount(reported, 5_000)).toBe(count);
});
