import { expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SHEET_COLORS } from "./sheet-colors";

it("are the sheets of the tokens, light first", () => {
  const tokens = readFileSync(join(import.meta.dirname, "../app/tokens.css"), "utf8");
  const sheets = [...tokens.matchAll(/--sheet:\s*(#[0-9a-f]{6})/g)].map(([, color]) => color!);
  expect(sheets).toEqual([SHEET_COLORS.light, SHEET_COLORS.dark]);
});
