"""Reads HTTP/1.1 requests from bytes: the little that this socket needs, everything bounded, everything else refused."""

import re
from dataclasses import dataclass

from .config import Bounds
from .protocol import Refusal

_REQUEST_LINE = re.compile(rb"([A-Z]{1,16}) (/[\x21-\x7e]*) HTTP/1\.1")
_FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*")
_LENGTH = re.compile(rb"[0-9]{1,12}")
_END = b"\r\n\r\n"


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    body: bytes
    keep_alive: bool


@dataclass(frozen=True)
class _Head:
    method: str
    target: str
    length: int
    keep_alive: bool
    expects: bool


class HttpReader:
    """Fed with bytes as they come. After a Refusal the connection has no meaning any more and must be closed."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._buffer = bytearray()
        self._head: _Head | None = None

    @property
    def empty(self) -> bool:
        """Whether the connection is between two requests."""
        return self._head is None and not self._buffer

    def feed(self, data: bytes) -> None:
        """Take bytes in. Raises Refusal when more wait than any one request may have."""
        self._buffer += data
        if len(self._buffer) > self._bounds.head_bytes + self._bounds.body_bytes:
            raise Refusal("input_too_large")

    def next_request(self) -> Request | None:
        """The next whole request, or None while it is not there yet. Raises Refusal."""
        if self._head is None:
            self._head = self._take_head()
        if self._head is None or len(self._buffer) < self._head.length:
            return None
        head, self._head = self._head, None
        body = bytes(self._buffer[: head.length])
        del self._buffer[: head.length]
        return Request(head.method, head.target, body, head.keep_alive)

    def wants_continue(self) -> bool:
        """Whether the client waits to be told that it may send its body; true once a request."""
        if self._head is None or not self._head.expects:
            return False
        self._head = _Head(self._head.method, self._head.target, self._head.length, self._head.keep_alive, False)
        return True

    def _take_head(self) -> _Head | None:
        end = self._buffer.find(_END, 0, self._bounds.head_bytes)
        if end < 0:
            if len(self._buffer) >= self._bounds.head_bytes:
                raise Refusal("bad_request")
            return None
        head = self._parse(bytes(self._buffer[:end]))
        del self._buffer[: end + len(_END)]
        return head

    def _parse(self, text: bytes) -> _Head:
        first, *lines = text.split(b"\r\n")
        start = _REQUEST_LINE.fullmatch(first)
        if not start:
            raise Refusal("bad_request")
        fields: dict[bytes, bytes] = {}
        for line in lines:
            match = _FIELD.fullmatch(line)
            # Twice the same name is how two readers of one request come to see two requests.
            if not match or match[1].lower() in fields:
                raise Refusal("bad_request")
            fields[match[1].lower()] = match[2]
        if b"host" not in fields or b"transfer-encoding" in fields or b"upgrade" in fields:
            raise Refusal("bad_request")
        method = start[1].decode()
        return _Head(
            method=method,
            target=start[2].decode(),
            length=self._length(method, fields.get(b"content-length")),
            keep_alive=fields.get(b"connection", b"").lower() != b"close",
            expects=fields.get(b"expect", b"").lower() == b"100-continue",
        )

    def _length(self, method: str, value: bytes | None) -> int:
        if value is None:
            if method == "POST":
                raise Refusal("bad_request", 411)
            return 0
        if not _LENGTH.fullmatch(value):
            raise Refusal("bad_request")
        if int(value) > self._bounds.body_bytes:
            raise Refusal("input_too_large")
        return int(value)
