"""One connection to the socket: requests in their order, an answer each, and a run that ends when its client leaves."""

import asyncio
import json
import logging
import socket
import struct
from collections.abc import Callable
from typing import Any

from .config import Bounds
from .http_reader import HttpReader, Request
from .protocol import Refusal, parse_run
from .service import Job, RunService

_log = logging.getLogger("xray_runner")
_CREDENTIALS = struct.Struct("=iII")
_REASONS = {
    200: "OK",
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    409: "Conflict",
    411: "Length Required",
    413: "Content Too Large",
    429: "Too Many Requests",
    500: "Internal Server Error",
    503: "Service Unavailable",
}
_METHODS = {"/run": "POST", "/health": "GET"}


def peer_uid(connection: socket.socket) -> int:
    """Which user is at the other end, as the kernel noted when it connected."""
    _, uid, _ = _CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    return uid


class Connection(asyncio.Protocol):
    """`open_connections` holds all that are open; `may_connect` says whether a user id may."""

    def __init__(
        self, service: RunService, bounds: Bounds, open_connections: set["Connection"], may_connect: Callable[[int], bool]
    ) -> None:
        self._service, self._bounds, self._open, self._may_connect = service, bounds, open_connections, may_connect
        self._loop = asyncio.get_running_loop()
        self._reader = HttpReader(bounds)
        self._transport: asyncio.Transport | None = None
        self._job: Job | None = None
        self._answering = False
        self._timer: asyncio.TimerHandle | None = None
        self._between = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        # Told of every answer that is not taken at once, and of its last byte.
        transport.set_write_buffer_limits(high=0)
        if len(self._open) >= self._bounds.connections or not self._may_connect(
            peer_uid(transport.get_extra_info("socket"))
        ):
            transport.abort()
            return
        self._open.add(self)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._open.discard(self)
        self._transport = None
        self._stop_waiting()
        if self._job is not None:
            self._job.cancel()

    def eof_received(self) -> bool:
        # A client that will say no more is gone; closing cancels what it had asked for.
        return False

    def data_received(self, data: bytes) -> None:
        try:
            self._reader.feed(data)
        except Refusal as refusal:
            self._refuse_all(refusal)
            return
        self._next()

    def resume_writing(self) -> None:
        self._next()

    def close(self) -> None:
        """Close at once."""
        if self._transport is not None:
            self._transport.abort()

    def _next(self) -> None:
        """Take the next request, unless one is being answered or its answer is still on the way."""
        if self._answering or self._transport is None or self._transport.is_closing():
            return
        if self._transport.get_write_buffer_size() > 0:
            self._wait()
            return
        try:
            request = self._reader.next_request()
            if request is None:
                if self._reader.wants_continue():
                    self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                self._wait()
                return
        except Refusal as refusal:
            self._refuse_all(refusal)
            return
        self._stop_waiting()
        self._answering = True
        try:
            self._handle(request)
        except Refusal as refusal:
            self._answer(refusal.status, {"error": refusal.code}, request.keep_alive)

    def _handle(self, request: Request) -> None:
        wanted = _METHODS.get(request.target)
        if wanted is None:
            raise Refusal("not_found")
        if request.method != wanted:
            raise Refusal("bad_request", 405)
        if request.target == "/health":
            health = self._service.health()
            self._answer(200 if health["ok"] else 503, health, request.keep_alive)
            return
        self._job = self._service.start(parse_run(request.body, self._bounds))
        self._job.reply.add_done_callback(lambda task: self._ran(task, request.keep_alive))

    def _ran(self, task: asyncio.Task[Any], keep_alive: bool) -> None:
        self._job = None
        error = task.exception() if not task.cancelled() else asyncio.CancelledError()
        if error is None:
            self._answer(200, task.result().body(), keep_alive)
        elif isinstance(error, Refusal):
            self._answer(error.status, {"error": error.code}, keep_alive)
        else:
            _log.error("internal", exc_info=error)
            self._answer(500, {"error": "internal"}, False)

    def _refuse_all(self, refusal: Refusal) -> None:
        """What comes in has no meaning any more: say so once and close."""
        if self._job is not None or self._answering:
            self.close()
            return
        self._answering = True
        self._answer(refusal.status, {"error": refusal.code}, False)

    def _answer(self, status: int, body: dict[str, Any], keep_alive: bool) -> None:
        self._answering = False
        if self._transport is None or self._transport.is_closing():
            return
        data = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        head = (
            f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(data)}\r\nConnection: {'keep-alive' if keep_alive else 'close'}\r\n\r\n"
        )
        self._transport.write(head.encode() + data)
        if not keep_alive:
            self._transport.close()
            return
        # In its own time, so that a long row of requests that are answered at once cannot pile up calls.
        self._loop.call_soon(self._next)

    def _wait(self) -> None:
        """Give the client so long: between requests, or, in all, to send the rest of one or take its answer."""
        between = self._reader.empty and self._transport is not None and self._transport.get_write_buffer_size() == 0
        if self._timer is None or between != self._between:
            self._stop_waiting()
            self._between = between
            wait_s = self._bounds.idle_wait_s if between else self._bounds.header_wait_s
            self._timer = self._loop.call_later(wait_s, self.close)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
