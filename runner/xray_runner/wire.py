"""Messages between listener, zygote and run: JSON in one datagram with descriptors, or in one block of a stream."""

import json
import os
import socket
import struct
from typing import Any

_DATAGRAM_BYTES = 65_536
_DESCRIPTORS = 8
_LENGTH = struct.Struct("=I")


def send_datagram(peer: socket.socket, message: dict[str, Any], descriptors: tuple[int, ...] = ()) -> None:
    """Send one message, the descriptors duplicated into the other process. Raises OSError."""
    socket.send_fds(peer, [json.dumps(message).encode()], list(descriptors))


def receive_datagram(peer: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """The next message with its descriptors, which are closed on exec; None when the other side is gone."""
    data, descriptors, _, _ = socket.recv_fds(peer, _DATAGRAM_BYTES, _DESCRIPTORS, socket.MSG_CMSG_CLOEXEC)
    return (json.loads(data), descriptors) if data else None


def block(message: Any) -> bytes:
    """A message for a stream: four bytes of length, then the JSON."""
    body = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return _LENGTH.pack(len(body)) + body


def read_block(descriptor: int) -> Any:
    """Read one block, blocking. Raises EOFError when the stream ends first."""
    (length,) = _LENGTH.unpack(_read_exactly(descriptor, _LENGTH.size))
    return json.loads(_read_exactly(descriptor, length).decode("utf-8", "surrogatepass"))


def _read_exactly(descriptor: int, length: int) -> bytes:
    parts = bytearray()
    while len(parts) < length:
        part = os.read(descriptor, length - len(parts))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)
