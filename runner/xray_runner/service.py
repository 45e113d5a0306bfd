"""Takes requests for runs in their order, at most so many at a time, and sees each through to an emptied place."""

import asyncio
import logging
from collections import deque
from typing import Any

from . import names
from .config import Config
from .confined import Confined
from .execution import Work, execute
from .manifest import Manifest
from .pool import Pool
from .protocol import Outcome, Refusal, RunReply, RunRequest
from .sandbox import landlock
from .sandbox.calls import MACHINE
from .slots import Slots

_log = logging.getLogger("xray_runner")


class Places:
    """First come, first served. `enter` gives a future that is done when the caller may run; `leave` ends that."""

    def __init__(self, count: int, most_waiting: int) -> None:
        self._free, self._most = count, most_waiting
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.active = 0

    @property
    def waiting(self) -> int:
        return sum(not place.done() for place in self._waiting)

    def enter(self) -> asyncio.Future[None]:
        """Raises Refusal when too many wait already."""
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self.active < self._free:
            self.active += 1
            place.set_result(None)
        elif self.waiting >= self._most:
            raise Refusal("queue_full")
        else:
            self._waiting.append(place)
        return place

    def leave(self) -> None:
        """Give the place to whoever has waited longest and still waits."""
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                return
        self.active -= 1


class Job:
    """One request on its way. `cancel` ends it wherever it is; `reply` is done only when nothing of it is left."""

    def __init__(self, service: "RunService", request: RunRequest) -> None:
        self._place: asyncio.Future[None] | None = None
        self._child: Confined | None = None
        self._cancelled = False
        self.reply: asyncio.Task[RunReply] = asyncio.get_running_loop().create_task(self._run(service, request))

    def cancel(self) -> None:
        """The client is gone."""
        self._cancelled = True
        if self._place is not None and not self._place.done():
            self._place.set_exception(Refusal("queue_full"))
        if self._child is not None:
            self._child.kill(Outcome.CANCELLED)

    async def _run(self, service: "RunService", request: RunRequest) -> RunReply:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + request.timeout_ms / 1_000
        sources = service.manifest.sources(request, service.config.egress)
        self._place = service.places.enter()
        waited = loop.call_at(deadline, self._waited_too_long)
        try:
            await self._place
        finally:
            waited.cancel()
        try:
            return await self._run_in_place(service, Work(request.script, sources, request.input, deadline))
        finally:
            service.places.leave()
            service.pool.after_run(idle=service.places.active == 0)

    async def _run_in_place(self, service: "RunService", work: Work) -> RunReply:
        child = await service.pool.take()
        try:
            if self._cancelled:
                raise Refusal("queue_full")
            self._child = child
            return await execute(child, work, service.look_up, service.config.bounds)
        finally:
            self._child = None
            try:
                await child.dispose()
            except OSError:
                # The place stays out of use: a run must find it empty.
                _log.exception("a place could not be emptied")

    def _waited_too_long(self) -> None:
        if self._place is not None and not self._place.done():
            self._place.set_exception(Refusal("queue_full"))


class RunService:
    """Everything that stands between a parsed request and its reply."""

    def __init__(self, config: Config, manifest: Manifest, slots: Slots, pool: Pool, missing: list[str]) -> None:
        self.config, self.manifest, self.slots, self.pool, self.missing = config, manifest, slots, pool, missing
        self.places = Places(config.concurrency, config.bounds.waiting)
        self._jobs: set[Job] = set()
        self.look_up: names.Resolve | None = names.resolve if config.egress else None

    def start(self, request: RunRequest) -> Job:
        """Begin a run. Raises Refusal when no run is possible here at all."""
        if self.missing:
            raise Refusal("sandbox_unavailable")
        job = Job(self, request)
        self._jobs.add(job)
        job.reply.add_done_callback(lambda _: self._jobs.discard(job))
        return job

    async def close(self) -> None:
        """End every run, and return when nothing of them is left."""
        jobs = list(self._jobs)
        for job in jobs:
            job.cancel()
        await asyncio.gather(*(job.reply for job in jobs), return_exceptions=True)

    def health(self) -> dict[str, Any]:
        """The answer of `GET /health`."""
        kin = self.pool.current
        now = asyncio.get_running_loop().time()
        return {
            "ok": not self.missing and kin is not None,
            "network": "egress" if self.config.egress else "none",
            "skills": sorted(self.manifest.of_tier(self.config.egress)),
            "missing": self.missing or ([] if kin else self.pool.failure),
            "selftest": self.pool.selftest,
            "landlockAbi": landlock.abi(),
            "arch": MACHINE,
            "user": self.slots.user,
            "quota": self.slots.quota,
            "slots": self.slots.total,
            "active": self.places.active,
            "waiting": self.places.waiting,
            "warm": kin.ready if kin else 0,
            "zygote": kin
            and {
                "pid": kin.zygote.pid,
                "ageS": round(now - kin.zygote.started_at),
                "runs": kin.zygote.runs,
                "preloadMissing": kin.missing,
            },
        }
