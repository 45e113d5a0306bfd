"""Fetches one public https page and prints its main text. Every rule of §14.1 is kept in here, whatever stands around.

One alarm bounds the whole run. What fails says one of six codes; a place that is refused and a place that does not
answer say the same one.
"""

import signal
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any

from name_lookup import look_up
from page_connection import connect_to_one, secured, tls_context
from page_http import IDLE_SECONDS, Elsewhere, Page, get
from page_text import text_of
from page_url import Target, checked_url, redirected
from public_address import checked_addresses
from skill_io import Refused, answer_with

TOTAL_SECONDS = 20.0
MAX_REDIRECTS = 3


@dataclass(frozen=True)
class World:
    """What a fetch needs from outside. A run has the real one; only a test can hand in another."""

    look_up: Callable[[str], list[str]]
    connect: Callable[[list[str]], socket.socket]
    tls: ssl.SSLContext


def fetch(url: str, world: World) -> tuple[Target, Page]:
    """The page, and where it was in the end. Each redirect is judged as the first address was."""
    target = checked_url(url)
    for _ in range(1 + MAX_REDIRECTS):
        answer = fetch_one(target, world)
        if isinstance(answer, Page):
            return target, answer
        try:
            target = redirected(target, answer.location)
        except Refused:
            break
    # Not E_BAD_URL: the address that was given is fine.
    raise Refused("E_UNFETCHABLE")


def fetch_one(target: Target, world: World) -> Page | Elsewhere:
    """Looks the name up once, checks every answer, and connects to what was checked."""
    addresses = checked_addresses(world.look_up(target.host))
    connection = secured(world.connect(addresses), target.host, world.tls, IDLE_SECONDS)
    try:
        return get(connection, target)
    finally:
        connection.close()


class OutOfTime(BaseException):
    """No `Exception`, so that no library which is generous with those can swallow it."""


def within(seconds: float, work: Callable[[], str]) -> str:
    """What `work()` gives, or E_TIMEOUT. A drip of bytes that keeps every single wait short ends here too."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise OutOfTime

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return work()
    except OutOfTime:
        raise Refused("E_TIMEOUT") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def answer(given: dict[str, Any]) -> str:
    """Without the packages for it nothing is fetched at all."""
    checked_url(given["url"])
    try:
        import certifi
        import trafilatura
    except ImportError:
        raise Refused("E_NOT_INSTALLED") from None
    world = World(look_up, connect_to_one, tls_context(certifi.where()))

    def work() -> str:
        target, page = fetch(given["url"], world)
        return text_of(page, target.url, trafilatura)

    return within(TOTAL_SECONDS, work)


if __name__ == "__main__":
    answer_with(answer)
