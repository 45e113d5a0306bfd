"""One script in one attested process, from its release to its reply."""

import asyncio
import math
import os
import signal
from dataclasses import dataclass

from . import names, quota
from .capture import Capture, Feeder
from .config import Bounds
from .confined import Confined, release
from .protocol import Outcome, Refusal, RunReply
from .script import OUT_OF_MEMORY
from .zygote_link import End, ZygoteDied

_LOOK_EVERY_S = 0.05


@dataclass(frozen=True)
class Work:
    """What one run is given. `deadline` is a time of the event loop's clock."""

    script: str
    sources: dict[str, str]
    input: bytes
    deadline: float


async def execute(child: Confined, work: Work, look_up: names.Resolve | None, bounds: Bounds) -> RunReply:
    """Run the script. With `look_up` the run may ask for names. Raises Refusal when the process was lost.

    The process is reaped afterwards; its place is the caller's to dispose of.
    """
    if not child.attested:
        raise Refusal("internal")
    loop = asyncio.get_running_loop()
    start = loop.time()
    cpu_s = min(bounds.cpu_s, math.ceil(max(0.0, work.deadline - start)) + 1)
    helpers: list[asyncio.Task[None]] = []

    def kill_for(outcome: Outcome):
        return lambda: child.kill(outcome)

    def released() -> None:
        if look_up is not None:
            helpers.append(loop.create_task(names.serve(child.control, look_up, bounds)))

    too_much = kill_for(Outcome.OUTPUT_LIMIT)
    stdout = Capture(child.stdout, bounds.stdout_bytes, bounds.stdout_bytes, too_much)
    stderr = Capture(child.stderr, bounds.stderr_bytes, bounds.stderr_kill_bytes, too_much)
    timer = loop.call_at(work.deadline, kill_for(Outcome.TIMEOUT))
    feeders = [
        Feeder(child.control.fileno(), release(work.script, work.sources, cpu_s), released),
        Feeder(child.stdin, work.input, child.close_input),
    ]
    if child.folder.slot.watched:
        helpers.append(loop.create_task(_watch_disk(child, bounds)))
    try:
        end = await child.process.ended
    except ZygoteDied as error:
        raise Refusal("zygote_died") from error
    finally:
        duration_ms = round((loop.time() - start) * 1_000)
        timer.cancel()
        for feeder in feeders:
            feeder.stop()
        for helper in helpers:
            helper.cancel()
        await asyncio.gather(*helpers, return_exceptions=True)
        stdout.finish()
        stderr.finish()
    outcome, exit_code = judge(end, child.why_killed, cpu_s)
    return RunReply(outcome, exit_code, duration_ms, stdout.kept, stderr.kept, stdout.total, stderr.total)


def judge(end: End, why_killed: Outcome | None, cpu_s: int) -> tuple[Outcome, int | None]:
    """The outcome and exit code of an ended process that was released with `cpu_s` seconds of processor time."""
    if os.WIFEXITED(end.status):
        code = os.WEXITSTATUS(end.status)
        if code == OUT_OF_MEMORY:
            return Outcome.MEMORY_LIMIT, None
        return (Outcome.SCRIPT_ERROR, code) if code else (Outcome.OK, 0)
    number = os.WTERMSIG(end.status)
    if number == signal.SIGSYS:
        return Outcome.SANDBOX_VIOLATION, None
    if number == signal.SIGXCPU:
        return Outcome.CPU_LIMIT, None
    if number == signal.SIGKILL and why_killed is not None:
        return why_killed, None
    if number == signal.SIGKILL:
        # Nobody here did it, so the kernel did: for time, or else for memory.
        return (Outcome.CPU_LIMIT if end.cpu_s >= cpu_s else Outcome.MEMORY_LIMIT), None
    return Outcome.CRASHED, None


async def _watch_disk(child: Confined, bounds: Bounds) -> None:
    while True:
        await asyncio.sleep(_LOOK_EVERY_S)
        if quota.is_over(child.folder.descriptor, child.pid, bounds):
            child.kill(Outcome.DISK_LIMIT)
            return
