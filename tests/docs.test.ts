/** The documents that repeat a table of the code say the same as the code. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { DOC_TABLES, withTable } from "../cli/doc-tables.mts";

for (const { file, name, text } of DOC_TABLES) {
  test(`${file} lists the ${name} as they are`, () => {
    const document = readFileSync(file, "utf8");
    expect(document).toBe(withTable(document, name, text));
  });
}
