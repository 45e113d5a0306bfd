"""Which addresses may be fetched by their spelling alone (§14.1 points 1 and 4).

A caller has already spelled the address as the URL standard does. This side does not repeat that work: it takes only
what cannot be spelled another way, and refuses the rest, so that two readers can never see two hosts in one address.
"""

import re
from dataclasses import dataclass

from skill_io import Refused

MAX_CHARS = 2_048
MAX_HOST_CHARS = 253

LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
LAST_LABEL = re.compile(r"[a-z]{1,63}|xn--[a-z0-9-]{0,58}[a-z0-9]")
ADDRESS = re.compile(r"https://([^/?#]*)(/[^?#]*)(\?[^#]*)?(#.*)?")
DOT_SEGMENT = re.compile(r"(?:\.|%2[eE]){1,2}")
SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")


@dataclass(frozen=True)
class Target:
    """`path` begins with a slash and holds the query; the fragment is not sent and not kept."""

    host: str
    path: str

    @property
    def url(self) -> str:
        return f"https://{self.host}{self.path}"


def checked_url(url: str) -> Target:
    """E_BAD_URL for everything but a plain https address of a name, on the usual port, in its one spelling."""
    match = ADDRESS.fullmatch(url) if len(url) <= MAX_CHARS and is_visible_ascii(url) else None
    if match is None:
        raise Refused("E_BAD_URL")
    host, path, query, _ = match.groups()
    labels = host.split(".")
    plain_path = "\\" not in path and not any(DOT_SEGMENT.fullmatch(segment) for segment in path.split("/"))
    plain_host = (
        len(host) <= MAX_HOST_CHARS
        and len(labels) >= 2
        and all(LABEL.fullmatch(label) for label in labels)
        and LAST_LABEL.fullmatch(labels[-1])
    )
    if not plain_host or not plain_path:
        raise Refused("E_BAD_URL")
    return Target(host, path + (query or ""))


def is_visible_ascii(text: str) -> bool:
    return all("!" <= character <= "~" for character in text)


def redirected(source: Target, location: bytes) -> Target:
    """Where a redirect leads, by the same rule. E_BAD_URL for a place that the rule does not take.

    Servers write sloppy places: non-ASCII bytes and blanks are percent-encoded, a host's case and the port 443 go, dot
    segments are resolved. Backslashes and control characters stay refused.
    """
    if not location.strip() or any(byte < 0x20 or byte in b"\x7f\\" for byte in location):
        raise Refused("E_BAD_URL")
    text = "".join(
        chr(byte) if 0x21 <= byte <= 0x7E and byte not in b'"<>^`{}' else f"%{byte:02X}"
        for byte in location.strip(b" ")
    )
    if SCHEME.match(text) or text.startswith("//"):
        return checked_url(respelled(text))
    origin = f"https://{source.host}"
    base = source.path.split("?")[0]
    if text.startswith("/"):
        return checked_url(respelled(origin + text))
    if text.startswith(("?", "#")):
        return checked_url(respelled(origin + base + text))
    return checked_url(respelled(origin + base[: base.rindex("/") + 1] + text))


def respelled(url: str) -> str:
    """Scheme and host in lower case, no `:443`, a path, no dot segments. Any other difference is left to be refused."""
    match = re.fullmatch(r"(?:[hH][tT][tT][pP][sS]:)?//([^/?#]*)([^?#]*)(.*)", url)
    if match is None:
        raise Refused("E_BAD_URL")
    host, path, rest = match.groups()
    segments: list[str] = []
    parts = (path or "/").split("/")[1:]
    for position, part in enumerate(parts):
        if not DOT_SEGMENT.fullmatch(part):
            segments.append(part)
            continue
        if re.fullmatch(r"(?:\.|%2[eE]){2}", part):
            segments = segments[:-1]
        if position == len(parts) - 1:
            segments.append("")
    return f"https://{host.lower().removesuffix(':443')}/{'/'.join(segments)}{rest}"
