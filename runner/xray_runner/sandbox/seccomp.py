"""Installs the filter of system calls. Prepared once, then a copy of the process needs one system call."""

import ctypes
import struct

from . import bpf, policy
from .calls import MACHINE, NUMBERS, call

_SET_MODE_FILTER, _GET_ACTION_AVAILABLE = 1, 2


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


class Filter:
    """The program of one tier, ready in memory except for the id of the process that will wear it."""

    def __init__(self, egress: bool) -> None:
        code, self._holes = bpf.encode(policy.build(MACHINE, NUMBERS, egress))
        self._code = (ctypes.c_char * len(code)).from_buffer(code)
        self._program = _Program(len(code) // 8, ctypes.addressof(self._code))

    def install(self, own_pid: int) -> None:
        """Put this process under the filter, for good. Needs no_new_privileges first. Raises OSError."""
        for hole in self._holes:
            struct.pack_into("=I", self._code, hole, own_pid)
        call("seccomp", _SET_MODE_FILTER, 0, ctypes.addressof(self._program))


def available() -> bool:
    """Whether this kernel (and a container's own filter around us) lets a process be filtered."""
    action = ctypes.c_uint32(policy.KILL)
    try:
        call("seccomp", _GET_ACTION_AVAILABLE, 0, ctypes.addressof(action))
    except OSError:
        return False
    return MACHINE in policy.ARCHITECTURES
