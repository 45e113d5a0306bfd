"""Groups the rows of a small table by one column and measures another in each group."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from skill_io import Refused, answer_with, compact
from table import numbers_of, plain, read_table

MEASURES: dict[str, Callable[[list[Decimal]], Decimal]] = {
    "sum": lambda values: sum(values, Decimal(0)),
    "mean": lambda values: sum(values, Decimal(0)) / len(values),
    "min": min,
    "max": max,
}


def answer(given: dict[str, Any]) -> str:
    """The largest group first, equal ones by name. Cells that are no number are counted as `skipped`, never as zero."""
    table = read_table(given["csv"])
    by = table.index_of(given["by"])
    measure = given.get("measure", "count")
    if (measure == "count") == ("of" in given):
        raise Refused("E_MEASURE_NEEDS_COLUMN")
    groups: dict[str, list[Decimal]] = {}
    of = table.index_of(given["of"]) if "of" in given else None
    values = numbers_of(table.column(of)) if of is not None else [Decimal(1) for _ in table.rows]
    for row, value in zip(table.rows, values, strict=True):
        groups.setdefault(row[by], []).extend([] if value is None else [value])
    take = MEASURES["sum" if measure == "count" else measure]
    measured = {key: take(values) for key, values in groups.items() if values}
    if not measured:
        raise Refused("E_NO_NUMBERS")
    ordered = sorted(measured.items(), key=lambda item: (-item[1], item[0]))
    limit = given.get("limit", 50)
    label = "count" if of is None else f"{measure} {table.columns[of]}"
    return compact(
        {
            "columns": [table.columns[by], label],
            "rows": [[key, plain(value)] for key, value in ordered[:limit]],
            "groups": len(ordered),
            "skipped": sum(value is None for value in values),
        }
    )


if __name__ == "__main__":
    answer_with(answer)
