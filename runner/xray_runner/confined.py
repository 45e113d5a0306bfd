"""One confined process as the listener holds it: made, attested, fed, killed, reaped, and its place emptied."""

import asyncio
import contextlib
import json
import os
import select
import signal
import socket
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .protocol import Outcome, Refusal
from .sandbox import attest
from .slots import RunFolder, Slots
from .wire import block
from .zygote_link import NotForked, Zygote, ZygoteDied

_LENGTH = struct.Struct("=I")
_REPORT_BYTES = 4_096
_LIKELIEST_TO_BE_KILLED = "1000"


@dataclass(frozen=True)
class Attestor:
    """What a process of one zygote must prove before it may run anything."""

    egress: bool
    filters: int
    zygote_pid: int
    limits: dict[str, tuple[int, int]]

    def check(self, report: Any, pid: int, uid: int | None) -> None:
        """Raises Refusal unless the process and the kernel both say that the walls stand."""
        if not isinstance(report, dict) or "failed" in report:
            raise Refusal("sandbox_setup", detail=str(report))
        if report.get("attempts") != attest.expected(self.egress):
            raise Refusal("sandbox_attestation", detail=str(report))
        as_user = os.geteuid() if uid is None else uid
        as_group = os.getegid() if uid is None else uid
        wanted = attest.Expectation(self.zygote_pid, self.filters + 1, as_user, as_group, self.limits)
        try:
            wrong = attest.contradiction(pid, wanted)
        except OSError as error:
            raise Refusal("sandbox_attestation") from error
        if wrong is not None:
            raise Refusal("sandbox_attestation", detail=wrong)


class Confined:
    """A process that waits, walled in, for one script. `prepare` makes it; `dispose` must end it, whatever happened."""

    def __init__(self, zygote: Zygote, slots: Slots) -> None:
        self._slots = slots
        self.folder: RunFolder = slots.take()
        self.zygote = zygote
        self.pid = 0
        self.attested = False
        self.why_killed: Outcome | None = None
        self._handle = -1
        with contextlib.ExitStack() as theirs, contextlib.ExitStack() as undo:
            undo.callback(slots.give_back, self.folder)
            self.control, their_control = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            theirs.callback(their_control.close)
            undo.callback(self.control.close)
            self.control.setblocking(False)
            their_input, self.stdin = self._pipe(theirs, undo, ours_first=False)
            their_output, self.stdout = self._pipe(theirs, undo, ours_first=True)
            their_errors, self.stderr = self._pipe(theirs, undo, ours_first=True)
            given = (their_input, their_output, their_errors, their_control.fileno(), self.folder.descriptor)
            self.process = zygote.fork(given, self.folder.slot.uid)
            undo.pop_all()

    @staticmethod
    def _pipe(theirs: contextlib.ExitStack, undo: contextlib.ExitStack, ours_first: bool) -> tuple[int, int]:
        """Their end and ours of a new pipe; ours reads when it comes first, and never blocks."""
        read, write = os.pipe2(os.O_CLOEXEC)
        their_end, our_end = (write, read) if ours_first else (read, write)
        theirs.callback(os.close, their_end)
        undo.callback(os.close, our_end)
        os.set_blocking(our_end, False)
        return their_end, our_end

    async def prepare(self, attestor: Attestor, wait_s: float) -> None:
        """Wait for the process and its proof. Raises Refusal; the process is not attested then and never runs a script."""
        try:
            async with asyncio.timeout(wait_s):
                self.pid, self._handle = await asyncio.shield(self.process.started)
                report = await self._report()
        except TimeoutError as error:
            raise Refusal("spawn_timeout") from error
        except NotForked as error:
            raise Refusal("sandbox_setup") from error
        except ZygoteDied as error:
            raise Refusal("zygote_died") from error
        attestor.check(report, self.pid, self.folder.slot.uid)
        with contextlib.suppress(OSError):
            Path(f"/proc/{self.pid}/oom_score_adj").write_text(_LIKELIEST_TO_BE_KILLED)
        if self.over:
            raise Refusal("sandbox_setup")
        self.attested = True

    @property
    def over(self) -> bool:
        """Whether the process has ended, reaped or not: what its number says may be about another one by then."""
        if self._handle < 0:
            return True
        poll = select.poll()
        poll.register(self._handle, select.POLLIN)
        return bool(poll.poll(0))

    def kill(self, why: Outcome) -> None:
        """End the process at once; the first reason counts."""
        if self._handle >= 0 and not self.over:
            self.why_killed = self.why_killed or why
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def close_input(self) -> None:
        """Let the process see the end of its standard input."""
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    async def dispose(self) -> None:
        """End the process if it is there, and give its place back empty. Not to be cancelled."""
        try:
            await self._see_it_dead()
        finally:
            for descriptor in (self.stdin, self.stdout, self.stderr, self._handle):
                if descriptor >= 0:
                    os.close(descriptor)
            self.control.close()
            self._slots.give_back(self.folder)

    async def _see_it_dead(self) -> None:
        with contextlib.suppress(ZygoteDied, NotForked):
            if self._handle < 0:
                self.pid, self._handle = await asyncio.shield(self.process.started)
            self.kill(Outcome.CANCELLED)
            await asyncio.shield(self.process.ended)
            return
        if self._handle >= 0:
            await self._see_orphan_dead()

    async def _see_orphan_dead(self) -> None:
        """Its zygote is gone and the kernel kills it; whoever reaps orphans does that."""
        loop = asyncio.get_running_loop()
        dead = loop.create_future()
        self.kill(Outcome.CANCELLED)
        loop.add_reader(self._handle, lambda: dead.done() or dead.set_result(None))
        await dead
        loop.remove_reader(self._handle)

    async def _report(self) -> Any:
        """What the process says of itself; None when it ends without a word or says too much."""
        loop = asyncio.get_running_loop()
        buffer = bytearray()
        while len(buffer) < _LENGTH.size or len(buffer) < _LENGTH.size + _LENGTH.unpack_from(buffer)[0]:
            data = await loop.sock_recv(self.control, _REPORT_BYTES)
            buffer += data
            if not data or len(buffer) > _REPORT_BYTES:
                return None
        return json.loads(buffer[_LENGTH.size :])


def release(script: str, sources: dict[str, str], cpu_s: int) -> bytes:
    """The block that lets an attested process begin."""
    return block({"script": script, "sources": sources, "cpuS": cpu_s})
