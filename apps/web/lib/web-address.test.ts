import { expect, it } from "bun:test";
import { isWebAddress } from "./web-address";

it("takes http and https for a web address, and nothing that runs, loads or is relative", () => {
  expect(["https://a.example/x", "HTTP://a.example"].map(isWebAddress)).toEqual([true, true]);
  for (const value of [
    "",
    "javascript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:x",
    "data:text/html,x",
    "//a.example",
    "/x",
    "mailto:a@b.example",
  ]) {
    expect([value, isWebAddress(value)]).toEqual([value, false]);
  }
});
