"""Resource limits of one run, as the kernel keeps them."""

import contextlib
import ctypes
import os
import resource
from pathlib import Path

_M_ARENA_MAX = -8
_CPU_UNTIL_RELEASE_S, _CPU_CEILING_S = 10, 3_600
FILE_BYTES = 16 * 1_048_576
_OPEN_FILES = 64
_MEMORY_BUDGET_BYTES = 256 * 1_048_576
# A backstop: every run is one process, and its threads need address space. Counted per user, in all its containers.
_THREADS = 256

Limit = tuple[int, int, int]

# As /proc calls them.
NAMES = {
    resource.RLIMIT_CPU: "Max cpu time",
    resource.RLIMIT_AS: "Max address space",
    resource.RLIMIT_FSIZE: "Max file size",
    resource.RLIMIT_NOFILE: "Max open files",
    resource.RLIMIT_NPROC: "Max processes",
}


def of_zygote() -> None:
    """What every run inherits: no core files, no locked memory, no queues, no priorities, one heap for all threads.

    glibc else reserves 64 MiB of address space a thread, and a handful of threads would be all that fits.
    """
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)
    for kind in ("CORE", "MEMLOCK", "MSGQUEUE", "RTPRIO", "NICE", "SIGPENDING"):
        number = getattr(resource, f"RLIMIT_{kind}", None)
        if number is not None:
            resource.setrlimit(number, (0, 0))


def of_run(template_bytes: int, threads_beside: int) -> tuple[Limit, ...]:
    """(resource, soft, hard) for one run.

    `template_bytes` is the address space that the zygote has already, `threads_beside` how many threads the same user
    has outside; both come on top, or a run would have nothing left.
    """
    memory = template_bytes + _MEMORY_BUDGET_BYTES
    threads = _THREADS + threads_beside
    wanted = (
        (resource.RLIMIT_CPU, _CPU_UNTIL_RELEASE_S, _CPU_CEILING_S),
        (resource.RLIMIT_AS, memory, memory),
        (resource.RLIMIT_FSIZE, FILE_BYTES, FILE_BYTES),
        (resource.RLIMIT_NOFILE, _OPEN_FILES, _OPEN_FILES),
        (resource.RLIMIT_NPROC, threads, threads),
    )
    return tuple((kind, _at_most(kind, soft), _at_most(kind, hard)) for kind, soft, hard in wanted)


def _at_most(kind: int, wanted: int) -> int:
    """What is wanted, or less where this process has less itself."""
    _, hard = resource.getrlimit(kind)
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


def set_limits(limits: tuple[Limit, ...]) -> None:
    """Put this process under the limits. Raises ValueError or OSError when one cannot be had."""
    for kind, soft, hard in limits:
        resource.setrlimit(kind, (soft, hard))


def address_space_bytes() -> int:
    """What this process has mapped now."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def threads_of_user(uid: int) -> int:
    """How many threads the user has on this machine, as far as /proc shows."""
    total = 0
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if entry.stat().st_uid == uid:
                total += len(os.listdir(entry / "task"))
        except OSError:
            continue
    return total
