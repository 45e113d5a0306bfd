import { expect, it } from "bun:test";
import { coveredBy } from "./use-keyboard-inset";

it("only a keyboard covers the page: not a browser bar, not a page that is zoomed in", () => {
  expect(coveredBy(1, 800, 480)).toBe(320);
  expect(coveredBy(1.001, 800, 760)).toBe(40);
  expect(coveredBy(1, 800, 761)).toBe(0);
  expect(coveredBy(1, 800, 800)).toBe(0);
  expect(coveredBy(1, 480, 800)).toBe(0);
  expect(coveredBy(2, 800, 400)).toBe(0);
});
