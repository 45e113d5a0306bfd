"""The process that every run is a copy of: interpreter started and modules imported once, then a fork a run.

It sees neither input nor output of a run and holds no secret, since its memory is a part of every run's. It has one
thread, no environment but language and time zone, and walls of its own.
"""

import gc
import importlib
import os
import select
import signal
import socket
import sys
from typing import Any

from .child import NOT_CONFINED, Template, become_run
from .sandbox import landlock, limits, paths
from .sandbox.attest import filters_of
from .sandbox.calls import CAP_KILL, CAP_SETGID, CAP_SETUID, call, die_with_parent, keep_capabilities, no_new_privileges
from .sandbox.confine import Walls
from .sandbox.seccomp import Filter
from .wire import receive_datagram, send_datagram

# The listener's end of everything said here. A run gets its own control stream under the same number.
LISTENER = 3

# What most scripts import; a few milliseconds each, paid once.
_COMMON = (
    "base64 bisect collections contextlib csv dataclasses datetime decimal difflib enum fractions functools "
    "hashlib heapq html io itertools json math operator pathlib random re shutil signal statistics string tempfile "
    "textwrap threading time traceback typing unicodedata zoneinfo"
).split()
_NETWORK = "gzip html.parser http.client ipaddress socket ssl urllib.parse zlib".split()


def main() -> None:
    """Serve the listener on descriptor 3 until it is gone."""
    listener = socket.socket(fileno=LISTENER)
    received = receive_datagram(listener)
    if received is None:
        return
    config, _ = received
    die_with_parent(signal.SIGKILL)
    if os.getppid() != config["listenerPid"]:
        return
    os.umask(0o077)
    call("close_range", LISTENER + 1, 0xFFFFFFFF)
    missing = _preload([*_COMMON, *(_NETWORK if config["egress"] else ()), *config["preload"]], config["packages"])
    template = _prepare(config)
    gc.collect()
    gc.freeze()
    gc.disable()
    named = [(limits.NAMES[kind], soft, hard) for kind, soft, hard in template.walls.limits]
    send_datagram(listener, {"ready": {"filters": filters_of("self"), "missing": missing, "limits": named}})
    _serve(listener, template)


def _preload(modules: list[str], packages: list[str]) -> list[str]:
    """Import the modules; returns those that are not there.

    Functions that want to be called in a copy are not kept: they touch memory all over, which is most of what a fork
    costs. What they would do is done where it matters (random numbers), or has no meaning in a process of one thread.
    """
    sys.path.extend(packages)
    kept, os.register_at_fork = os.register_at_fork, lambda **_: None
    missing = []
    try:
        for module in modules:
            try:
                importlib.import_module(module)
            except ImportError:
                missing.append(module)
    finally:
        os.register_at_fork = kept
    return missing


def _prepare(config: dict[str, Any]) -> Template:
    """Put up the zygote's own walls, which hold for every run too, and make ready what each run adds."""
    as_root = os.geteuid() == 0
    egress = config["egress"]
    version = landlock.abi()
    readable = paths.open_rules(paths.readable(tuple(config["packages"]), egress))
    ports = tuple(config["ports"]) if egress else ()
    seccomp = Filter(egress)
    beside = limits.threads_of_user(os.geteuid()) if not as_root else 0
    limits.of_zygote()
    run_limits = limits.of_run(limits.address_space_bytes(), beside)
    no_new_privileges()
    work = os.open(config["work"], os.O_PATH | os.O_CLOEXEC)
    processes = os.open("/proc", os.O_PATH | os.O_CLOEXEC)
    own = (*readable, (work, landlock.WORK_TREE), (processes, landlock.READ_TREE))
    landlock.restrict(version, landlock.Rules(own, ports))
    os.close(work)
    os.close(processes)
    # Without KILL its death could not end runs of other users.
    keep_capabilities((CAP_SETUID, CAP_SETGID, CAP_KILL) if as_root else ())
    walls = Walls(version, readable, ports, seccomp, run_limits)
    return Template(walls, config["canary"], egress, os.getpid())


def _serve(listener: socket.socket, template: Template) -> None:
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    runs: dict[int, tuple[int, int]] = {}
    while True:
        for descriptor, _ in poll.poll():
            if descriptor != LISTENER:
                poll.unregister(descriptor)
                _report_end(listener, *runs.pop(descriptor), descriptor)
                continue
            received = receive_datagram(listener)
            if received is None:
                return
            started = _start(listener, template, *received)
            if started is not None:
                run, pid, handle = started
                runs[handle] = (run, pid)
                poll.register(handle, select.POLLIN)


def _start(
    listener: socket.socket, template: Template, order: dict[str, Any], descriptors: list[int]
) -> tuple[int, int, int] | None:
    """Fork one run: its number, process id and pidfd; None when there is none."""
    run = order["run"]
    try:
        if len(os.listdir("/proc/self/task")) != 1:
            raise OSError("a second thread")
        pid = os.fork()
        if pid == 0:
            _in_copy(template, descriptors, order["uid"])
        # The process cannot be reaped before this, so the handle is its own.
        handle = os.pidfd_open(pid)
        send_datagram(listener, {"started": {"run": run, "pid": pid}}, (handle,))
        return run, pid, handle
    except OSError:
        send_datagram(listener, {"refused": {"run": run}})
        return None
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def _in_copy(template: Template, descriptors: list[int], uid: int | None) -> None:
    try:
        standard_input, standard_output, standard_error, control, work = descriptors
        become_run(template, (standard_input, standard_output, standard_error, control), work, uid)
    finally:
        os._exit(NOT_CONFINED)


def _report_end(listener: socket.socket, run: int, pid: int, handle: int) -> None:
    """Reap a run and say how it ended."""
    _, status, usage = os.wait4(pid, 0)
    os.close(handle)
    cpu_s = usage.ru_utime + usage.ru_stime
    send_datagram(listener, {"ended": {"run": run, "status": status, "cpuS": cpu_s, "peakKb": usage.ru_maxrss}})
