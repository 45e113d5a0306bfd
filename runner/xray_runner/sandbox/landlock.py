"""Landlock: which paths and ports a process may still reach. What no rule names is closed, for good."""

import ctypes
from dataclasses import dataclass

from .calls import call

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << bit for bit in range(6))
MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK, MAKE_SYM = (1 << bit for bit in range(6, 13))
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
BIND_TCP, CONNECT_TCP = 1, 2
SCOPE_ABSTRACT_UNIX, SCOPE_SIGNAL = 1, 2

READ_TREE = READ_FILE | READ_DIR
WORK_TREE = (
    READ_TREE | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SYM | REFER | TRUNCATE
)

# Before ABI 2 no file can be moved between folders, not even inside the work folder.
LEAST_ABI = 2
# Ports are known from ABI 4 on; the egress tier is nothing without them.
LEAST_ABI_EGRESS = 4

_VERSION_FLAG = 1
_RULE_PATH, _RULE_PORT = 1, 2


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = [("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32)]


@dataclass(frozen=True)
class Rules:
    """What stays open: descriptors of paths with the rights below them, and TCP ports that may be connected to."""

    paths: tuple[tuple[int, int], ...]
    ports: tuple[int, ...] = ()


def abi() -> int:
    """The version that the running kernel answers with; 0 without Landlock.

    The list under /sys/kernel/security is no evidence: it is absent on kernels that do have Landlock.
    """
    try:
        return call("landlock_create_ruleset", 0, 0, _VERSION_FLAG)
    except OSError:
        return 0


def handled_files(version: int) -> int:
    """Every right on files that this version knows, and therefore denies where no rule gives it."""
    return (1 << (13 + (version >= 2) + (version >= 3) + (version >= 5))) - 1


def restrict(version: int, rules: Rules) -> None:
    """Put this process and all its later threads and children under the rules. Needs no_new_privileges first."""
    files = handled_files(version)
    ports = BIND_TCP | CONNECT_TCP if version >= 4 else 0
    scopes = SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL if version >= 6 else 0
    attributes = (ctypes.c_uint64 * 3)(files, ports, scopes)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = call("landlock_create_ruleset", ctypes.addressof(attributes), size)
    for folder, allowed in rules.paths:
        path_rule = _PathRule(allowed & files, folder)
        call("landlock_add_rule", ruleset, _RULE_PATH, ctypes.addressof(path_rule))
    for port in rules.ports:
        port_rule = (ctypes.c_uint64 * 2)(CONNECT_TCP, port)
        call("landlock_add_rule", ruleset, _RULE_PORT, ctypes.addressof(port_rule))
    call("landlock_restrict_self", ruleset)
    call("close", ruleset)
