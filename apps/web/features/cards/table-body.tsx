/** `table`: rows and columns; where the card allows it a press on a column's name orders the rows by it. */
"use client";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import type { TableCard } from "../../../../shared/cards/card";
import { isNumberColumn, type RowOrder, sortRows } from "../../../../shared/cards/sort-rows";
import styles from "./bodies.module.css";

export function TableBody({ card }: { card: TableCard }) {
  const { columns, rows, sortable } = card;
  const t = useTranslations("cards");
  const language = useLocale();
  const [order, setOrder] = useState<RowOrder | null>(null);
  const shown = order === null ? rows : sortRows(rows, order, language);
  const ends = columns.map((_, column) => (isNumberColumn(rows, column) ? "end" : undefined));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and the keyboard must reach it.
    <section className={styles.scroll} aria-label={t("table")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((name, column) => {
              const direction = order?.column === column ? order.direction : undefined;
              return (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes
                  key={column}
                  scope="col"
                  data-align={ends[column]}
                  aria-sort={sortable ? (direction ?? "none") : undefined}
                >
                  {sortable ? (
                    <button type="button" onClick={() => setOrder(nextOrder(column, direction))}>
                      <span dir="auto">{name}</span>
                      <i aria-hidden="true" data-direction={direction} />
                    </button>
                  ) : (
                    <span dir="auto">{name}</span>
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={rows.indexOf(row)}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a card never changes
                <td key={column} data-align={ends[column]}>
                  <span dir="auto">{cell}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Up, down, and back to how the card was written. */
function nextOrder(column: number, direction: RowOrder["direction"] | undefined): RowOrder | null {
  if (direction === "descending") return null;
  return { column, direction: direction === "ascending" ? "descending" : "ascending" };
}
