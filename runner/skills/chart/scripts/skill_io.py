"""Both ends of every script here: one JSON object comes in, text goes out, or one short code and exit status 2."""

import json
import sys
from collections.abc import Callable
from typing import Any


class Refused(Exception):
    """Ends a run with a code (`E_` and capitals), the only words that a failed run may say."""

    def __init__(self, code: str):
        super().__init__(code)
        self.code = code


def answer_with(answer: Callable[[dict[str, Any]], str]) -> None:
    """Print what `answer` makes of the input. Half a surrogate pair, which UTF-8 cannot carry, stays a JSON escape."""
    try:
        text, status = answer(json.loads(sys.stdin.buffer.read())), 0
    except Refused as refusal:
        text, status = refusal.code, 2
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.buffer.flush()
    sys.exit(status)


def compact(value: Any) -> str:
    """The value as JSON on one line, other scripts than Latin readable."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
