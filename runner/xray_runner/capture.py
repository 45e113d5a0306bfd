"""Moves bytes between the listener and one run without ever waiting for it."""

import asyncio
import os
from collections.abc import Callable

_CHUNK = 65_536


class Capture:
    """Reads a pipe to its end: keeps the first `keep` bytes, counts all, and says once when there are more than `most`."""

    def __init__(self, descriptor: int, keep: int, most: int, on_too_much: Callable[[], None]) -> None:
        self._descriptor, self._keep, self._most, self._on_too_much = descriptor, keep, most, on_too_much
        self._kept = bytearray()
        self.total = 0
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(descriptor, self._read)

    @property
    def kept(self) -> bytes:
        return bytes(self._kept)

    def finish(self) -> None:
        """Read what is still in the pipe, once its only writer is gone."""
        while self._read():
            pass
        self._loop.remove_reader(self._descriptor)

    def _read(self) -> bool:
        """Read one chunk; False at the end, or when nothing is there now."""
        try:
            data = os.read(self._descriptor, _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._loop.remove_reader(self._descriptor)
            return False
        self._kept += data[: self._keep - len(self._kept)]
        before, self.total = self.total, self.total + len(data)
        if before <= self._most < self.total:
            self._on_too_much()
        return True


class Feeder:
    """Writes bytes into a pipe or stream as it takes them, then calls `when_done`. A closed other end is no error."""

    def __init__(self, descriptor: int, data: bytes, when_done: Callable[[], None]) -> None:
        self._descriptor, self._left, self._when_done = descriptor, memoryview(data), when_done
        self._loop = asyncio.get_running_loop()
        self._waiting = False
        self._write()

    def stop(self) -> None:
        """Write no more."""
        if self._waiting:
            self._waiting = False
            self._loop.remove_writer(self._descriptor)

    def _write(self) -> None:
        try:
            while self._left:
                self._left = self._left[os.write(self._descriptor, self._left) :]
        except BlockingIOError:
            if not self._waiting:
                self._waiting = True
                self._loop.add_writer(self._descriptor, self._write)
            return
        except OSError:
            pass
        self.stop()
        self._when_done()
