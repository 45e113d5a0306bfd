import { expect, it } from "bun:test";
import { isNumberColumn, sortRows } from "./sort-rows";

const sorted = (cells: string[], direction: "ascending" | "descending" = "ascending", language = "en") =>
  sortRows(
    cells.map((cell) => [cell]),
    { column: 0, direction },
    language,
  ).map(([cell]) => cell);

it("orders numbers by size, with their units, signs and thousands", () => {
  expect(sorted(["1,402 ms", "9 ms", "812 ms", "-3 ms", "−4 ms"])).toEqual([
    "−4 ms",
    "-3 ms",
    "9 ms",
    "812 ms",
    "1,402 ms",
  ]);
  expect(sorted(["$10", "$9", "$9.50"], "descending")).toEqual(["$10", "$9.50", "$9"]);
});

it("orders words as their language does, and numbers inside of them by size", () => {
  expect(sorted(["file10", "file9", "File1"])).toEqual(["File1", "file9", "file10"]);
  expect(sorted(["2026-11-30", "2026-02-01", "2025-12-31"])).toEqual(["2025-12-31", "2026-02-01", "2026-11-30"]);
});

it("keeps empty cells last either way, and numbers apart from words", () => {
  expect(sorted(["b", "", "2", "a", "10"])).toEqual(["2", "10", "a", "b", ""]);
  expect(sorted(["b", "", "2", "a", "10"], "descending")).toEqual(["b", "a", "10", "2", ""]);
});

it("is stable either way, and leaves the rows it was given alone", () => {
  const rows = [
    ["1", "first"],
    ["1", "second"],
    ["0", "third"],
  ];
  for (const direction of ["ascending", "descending"] as const) {
    const order = sortRows(rows, { column: 0, direction }, "en").map(([, name]) => name);
    expect(order.filter((name) => name !== "third")).toEqual(["first", "second"]);
  }
  expect(rows.map(([, name]) => name)).toEqual(["first", "second", "third"]);
});

it("a column is one of numbers when every filled cell is a number", () => {
  const column = (...cells: string[]) =>
    isNumberColumn(
      cells.map((cell) => [cell]),
      0,
    );
  expect([column("1", "", "2.5 ms", "1,402", "$3", "-4", "12%"), column("1", "2026-11-30"), column("", "")]).toEqual([
    true,
    false,
    false,
  ]);
});
