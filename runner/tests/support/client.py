"""A client of the runner's socket for tests: whole requests, and raw bytes."""

import http.client
import json
import re
import socket
from dataclasses import dataclass
from typing import Any


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float = 30) -> None:
        super().__init__("runner", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = open_socket(self._path, self.timeout or 30)


def open_socket(path: str, timeout: float = 30) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(timeout)
    connection.connect(path)
    return connection


@dataclass(frozen=True)
class Answer:
    status: int
    body: dict[str, Any]

    @property
    def said(self) -> str:
        """The outcome of a run, or the code of a refusal."""
        return self.body.get("outcome") or self.body["error"]


def call(path: str, method: str, target: str, body: bytes | None = None) -> Answer:
    connection = UnixConnection(path)
    try:
        connection.request(method, target, body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return Answer(response.status, json.loads(response.read()))
    finally:
        connection.close()


def first_answer(path: str, data: bytes) -> bytes:
    """Send bytes and read one whole answer."""
    with open_socket(path) as connection:
        connection.sendall(data)
        received = bytearray()
        while True:
            head, end, body = bytes(received).partition(b"\r\n\r\n")
            length = re.search(rb"Content-Length: (\d+)", head)
            if end and length and len(body) >= int(length[1]):
                return bytes(received)
            part = connection.recv(65_536)
            if not part:
                raise ConnectionError(f"closed after {bytes(received)!r}")
            received += part


def raw(path: str, data: bytes, timeout: float = 10) -> bytes:
    """Send bytes, then read until the runner closes or says nothing more. Does not close its own half."""
    with open_socket(path, timeout) as connection:
        connection.sendall(data)
        received = bytearray()
        try:
            while part := connection.recv(65_536):
                received += part
        except (TimeoutError, ConnectionResetError):
            pass
        return bytes(received)
