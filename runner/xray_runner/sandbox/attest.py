"""Proof that the walls stand: what a confined process is refused, and what the kernel says of it from outside."""

import ctypes
import errno
import os
from dataclasses import dataclass
from pathlib import Path

from .calls import errno_of

_AF_INET, _STREAM, _DGRAM = 2, 1, 2
_CLONE_SIGHAND, _SIGCHLD = 0x800, 17
_O_WRONLY_CREATE_EXCLUSIVE = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_AT_FDCWD = -100
# An address that a process without Landlock may try: 127.0.0.1, port 9.
_DISCARD = b"\x02\x00\x00\x09\x7f\x00\x00\x01" + bytes(8)

NEIGHBOUR = "../canary"


def expected(egress: bool) -> dict[str, int]:
    """Errno of each attempt behind standing walls. Landlock says EACCES, seccomp EPERM; nothing else will do."""
    files = dict.fromkeys(("read_outside", "create_outside", "read_neighbour", "create_neighbour"), errno.EACCES)
    calls = dict.fromkeys(("datagram", "execute", "fork"), errno.EPERM)
    return files | calls | ({"port": errno.EACCES} if egress else {"stream": errno.EPERM})


def attempts(canary: str, egress: bool) -> dict[str, int]:
    """Try them from inside. `canary` is a readable file in a folder that all may write to; both exist.

    The fork lacks a flag that its kind needs: let through it fails with EINVAL, so no process can come of it.
    """
    path, beside, above = (ctypes.create_string_buffer(os.fsencode(name)) for name in (canary, f"{canary}.x", "../x"))
    neighbour = ctypes.create_string_buffer(NEIGHBOUR.encode())
    at = ctypes.addressof

    def opened(name: ctypes.Array, flags: int) -> int:
        return errno_of("openat", _AT_FDCWD, at(name), flags, 0o600)

    found = {
        "read_outside": opened(path, os.O_RDONLY),
        "create_outside": opened(beside, _O_WRONLY_CREATE_EXCLUSIVE),
        "read_neighbour": opened(neighbour, os.O_RDONLY),
        "create_neighbour": opened(above, _O_WRONLY_CREATE_EXCLUSIVE),
        "datagram": errno_of("socket", _AF_INET, _DGRAM, 0),
        "execute": errno_of("execve", at(path), 0, 0),
        "fork": errno_of("clone", _CLONE_SIGHAND | _SIGCHLD),
    }
    if egress:
        return found | {"port": _connect_elsewhere()}
    return found | {"stream": errno_of("socket", _AF_INET, _STREAM, 0)}


def _connect_elsewhere() -> int:
    """Errno of a connection to a port that is not open to the run."""
    import socket

    address = ctypes.create_string_buffer(_DISCARD, len(_DISCARD))
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        return errno_of("connect", probe.fileno(), ctypes.addressof(address), len(_DISCARD))


@dataclass(frozen=True)
class Expectation:
    """What /proc must say of a confined process."""

    zygote_pid: int
    filters: int
    uid: int
    gid: int
    limits: dict[str, tuple[int, int]]


def contradiction(pid: int, wanted: Expectation) -> str | None:
    """The first line of the kernel's own record that is not as wanted, or None. Raises OSError when it cannot be read."""
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
    )
    no_rights = "0" * 16
    lines = {
        "NoNewPrivs": "1",
        "Seccomp": "2",
        "Seccomp_filters": str(wanted.filters),
        "Threads": "1",
        "PPid": str(wanted.zygote_pid),
        "CapInh": no_rights,
        "CapPrm": no_rights,
        "CapEff": no_rights,
        "CapAmb": no_rights,
        "Uid": " ".join([str(wanted.uid)] * 4),
        "Gid": " ".join([str(wanted.gid)] * 4),
    }
    for name, value in lines.items():
        if " ".join(status.get(name, "").split()) != value:
            return name
    if sorted(os.listdir(f"/proc/{pid}/fd")) != ["0", "1", "2", "3"]:
        return "descriptors"
    return _wrong_limit(pid, wanted.limits)


def _wrong_limit(pid: int, wanted: dict[str, tuple[int, int]]) -> str | None:
    lines = Path(f"/proc/{pid}/limits").read_text().splitlines()
    for name, bounds in wanted.items():
        found = next((line.removeprefix(name).split()[:2] for line in lines if line.startswith(name)), [])
        if found != [str(bound) for bound in bounds]:
            return name
    return None


def filters_of(pid: int | str) -> int:
    """How many filters of system calls a process wears already; a container brings one."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("Seccomp_filters:"):
            return int(line.split()[1])
    raise OSError("the kernel does not count filters")
