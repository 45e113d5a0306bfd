"""Starts a runner and serves its socket until told to stop. The listener never runs or imports what a skill brought."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import AsyncIterator
from pathlib import Path

from . import interpreter, manifest, missing, orphans
from .config import Config
from .connection import Connection
from .pool import Pool
from .protocol import Refusal
from .sandbox.calls import call
from .service import RunService
from .slots import Slots
from .zygote_link import Zygote

_log = logging.getLogger("xray_runner")
_PR_SET_CHILD_SUBREAPER = 36
_SOCKET_MODE = 0o660


@contextlib.asynccontextmanager
async def running(config: Config) -> AsyncIterator[RunService]:
    """A runner with its self-test behind it, or one that refuses runs and says why. Raises OSError, ValueError."""
    absent = missing.find(config.egress)
    # Runs whose zygote was killed come to us, so that none stays behind unreaped.
    call("prctl", _PR_SET_CHILD_SUBREAPER, 1)
    asyncio.get_running_loop().add_signal_handler(signal.SIGCHLD, orphans.reap, Zygote.live)
    skills = manifest.read(config.manifest, config.skills)
    slots = Slots(config)
    pool = Pool(config, interpreter.find(), skills, slots)
    service = RunService(config, skills, slots, pool, absent)
    try:
        if not absent:
            with contextlib.suppress(Refusal):
                await pool.start()
                pool.make_ready()
        yield service
    finally:
        await service.close()
        await pool.close()
        slots.close()


async def serve(config: Config) -> None:
    """Serve until SIGTERM or SIGINT. Raises OSError, ValueError."""
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    async with running(config) as service:
        connections: set[Connection] = set()
        allowed = {0, os.geteuid(), *([] if config.peer_uid is None else [config.peer_uid])}
        server = await loop.create_unix_server(
            lambda: Connection(service, config.bounds, connections, allowed.__contains__), sock=_bind(config.listen)
        )
        health = service.health()
        _log.info("%s", "ready" if health["ok"] else f"refusing every run: {', '.join(health['missing'])}")
        await stopped.wait()
        server.close()
        for connection in list(connections):
            connection.close()
        config.listen.unlink(missing_ok=True)


def _bind(path: Path) -> socket.socket:
    """A socket at the path, open to its owner and group. One that a dead runner left is replaced. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
    if path.is_socket():
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(str(path))
            except ConnectionRefusedError:
                path.unlink()
            else:
                raise FileExistsError(f"another runner listens at {path}")
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
    before = os.umask(0o777 ^ _SOCKET_MODE)
    try:
        bound.bind(str(path))
    finally:
        os.umask(before)
    return bound
