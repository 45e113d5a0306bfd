"""The listener's side of one zygote: starts it, has it fork runs, and learns how each of them ended."""

import asyncio
import itertools
import os
import socket
import subprocess
from dataclasses import dataclass
from typing import Any, ClassVar

from . import orphans
from .config import Config
from .interpreter import Interpreter
from .wire import receive_datagram, send_datagram

_ENVIRONMENT = {"LANG": "C.UTF-8", "TZ": "UTC", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class ZygoteDied(Exception):
    """The zygote is gone, and every run of it with it."""


class NotForked(Exception):
    """The zygote could not make a copy of itself."""


@dataclass(frozen=True)
class End:
    """How a run's process ended: the status of wait(2), processor seconds, and its most memory."""

    status: int
    cpu_s: float
    peak_kb: int


class Process:
    """One forked process: known once `started` is done, reaped once `ended` is."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.started: asyncio.Future[tuple[int, int]] = loop.create_future()
        self.ended: asyncio.Future[End] = loop.create_future()

    def fail(self, error: Exception) -> None:
        for future in (self.started, self.ended):
            if not future.done():
                future.set_exception(error)
                # Whoever waits learns it; nobody need.
                future.exception()


class Zygote:
    """One running zygote. Runs start with `fork`; `live` holds the process ids of all that are not reaped."""

    live: ClassVar[set[int]] = set()

    def __init__(self, config: Config, interpreter: Interpreter) -> None:
        self._loop = asyncio.get_running_loop()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._popen = subprocess.Popen(
                [interpreter.path, "-I", "-B", "-X", "utf8", "-c", _bootstrap(config, theirs.fileno())],
                env=_ENVIRONMENT,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        self.pid = self._popen.pid
        self.live.add(self.pid)
        self.started_at = self._loop.time()
        self.ready: asyncio.Future[dict[str, Any]] = self._loop.create_future()
        self.gone: asyncio.Future[None] = self._loop.create_future()
        self.runs = 0
        self._closing: asyncio.Future[None] | None = None
        self._numbers = itertools.count()
        self._processes: dict[int, Process] = {}
        self._socket.setblocking(False)
        self._loop.add_reader(self._socket, self._receive)

    @property
    def alive(self) -> bool:
        return not self.gone.done()

    def configure(self, settings: dict[str, Any]) -> None:
        """Send what it waits for; `ready` follows. Raises OSError."""
        send_datagram(self._socket, settings)

    def fork(self, descriptors: tuple[int, ...], uid: int | None) -> Process:
        """Order one run. The descriptors (input, output, errors, control, folder) stay ours to close."""
        process = Process()
        if not self.alive:
            process.fail(ZygoteDied())
            return process
        number = next(self._numbers)
        self._processes[number] = process
        self.runs += 1
        try:
            send_datagram(self._socket, {"run": number, "uid": uid}, descriptors)
        except OSError:
            self._processes.pop(number).fail(NotForked())
        return process

    async def close_when_idle(self) -> None:
        """End it after its last run."""
        self._closing = self._loop.create_future()
        if self._processes and self.alive:
            await self._closing
        self.close()

    def close(self) -> None:
        """End it now, and with it whatever still runs."""
        if self.alive:
            self._popen.kill()
            self._lost()

    def _receive(self) -> None:
        while self.alive:
            try:
                received = receive_datagram(self._socket)
            except BlockingIOError:
                return
            except OSError:
                received = None
            if received is None:
                self._popen.kill()
                self._lost()
                return
            self._handle(*received)

    def _handle(self, message: dict[str, Any], descriptors: list[int]) -> None:
        kind, value = next(iter(message.items()))
        if kind == "ready":
            self.ready.set_result(value)
        elif kind == "started":
            process = self._processes[value["run"]]
            if process.started.done():
                os.close(descriptors[0])
            else:
                process.started.set_result((value["pid"], descriptors[0]))
        elif kind == "ended":
            process = self._processes.pop(value["run"])
            process.ended.set_result(End(value["status"], value["cpuS"], value["peakKb"]))
        else:
            self._processes.pop(value["run"]).fail(NotForked())
        self._perhaps_close()

    def _perhaps_close(self) -> None:
        if self._closing is not None and not self._processes and not self._closing.done():
            self._closing.set_result(None)

    def _lost(self) -> None:
        """Its own end: reap it, and tell everybody who waits."""
        self._loop.remove_reader(self._socket)
        self._socket.close()
        self._popen.wait()
        self.live.discard(self.pid)
        orphans.reap(self.live)
        self.gone.set_result(None)
        if not self.ready.done():
            self.ready.set_exception(ZygoteDied())
            self.ready.exception()
        for process in self._processes.values():
            process.fail(ZygoteDied())
        self._processes.clear()
        self._perhaps_close()


def _bootstrap(config: Config, descriptor: int) -> str:
    """The program text of a zygote. Where it comes from is forgotten again before any run."""
    return (
        f"import os, sys; os.dup2({descriptor}, 3); path = {str(config.zygote_path)!r}; sys.path.insert(0, path); "
        f"from {config.zygote_module} import main; sys.path.remove(path); main()"
    )
