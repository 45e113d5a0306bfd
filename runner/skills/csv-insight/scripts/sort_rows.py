"""Sorts the rows of a small table by one column and gives the first of them, all columns or the ones asked for."""

from typing import Any

from skill_io import Refused, answer_with, compact
from table import numbers_of, only_numbers, read_table


def answer(given: dict[str, Any]) -> str:
    """A column of numbers sorts by value, any other by code points. Empty cells come last both ways; ties stay."""
    table = read_table(given["csv"])
    by = table.index_of(given["by"])
    numeric = only_numbers(table.column(by)) is not None
    keys: list[Any] = numbers_of(table.column(by)) if numeric else table.column(by)
    filled = [place for place, row in enumerate(table.rows) if row[by]]
    filled.sort(key=lambda place: keys[place], reverse=given.get("descending", False))
    ordered = [table.rows[place] for place in filled] + [row for row in table.rows if not row[by]]
    wanted = [table.index_of(name) for name in given.get("columns", "").split(",") if name.strip()]
    wanted = wanted or list(range(len(table.columns)))
    if len(set(wanted)) != len(wanted):
        raise Refused("E_COLUMN_TWICE")
    limit = given.get("limit", 50)
    return compact(
        {
            "columns": [table.columns[index] for index in wanted],
            "rows": [[row[index] for index in wanted] for row in ordered[:limit]],
            "of": len(ordered),
        }
    )


if __name__ == "__main__":
    answer_with(answer)
