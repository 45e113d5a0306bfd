"""Keeps a tested zygote at hand and processes that wait ready, and replaces the zygote before it grows old."""

import asyncio
import contextlib
import logging
import os
from collections import deque

from . import selftest
from .config import Config
from .confined import Attestor, Confined
from .interpreter import Interpreter
from .manifest import Manifest
from .protocol import Refusal
from .slots import CANARY, Slots
from .zygote_link import Zygote, ZygoteDied

_log = logging.getLogger("xray_runner")


class Kin:
    """A zygote that has passed the self-test, with the processes of it that nobody has yet."""

    def __init__(self, zygote: Zygote, attestor: Attestor, missing: list[str]) -> None:
        self.zygote, self.attestor, self.missing = zygote, attestor, missing
        self.waiting: deque[asyncio.Task[Confined]] = deque()

    @property
    def ready(self) -> int:
        """How many of those that wait are attested already."""
        return sum(task.done() for task in self.waiting)


class Pool:
    """Gives out attested processes. `start` first; `close` ends every process."""

    def __init__(self, config: Config, interpreter: Interpreter, manifest: Manifest, slots: Slots) -> None:
        self._config, self._interpreter, self._slots = config, interpreter, slots
        mine = manifest.of_tier(config.egress).values()
        self._preload = sorted({module for skill in mine for module in skill.preload})
        self._loop = asyncio.get_running_loop()
        self._kin: Kin | None = None
        self._old: list[Kin] = []
        self._starting: asyncio.Task[Kin] | None = None
        self._failed_at = float("-inf")
        self._tasks: set[asyncio.Task[object]] = set()
        self._closed = False
        self._rotating = False
        self.selftest: dict[str, str] = {}
        self.failure: list[str] = []

    @property
    def current(self) -> Kin | None:
        """The zygote that runs come from now; None when there is none that may be used."""
        return self._kin if self._kin is not None and self._kin.zygote.alive else None

    async def start(self) -> None:
        """Start and test the first zygote. Raises Refusal."""
        self._kin = await self._single_start()

    async def take(self) -> Confined:
        """A process of the tested zygote: one that waits already, or a new one. Raises Refusal."""
        kin = self.current or await self._restart()
        while kin.waiting:
            with contextlib.suppress(Refusal):
                child = await kin.waiting.popleft()
                if not child.over:
                    return child
                await child.dispose()
        return await self._prepare(kin)

    def after_run(self, idle: bool) -> None:
        """A run has ended: replace a zygote that has had its time. With nothing else to do, have processes ready."""
        kin = self.current
        if kin is None or self._closed or self._rotating:
            return
        bounds = self._config.bounds
        age_s = self._loop.time() - kin.zygote.started_at
        if kin.zygote.runs >= bounds.zygote_runs or age_s >= bounds.zygote_age_s:
            self._rotating = True
            self._spawn(self._rotate())
        elif idle:
            self.make_ready()

    def make_ready(self) -> None:
        """Prepare processes until as many wait as may run. Done while nothing runs, since it takes as long as a run."""
        kin = self.current
        while kin is not None and len(kin.waiting) < self._config.concurrency:
            kin.waiting.append(self._spawn(self._prepare(kin)))

    async def close(self) -> None:
        """End every process and see its place empty."""
        self._closed = True
        kins = [*self._old, *([self._kin] if self._kin else [])]
        for kin in kins:
            await self._dispose_waiting(kin)
            kin.zygote.close()
        if self._starting:
            self._starting.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _restart(self) -> Kin:
        if self._closed:
            raise Refusal("sandbox_unavailable")
        if self._kin is not None:
            await self._dispose_waiting(self._kin)
        if self._loop.time() - self._failed_at < self._config.bounds.restart_wait_s:
            raise Refusal("sandbox_unavailable")
        self._kin = await self._single_start()
        return self._kin

    async def _single_start(self) -> Kin:
        """Start one zygote at a time; all who need it wait for the same one."""
        if self._starting is None:
            self._starting = self._spawn(self._start_kin())
            self._starting.add_done_callback(self._started)
        return await asyncio.shield(self._starting)

    def _started(self, task: asyncio.Task[Kin]) -> None:
        self._starting = None
        error = None if task.cancelled() else task.exception()
        self.failure = [] if error is None else [error.code if isinstance(error, Refusal) else "internal"]
        if error is not None:
            self._failed_at = self._loop.time()

    async def _rotate(self) -> None:
        """Blue and green: the new zygote is there and tested before the old one gets its last run."""
        old = self._kin
        try:
            new = await self._single_start()
        except Refusal as refusal:
            _log.error("a new zygote cannot be used: %s", refusal.code)
            return
        finally:
            self._rotating = False
        if old is None:
            return
        self._kin = new
        self._old.append(old)
        await self._dispose_waiting(old)
        await old.zygote.close_when_idle()
        self._old.remove(old)
        _log.info("zygote %d replaced by %d", old.zygote.pid, new.zygote.pid)

    async def _start_kin(self) -> Kin:
        zygote = Zygote(self._config, self._interpreter)
        try:
            zygote.configure(
                {
                    "listenerPid": os.getpid(),
                    "egress": self._config.egress,
                    "ports": self._config.ports,
                    "packages": self._interpreter.packages,
                    "preload": self._preload,
                    "work": str(self._config.work),
                    "canary": CANARY,
                }
            )
            async with asyncio.timeout(self._config.bounds.zygote_start_s):
                ready = await asyncio.shield(zygote.ready)
            limits = {name: (soft, hard) for name, soft, hard in ready["limits"]}
            attestor = Attestor(self._config.egress, ready["filters"], zygote.pid, limits)
            kin = Kin(zygote, attestor, ready["missing"])
            await self._test(kin)
            # Whoever waited dies with the zygote and must not stay behind unreaped.
            zygote.gone.add_done_callback(lambda _: self._spawn(self._dispose_waiting(kin)))
            return kin
        except (OSError, TimeoutError, ZygoteDied) as error:
            zygote.close()
            _log.error("no zygote: %s", type(error).__name__)
            raise Refusal("sandbox_unavailable") from error
        except BaseException:
            zygote.close()
            raise

    async def _test(self, kin: Kin) -> None:
        child = await self._prepare(kin)
        try:
            self.selftest = await selftest.try_to_escape(child, self._config.bounds)
        finally:
            await child.dispose()
        if self.selftest != selftest.WANTED:
            _log.error("self-test: %s", self.selftest)
            raise Refusal("sandbox_unavailable")

    async def _prepare(self, kin: Kin) -> Confined:
        try:
            child = Confined(kin.zygote, self._slots)
        except (OSError, IndexError) as error:
            _log.error("no process: %s", type(error).__name__)
            raise Refusal("sandbox_setup") from error
        try:
            await child.prepare(kin.attestor, self._config.bounds.prepare_s)
            return child
        except Refusal as refusal:
            _log.error("process refused: %s", refusal.detail)
            await child.dispose()
            raise

    async def _dispose_waiting(self, kin: Kin) -> None:
        while kin.waiting:
            with contextlib.suppress(Refusal):
                await (await kin.waiting.popleft()).dispose()

    def _spawn(self, work):
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return task

    def _forget(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None and not isinstance(task.exception(), Refusal):
            _log.error("internal: %s", type(task.exception()).__name__, exc_info=task.exception())
