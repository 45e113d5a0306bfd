/** Orders the rows of a table by one of its columns: numbers by size, texts by the reader's language. Pure and stable. */

export interface RowOrder {
  column: number;
  direction: "ascending" | "descending";
}

/** Empty cells stand last either way; rows that are equal keep the order they had. */
export function sortRows(rows: readonly string[][], { column, direction }: RowOrder, language: string): string[][] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const sign = direction === "ascending" ? 1 : -1;
  const keys = new Map(rows.map((row) => [row, numberIn(row[column] ?? "")]));
  return rows.toSorted((one, other) => {
    const [a, b] = [one[column] ?? "", other[column] ?? ""];
    if (a === "" || b === "") return Number(a === "") - Number(b === "");
    const [x, y] = [keys.get(one)!, keys.get(other)!];
    // Numbers before words, so that the order is one whatever stands in between.
    if (x === null || y === null)
      return x === y ? sign * compare(a, b) : sign * (Number(x === null) - Number(y === null));
    // Equal numbers may be the beginning of different texts, as the years of two dates are.
    return sign * (x - y || compare(a, b));
  });
}

/** The number a cell begins with: `-1,234.5 ms`, `12%`, `$3`. Null for a cell that is a word. */
function numberIn(cell: string): number | null {
  const match = /^[^\p{L}\d.+-]{0,2}([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|[+-]?\.\d+)/u.exec(
    cell.replace("\u2212", "-"),
  );
  return match ? Number(match[1]!.replaceAll(",", "")) : null;
}

/** Whether a column holds numbers and nothing else, so that they stand below each other by their ends. */
export function isNumberColumn(rows: readonly string[][], column: number): boolean {
  const cells = rows.map((row) => row[column] ?? "").filter((cell) => cell !== "");
  return cells.length > 0 && cells.every((cell) => /^[^\p{L}\d]{0,3}\d[\d.,\s]*(?:%|[\p{L}°]{1,3})?$/u.test(cell));
}
