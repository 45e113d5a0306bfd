import { expect, it } from "bun:test";
import { uiFenceCounter } from "./ui-fences";

const fence = (offset: number, language = "xray-card", source = "{}") => ({ language, source, closed: true, offset });

it("the first two are taken, cards and frames counted together", () => {
  const takes = uiFenceCounter();
  const fences = [fence(0), fence(10, "python"), fence(20, "xray-html"), fence(30), fence(40, "xray-html")];
  expect(fences.map(takes)).toEqual([true, false, true, false, false]);
});

it("the answer for a fence stays the same however often it is asked", () => {
  const takes = uiFenceCounter();
  const fences = [fence(0), fence(20), fence(30)];
  expect([...fences, ...fences.toReversed()].map(takes)).toEqual([true, true, false, false, true, true]);
});

it("an opening line that is still being written takes no place", () => {
  const takes = uiFenceCounter();
  expect(takes({ ...fence(0, "xray-card", ""), closed: false })).toBe(true);
  // It went on to another language.
  expect(takes(fence(0, "xray-cards"))).toBe(false);
  expect([fence(20), fence(30), fence(40)].map(takes)).toEqual([true, true, false]);
});

it("the language is compared as it is written", () => {
  const takes = uiFenceCounter();
  expect(["XRAY-CARD", "xray-card2", "json", ""].map((language) => takes(fence(0, language)))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
