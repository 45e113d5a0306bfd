import { expect, it } from "bun:test";
import { mayCount, type Wishes } from "./may-count";

it.each<[Wishes, boolean]>([
  [{}, true],
  [{ doNotTrack: null }, true],
  [{ doNotTrack: "unspecified" }, true],
  [{ doNotTrack: "0", globalPrivacyControl: false }, true],
  [{ doNotTrack: "1" }, false],
  [{ doNotTrack: "yes" }, false],
  [{ globalPrivacyControl: true }, false],
  [{ doNotTrack: null, globalPrivacyControl: true }, false],
])("a browser that says %p is counted: %p", (wishes, counted) => {
  expect(mayCount(wishes)).toBe(counted);
});
