"""What is in a small table: rows, columns, and of each column its kind and what a reader asks first."""

from collections import Counter
from decimal import Decimal
from typing import Any

from skill_io import answer_with, compact
from table import Table, only_numbers, plain, read_table

TOP_VALUES = 3


def median(values: list[Decimal]) -> Decimal:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def described(table: Table, index: int) -> dict[str, Any]:
    cells = [cell for cell in table.column(index) if cell]
    column: dict[str, Any] = {"name": table.columns[index], "filled": len(cells), "distinct": len(set(cells))}
    numbers = only_numbers(table.column(index))
    if numbers is None:
        counted = sorted(Counter(cells).items(), key=lambda item: (-item[1], item[0]))
        return column | {"kind": "text" if cells else "empty", "top": [list(item) for item in counted[:TOP_VALUES]]}
    return column | {
        "kind": "number",
        "min": plain(min(numbers)),
        "max": plain(max(numbers)),
        "sum": plain(sum(numbers, Decimal(0))),
        "mean": plain(sum(numbers, Decimal(0)) / len(numbers)),
        "median": plain(median(numbers)),
    }


def answer(given: dict[str, Any]) -> str:
    table = read_table(given["csv"])
    return compact(
        {
            "rows": len(table.rows),
            "separator": table.separator,
            "raggedRows": table.ragged,
            "columns": [described(table, index) for index in range(len(table.columns))],
        }
    )


if __name__ == "__main__":
    answer_with(answer)
