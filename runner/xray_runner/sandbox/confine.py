"""Turns a fresh copy of the zygote into a confined process. The order matters and is told at each step."""

import os
import signal
from dataclasses import dataclass

from . import landlock, limits
from .calls import call, die_with_parent, no_new_privileges
from .seccomp import Filter

STANDARD_INPUT, STANDARD_OUTPUT, STANDARD_ERROR, CONTROL = range(4)
_ALL_LATER = 0xFFFFFFFF


@dataclass(frozen=True)
class Walls:
    """Everything that confinement needs and that is the same for each run of one zygote."""

    landlock_abi: int
    readable: tuple[tuple[int, int], ...]
    ports: tuple[int, ...]
    filter: Filter
    limits: tuple[limits.Limit, ...]


class Unconfined(Exception):
    """A wall could not be put up; the argument names the step."""


def confine(walls: Walls, descriptors: tuple[int, int, int, int], work: int, uid: int | None, zygote: int) -> None:
    """Confine this process for good. `descriptors` become 0 to 3, the folder behind `work` the working directory.

    With `uid` the process changes to that user, which only root can. Raises Unconfined; the process must end then.
    """
    step = "descriptors"
    try:
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)
        step = "session"
        os.setsid()
        step = "limits"
        limits.set_limits(walls.limits)
        if uid is not None:
            step = "user"
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
        # After the change of user, which clears it.
        step = "parent"
        die_with_parent(signal.SIGKILL)
        if os.getppid() != zygote:
            raise ProcessLookupError
        step = "folder"
        os.fchdir(work)
        step = "privileges"
        no_new_privileges()
        step = "landlock"
        rules = landlock.Rules((*walls.readable, (work, landlock.WORK_TREE)), walls.ports)
        landlock.restrict(walls.landlock_abi, rules)
        # Only now: the descriptors behind the rules were needed above, and a folder left open would be a way out.
        step = "closing"
        call("close_range", CONTROL + 1, _ALL_LATER)
        step = "seccomp"
        walls.filter.install(os.getpid())
    except (OSError, ValueError) as error:
        raise Unconfined(step) from error
