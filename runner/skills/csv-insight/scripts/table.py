"""Reads a small table as people paste it: commas, semicolons, tabs or bars, quoted fields, ragged rows, any script."""

import csv
import re
from dataclasses import dataclass
from decimal import Context, Decimal
from io import StringIO

from skill_io import Refused

MAX_COLUMNS = 60
SEPARATORS = ",;\t|"
POINT_DECIMAL = re.compile(r"[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?|[+-]?\.\d+")
COMMA_DECIMAL = re.compile(r"[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?")
MONEY = "¥￥$€£元"


@dataclass(frozen=True)
class Table:
    """`rows` are as wide as `columns`. `ragged` counts the rows that had to be filled up or cut for that."""

    columns: list[str]
    rows: list[list[str]]
    separator: str
    ragged: int

    def index_of(self, name: str) -> int:
        """The column of this name; case and outer blanks do not matter where no two columns differ only in them."""
        wanted = name.strip()
        for fold in (str, str.casefold):
            found = [index for index, column in enumerate(self.columns) if fold(column) == fold(wanted)]
            if len(found) == 1:
                return found[0]
        raise Refused("E_NO_SUCH_COLUMN")

    def column(self, index: int) -> list[str]:
        return [row[index] for row in self.rows]


def read_table(text: str) -> Table:
    """The first line that is not empty names the columns. A name that is missing or taken gets its number."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    separator = separator_of(text)
    try:
        records = list(csv.reader(StringIO(text), delimiter=separator, strict=True))
    except csv.Error:
        raise Refused("E_BAD_CSV") from None
    records = [[cell.strip() for cell in record] for record in records if any(cell.strip() for cell in record)]
    if len(records) < 2:
        raise Refused("E_NO_ROWS")
    width = len(records[0])
    if width > MAX_COLUMNS:
        raise Refused("E_TOO_MANY_COLUMNS")
    rows = [(record + [""] * width)[:width] for record in records[1:]]
    return Table(named(records[0]), rows, separator, sum(len(record) != width for record in records[1:]))


def separator_of(text: str) -> str:
    """The one that stands outside quotes most evenly: in most lines as often as in the first; then the most often."""
    bare = re.sub(r'"(?:[^"]|"")*"', "", text)
    lines = [line for line in bare.split("\n") if line.strip()]
    first = lines[0] if lines else ""
    return max(
        SEPARATORS,
        key=lambda one: (
            first.count(one) > 0,
            sum(line.count(one) == first.count(one) for line in lines),
            first.count(one),
            -SEPARATORS.index(one),
        ),
    )


def named(header: list[str]) -> list[str]:
    names: list[str] = []
    for number, name in enumerate(header, 1):
        names.append(name if name and name not in names else f"{name or 'column'} {number}")
    return names


def numbers_of(cells: list[str]) -> list[Decimal | None]:
    """Each cell as a number, None for what is none: `1,234.5`, `¥12`, `12%` (0.12), `1e6`.

    One cell that only makes sense with a decimal comma (`3,5`) makes the commas of the whole column decimal ones.
    """
    bare = [bare_number(cell) for cell in cells]
    comma = any(COMMA_DECIMAL.fullmatch(text) and not POINT_DECIMAL.fullmatch(text) for text in bare)
    return [parsed(text, cell, comma) for text, cell in zip(bare, cells, strict=True)]


def bare_number(cell: str) -> str:
    return cell.strip().strip(MONEY).rstrip("%％").strip()


def parsed(text: str, cell: str, comma: bool) -> Decimal | None:
    if not text.isascii() or not (COMMA_DECIMAL if comma else POINT_DECIMAL).fullmatch(text):
        return None
    value = Decimal(text.replace(".", "").replace(",", ".") if comma else text.replace(",", ""))
    return value / 100 if cell.strip().endswith(("%", "％")) else value


def only_numbers(cells: list[str]) -> list[Decimal] | None:
    """The numbers of a column, empty cells left out; None when a filled cell is none, or all are empty."""
    filled = [cell for cell in cells if cell]
    values = [value for value in numbers_of(filled) if value is not None]
    return values if values and len(values) == len(filled) else None


def plain(value: Decimal) -> str:
    """A number for reading: whole ones whole, others to twelve digits, no exponent while they are of usual size."""
    whole = value == value.to_integral_value() and abs(value) < Decimal(10) ** 28
    normal = (value if whole else Context(prec=12).plus(value)).normalize()
    if normal == 0:
        return "0"
    return format(normal, "f") if -7 <= normal.adjusted() <= 28 else str(normal)
