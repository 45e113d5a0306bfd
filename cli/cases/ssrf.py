"""Lets the rules of web-fetch judge what comes on standard input; the folder of its scripts is the first argument.

In and out is one JSON object with five lists: `urls`, `addresses`, `answers` and `finals` (of a name, in turn), `chains` (an
address and the places it is sent on to). A verdict is null for a refusal, else what was accepted: the address as it will be asked for,
true, the addresses that were connected to, and where a chain ended. A rule that fails is `{"threw": name}`.
"""

import json
import sys
from itertools import cycle
from typing import Any

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

import fetch_page  # noqa: E402
from page_http import Elsewhere, Page  # noqa: E402
from page_url import checked_url  # noqa: E402
from public_address import is_public  # noqa: E402
from skill_io import Refused  # noqa: E402


class Connected(Exception):
    """Stands for a connection: what would have been connected to."""


def accepted(judge: Any, given: Any) -> Any:
    try:
        return judge(given)
    except Refused:
        return None
    except Exception as error:
        return {"threw": type(error).__name__}


def connected_to(turns: list[list[str]]) -> list[str]:
    """Fetches a page of a name that has these answers, one after the other, up to the connection."""
    answers = iter(turns)

    def connect(addresses: list[str]) -> Any:
        raise Connected(addresses)

    try:
        fetch_page.fetch("https://example.com/", fetch_page.World(lambda _host: next(answers), connect, None))
    except Connected as connected:
        return connected.args[0]
    raise AssertionError("a fetch neither connects nor refuses")


def end_of(chain: dict[str, Any]) -> str:
    """Follows the places by the product's own rule. A chain that is no loop ends in a page, which may say anything."""
    start, *places = chain["hops"]
    answers = [
        Page("text/html", "", place.encode()) if place.startswith("<") else Elsewhere(place.encode())
        for place in places
    ]
    if not chain["loop"] and not isinstance(answers[-1], Page):
        answers.append(Page("text/html", "", b""))
    turn = cycle(answers)
    fetch_page.fetch_one = lambda _target, _world: next(turn)
    return fetch_page.fetch(start, fetch_page.World(lambda _host: [], lambda _addresses: None, None))[0].url


def main() -> None:
    given = json.load(sys.stdin)
    json.dump(
        {
            "urls": [accepted(lambda url: checked_url(url).url, url) for url in given["urls"]],
            "addresses": [True if is_public(address) else None for address in given["addresses"]],
            "answers": [accepted(connected_to, turns) for turns in given["answers"]],
            "finals": [accepted(connected_to, turns) for turns in given["finals"]],
            "chains": [accepted(end_of, chain) for chain in given["chains"]],
        },
        sys.stdout,
    )


main()
