"""Reads the small table of a chart: names in the first line, labels in the first column, numbers in the others."""

import csv
import unicodedata
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from io import StringIO

from skill_io import Refused

MAX_SERIES = 4
MAX_BARS = 24
MAX_POINTS = 60
LABEL_CHARS = 24
NUMBER_CHARS = 16


@dataclass(frozen=True)
class Series:
    """`shown` are the numbers as they were written, beside each label of the chart in order."""

    name: str
    shown: list[str]
    values: list[float]


@dataclass(frozen=True)
class Chart:
    labels: list[str]
    series: list[Series]

    def bounds(self) -> tuple[float, float]:
        """Lowest and highest number, zero among them, so that lengths can be compared."""
        values = [value for one in self.series for value in one.values]
        return min(0.0, *values), max(0.0, *values)


def read_chart(text: str, kind: str) -> Chart:
    """Raises Refused for a table that is ragged or empty, too large to be read as a picture, or not of numbers."""
    separator = "\t" if "\t" in text.strip("\n").split("\n", 1)[0] else ","
    try:
        records = list(csv.reader(StringIO(text.strip()), delimiter=separator, strict=True))
    except csv.Error:
        raise Refused("E_BAD_TABLE") from None
    records = [record for record in records if record]
    if len(records) < 2 or len(records[0]) < 2 or any(len(record) != len(records[0]) for record in records):
        raise Refused("E_BAD_TABLE")
    count = len(records[0]) - 1
    rows = len(records) - 1
    if count > MAX_SERIES:
        raise Refused("E_TOO_MANY_SERIES")
    if rows > MAX_POINTS if kind == "line" else rows * count > MAX_BARS:
        raise Refused("E_TOO_MANY_ROWS")
    columns = [[record[index].strip() for record in records[1:]] for index in range(count + 1)]
    return Chart(
        [one_line(label) for label in columns[0]],
        [
            Series(one_line(name), column, [number(cell) for cell in column])
            for name, column in zip(records[0][1:], columns[1:], strict=True)
        ],
    )


def number(text: str) -> float:
    try:
        value = Decimal(text) if len(text) <= NUMBER_CHARS and text.isascii() else Decimal("NaN")
    except InvalidOperation:
        raise Refused("E_NOT_A_NUMBER") from None
    if not value.is_finite() or abs(value) > Decimal("1e15"):
        raise Refused("E_NOT_A_NUMBER")
    return float(value)


def one_line(text: str, most: int = LABEL_CHARS) -> str:
    """Without what cannot be seen, and cut where it is long."""
    seen = "".join(" " if unicodedata.category(sign) in ("Cc", "Zl", "Zp") else sign for sign in text)
    seen = " ".join("".join(sign for sign in seen if unicodedata.category(sign) not in ("Cf", "Cs")).split())
    return seen if len(seen) <= most else seen[: most - 1] + "…"
