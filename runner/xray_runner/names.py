"""Answers a run of the egress tier that asks for the addresses of a name, since it has no way to ask anybody else."""

import asyncio
import json
import re
import socket
from collections.abc import Awaitable, Callable

from .config import Bounds

Resolve = Callable[[str], Awaitable[list[str]]]
_NAME = re.compile(rb"[\x21-\x7e]+")


async def resolve(name: str) -> list[str]:
    """Every address of the name, each once, in the resolver's order. Raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(name, 443, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(address[0] for *_, address in found))


async def serve(stream: socket.socket, look_up: Resolve, bounds: Bounds) -> None:
    """Answer one line after another until the run closes its end, or sends what no name is."""
    loop = asyncio.get_running_loop()
    buffer = bytearray()
    asked = 0
    while True:
        line, newline, rest = buffer.partition(b"\n")
        if newline:
            buffer = rest
            asked += 1
            answer = await _answer(bytes(line), look_up, bounds) if asked <= bounds.names else {"error": "too_many"}
            await loop.sock_sendall(stream, json.dumps(answer).encode() + b"\n")
            continue
        if len(buffer) > bounds.name_bytes:
            return
        data = await loop.sock_recv(stream, 512)
        if not data:
            return
        buffer += data


async def _answer(line: bytes, look_up: Resolve, bounds: Bounds) -> dict[str, object]:
    if len(line) > bounds.name_bytes or not _NAME.fullmatch(line):
        return {"error": "bad_name"}
    try:
        async with asyncio.timeout(bounds.name_wait_s):
            addresses = await look_up(line.decode("ascii"))
    except TimeoutError:
        return {"error": "timeout"}
    except (OSError, UnicodeError):
        return {"error": "not_found"}
    return {"addresses": addresses} if addresses else {"error": "not_found"}
