import { expect, it } from "bun:test";
import { splitByQuery } from "./split-by-query";

it("cuts a line at what was searched, in any case and with any sign, and loses nothing", () => {
  expect(splitByQuery("const asRole = AsRole(x)", "asrole")).toEqual(["const ", "asRole", " = ", "AsRole", "(x)"]);
  expect(splitByQuery("a (b) c [d] 说不", "(b)")).toEqual(["a ", "(b)", " c [d] 说不"]);
  expect(splitByQuery("说不，说不", "说不")).toEqual(["", "说不", "，", "说不", ""]);
  expect(splitByQuery("nothing", "else")).toEqual(["nothing"]);
  expect(splitByQuery("line", "")).toEqual(["line"]);
});
