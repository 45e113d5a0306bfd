"""Tries a regular expression of Python's flavour on a text. A pattern that would search for ever is really stopped.

The time is processor time, so a busy machine makes no pattern slow. The alarm is a signal in this one process: the
matching loop of `re` looks for signals as it goes, and the handler's exception leaves it.
"""

import re
import signal
import warnings
from typing import Any

from skill_io import Refused, answer_with, compact

CPU_SECONDS = 1.0
SHOWN = 50


def with_alarm(work: Any) -> Any:
    """What `work()` gives, or E_TOO_SLOW after CPU_SECONDS of processor time."""

    def stop(_signal: int, _frame: Any) -> None:
        raise Refused("E_TOO_SLOW")

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def tried(pattern: str, flags: int, text: str) -> dict[str, Any]:
    compiled = re.compile(pattern, flags)
    shown: list[dict[str, Any]] = []
    count = 0
    for match in compiled.finditer(text):
        count += 1
        if count <= SHOWN:
            shown.append(described(match))
    return {"valid": True, "count": count, "matches": shown}


def described(match: re.Match[str]) -> dict[str, Any]:
    """Offsets count code points from 0. A group that took no part is null."""
    one: dict[str, Any] = {"start": match.start(), "end": match.end(), "text": match.group()}
    if match.re.groups:
        one["groups"] = list(match.groups())
    if match.re.groupindex:
        one["named"] = match.groupdict()
    return one


def answer(given: dict[str, Any]) -> str:
    """A pattern that is none is an answer too: what is wrong with it, and where."""
    flags = 0
    for name, flag in (("ignore_case", re.IGNORECASE), ("multiline", re.MULTILINE), ("dot_all", re.DOTALL)):
        flags |= flag if given.get(name, False) else 0
    warnings.simplefilter("ignore")
    try:
        return compact(with_alarm(lambda: tried(given["pattern"], flags, given["text"])))
    except re.error as problem:
        return compact({"valid": False, "problem": problem.msg, "position": problem.pos})
    except (RecursionError, OverflowError):
        return compact({"valid": False, "problem": "nested or repeated beyond what is supported", "position": None})


if __name__ == "__main__":
    answer_with(answer)
