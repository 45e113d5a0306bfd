"""One GET, its head and its body, each bounded in bytes before it is read (§14.1 points 5 and 6)."""

import http.client
import io
import socket
import zlib
from dataclasses import dataclass

from page_url import Target
from skill_io import Refused

USER_AGENT = "AgentXRayBot/1 (one page, because a visitor of an Agent X-Ray site asked for it)"
IDLE_SECONDS = 8.0
MAX_HEAD_BYTES = 32 * 1024
MAX_DECLARED_BYTES = 2 * 1024 * 1024
MAX_BODY_BYTES = 256 * 1024
MAX_WIRE_BYTES = MAX_DECLARED_BYTES + 64 * 1024
"""Of a body as it travels, with the marks between its chunks."""

REDIRECTS = (301, 302, 303, 307, 308)
TYPES = ("text/html", "application/xhtml+xml", "text/plain")


@dataclass(frozen=True)
class Page:
    """A body as it is after decompression. `charset` is what the head says of it, in lower case, maybe nothing."""

    type: str
    charset: str
    body: bytes


@dataclass(frozen=True)
class Elsewhere:
    """A redirect; `location` is as it was sent."""

    location: bytes


class Wire(io.RawIOBase):
    """The connection as a stream which ends the run at the byte after its allowance."""

    def __init__(self, connection: socket.socket):
        self.connection = connection
        self.allowance = MAX_HEAD_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        count = self.connection.recv_into(buffer[: max(1, min(len(buffer), self.allowance + 1))])
        self.allowance -= count
        if self.allowance < 0:
            raise Refused("E_TOO_LARGE")
        return count

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self, 16 * 1024)


def get(connection: socket.socket, target: Target) -> Page | Elsewhere:
    """Sends the request and reads the answer. E_UNFETCHABLE for every status but 200 and the redirects."""
    try:
        connection.settimeout(IDLE_SECONDS)
        connection.sendall(request(target))
        wire = Wire(connection)
        response = http.client.HTTPResponse(wire, method="GET")  # type: ignore[arg-type]
        begin(response)
        if response.status in REDIRECTS:
            return Elsewhere((response.headers.get("location") or "").encode("latin-1"))
        if response.status != 200:
            raise Refused("E_UNFETCHABLE")
        wire.allowance = MAX_WIRE_BYTES
        return page_of(response)
    except TimeoutError:
        raise Refused("E_TIMEOUT") from None
    except (OSError, http.client.HTTPException, ValueError):
        raise Refused("E_UNFETCHABLE") from None


def request(target: Target) -> bytes:
    """Fixed but for the place. No cookie, no credential, nothing of the visitor."""
    return (
        f"GET {target.path} HTTP/1.1\r\n"
        f"Host: {target.host}\r\n"
        f"User-Agent: {USER_AGENT}\r\n"
        "Accept: text/html, application/xhtml+xml, text/plain;q=0.9\r\n"
        "Accept-Encoding: gzip\r\n"
        "Connection: close\r\n\r\n"
    ).encode("ascii")


def begin(response: http.client.HTTPResponse) -> None:
    """Reads heads up to the final one: the library passes over 100 alone, servers send 103 as well."""
    response.begin()
    while 100 <= response.status < 200:
        response.headers = response.msg = None  # type: ignore[assignment]
        response.begin()


def page_of(response: http.client.HTTPResponse) -> Page:
    kind = response.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind not in TYPES:
        raise Refused("E_NOT_HTML")
    declared = response.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:12]) > MAX_DECLARED_BYTES:
        raise Refused("E_TOO_LARGE")
    charset = response.headers.get_content_charset("")
    encoding = ", ".join(response.headers.get_all("content-encoding") or []).strip().lower()
    if encoding in ("", "identity"):
        body = plain_body(response)
    elif encoding in ("gzip", "x-gzip"):
        body = unzipped_body(response)
    else:
        raise Refused("E_UNFETCHABLE")
    return Page(kind, charset, body)


def plain_body(response: http.client.HTTPResponse) -> bytes:
    body = b""
    while part := response.read(16 * 1024):
        body = bounded(body + part)
    if response.length:
        raise Refused("E_UNFETCHABLE")
    return body


def unzipped_body(response: http.client.HTTPResponse) -> bytes:
    """One gzip member after another. Never holds more than the bound and one piece, whatever the ratio.

    What follows a member and is none is ignored, as browsers do. A member that breaks off is a failure.
    """
    body, member, started = b"", zlib.decompressobj(16 + zlib.MAX_WBITS), False
    while part := response.read(16 * 1024):
        while part:
            started = True
            try:
                body = bounded(body + member.decompress(part, MAX_BODY_BYTES - len(body) + 1))
            except zlib.error:
                raise Refused("E_UNFETCHABLE") from None
            part = member.unused_data if member.eof else member.unconsumed_tail
            if member.eof and part:
                if not part.startswith(b"\x1f"):
                    return body
                member, started = zlib.decompressobj(16 + zlib.MAX_WBITS), False
    if response.length or (started and not member.eof):
        raise Refused("E_UNFETCHABLE")
    return body


def bounded(body: bytes) -> bytes:
    if len(body) > MAX_BODY_BYTES:
        raise Refused("E_TOO_LARGE")
    return body
