"""Lays JSON out for reading. Every number keeps the digits it was written with, and a repeated key stays repeated."""

import json
from typing import Any

from skill_io import Refused, answer_with, compact

MAX_DEPTH = 100


class Number(str):
    """A number as it was written: no digit is lost on the way through a float."""


class Pairs(list[tuple[str, Any]]):
    """An object's members in their order; two may have the same key."""


def parse(text: str) -> Any:
    """Raises json.JSONDecodeError for what RFC 8259 does not allow, NaN and Infinity among it."""

    def no_such_number(name: str) -> Any:
        raise json.JSONDecodeError(f"{name} is no JSON number", text, text.find(name))

    return json.loads(
        text, object_pairs_hook=Pairs, parse_int=Number, parse_float=Number, parse_constant=no_such_number
    )


def laid_out(value: Any, indent: int, sort_keys: bool, depth: int = 0) -> str:
    if depth > MAX_DEPTH:
        raise Refused("E_TOO_DEEP")
    if isinstance(value, Number):
        return str(value)
    if not isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    is_object = isinstance(value, Pairs)
    opener, closer = "{}" if is_object else "[]"
    if not value:
        return opener + closer
    if is_object:
        pairs = sorted(value, key=lambda pair: pair[0]) if sort_keys else value
        colon = ": " if indent else ":"
        parts = [
            json.dumps(key, ensure_ascii=False) + colon + laid_out(one, indent, sort_keys, depth + 1)
            for key, one in pairs
        ]
    else:
        parts = [laid_out(one, indent, sort_keys, depth + 1) for one in value]
    if not indent:
        return opener + ",".join(parts) + closer
    inner = "\n" + " " * indent * (depth + 1)
    return opener + inner + ("," + inner).join(parts) + "\n" + " " * indent * depth + closer


def answer(given: dict[str, Any]) -> str:
    """Text that is no JSON is an answer as well: where it stops being so, counted from 1."""
    try:
        return laid_out(parse(given["json"]), given.get("indent", 2), given.get("sort_keys", False))
    except json.JSONDecodeError as problem:
        return compact({"valid": False, "line": problem.lineno, "column": problem.colno, "problem": problem.msg})
    except RecursionError:
        raise Refused("E_TOO_DEEP") from None


if __name__ == "__main__":
    answer_with(answer)
