"""The difference of two texts in unified form, line by line, the missing newline at an end marked as diff does."""

import difflib
from typing import Any

from skill_io import answer_with

NO_NEWLINE = "\\ No newline at end of file"


def lines_of(text: str) -> list[str]:
    """Lines with their ends; only a line feed ends one, so a carriage return shows as a difference."""
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def unified(before: str, after: str, context: int) -> str:
    """An empty string when the texts are equal."""
    out: list[str] = []
    for line in difflib.unified_diff(lines_of(before), lines_of(after), "before", "after", n=context):
        ended = line.endswith("\n")
        shown = line.removesuffix("\n")
        out.append(shown[:-1] + "␍" if shown.endswith("\r") else shown)
        if not ended:
            out.append(NO_NEWLINE)
    return "\n".join(out)


def answer(given: dict[str, Any]) -> str:
    return unified(given["before"], given["after"], given.get("context", 3)) or "The texts are equal."


if __name__ == "__main__":
    answer_with(answer)
