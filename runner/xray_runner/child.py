"""One run from the fork to its end: walls up, proof given, wait for the release, then the script and nothing else."""

import ctypes
import gc
import os
import random
import resource
import sys
from dataclasses import dataclass
from typing import Any, NoReturn

from .sandbox import attest
from .sandbox.calls import call
from .sandbox.confine import CONTROL, Unconfined, Walls, confine
from .script import run_to_end
from .wire import block, read_block

NOT_CONFINED = 70


@dataclass(frozen=True)
class Template:
    """What the zygote knows of every run."""

    walls: Walls
    canary: str
    egress: bool
    zygote_pid: int


def become_run(template: Template, descriptors: tuple[int, int, int, int], work: int, uid: int | None) -> NoReturn:
    """Confine this process, say so on its control stream, and run what the listener sends. Never returns."""
    try:
        _prepare(template, descriptors, work, uid)
        release = read_block(CONTROL)
        # The filter lets this one limit be lowered; it cannot be raised again.
        processor_s = int(release["cpuS"])
        limit = (ctypes.c_uint64 * 2)(processor_s, processor_s + 1)
        call("setrlimit", resource.RLIMIT_CPU, ctypes.addressof(limit))
        if not template.egress:
            os.close(CONTROL)
        gc.enable()
    except BaseException:
        os._exit(NOT_CONFINED)
    run_to_end(release["script"], release["sources"])


def _prepare(template: Template, descriptors: tuple[int, int, int, int], work: int, uid: int | None) -> None:
    try:
        confine(template.walls, descriptors, work, uid, template.zygote_pid)
        _reseed()
        os.write(CONTROL, block({"attempts": attest.attempts(template.canary, template.egress)}))
    except Unconfined as error:
        # The control stream is descriptor 3 or, when that very step failed, still where it came from.
        control = descriptors[3] if str(error) == "descriptors" else CONTROL
        os.write(control, block({"failed": str(error)}))
        raise


def _reseed() -> None:
    """Copies of one process would all draw the same numbers."""
    random.seed()
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed()
