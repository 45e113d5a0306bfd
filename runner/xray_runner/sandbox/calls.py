"""Raw system calls, for what Python's library has no function for. Linux on x86_64 and aarch64 only."""

import ctypes
import os
import platform

from .numbers import AARCH64, X86_64

MACHINE = platform.machine()
NUMBERS = {"x86_64": X86_64, "aarch64": AARCH64}.get(MACHINE, {})

_syscall = ctypes.CDLL(None, use_errno=True).syscall
_syscall.restype = ctypes.c_long
_syscall.argtypes = [ctypes.c_long] * 7

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
CAP_KILL, CAP_SETGID, CAP_SETUID = 5, 6, 7
_CAPABILITY_VERSION_3 = 0x20080522


def call(name: str, *arguments: int) -> int:
    """Make one system call and return its result. Addresses are integers; their buffers must outlive the call.

    Raises OSError with the kernel's errno, ENOSYS also for a call that this machine's table does not have.
    """
    number = NUMBERS.get(name, -1)
    result = _syscall(number, *arguments, *(0,) * (6 - len(arguments)))
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), name)
    return result


def errno_of(name: str, *arguments: int) -> int:
    """Make one system call for its refusal: the errno, or 0 when it was let through."""
    try:
        call(name, *arguments)
    except OSError as error:
        return error.errno or -1
    return 0


def no_new_privileges() -> None:
    """For this process and all it will fork: no program started later can gain rights. Cannot be undone."""
    call("prctl", PR_SET_NO_NEW_PRIVS, 1)


def die_with_parent(signal_number: int) -> None:
    """Send this process the signal when the thread that forked it ends. A change of user clears it again."""
    call("prctl", PR_SET_PDEATHSIG, signal_number)


def keep_capabilities(kept: tuple[int, ...]) -> None:
    """Give up every capability but these, in all three sets that a process has for itself."""
    low = sum(1 << capability for capability in kept)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)(low, low, 0, 0, 0, 0)
    call("capset", ctypes.addressof(header), ctypes.addressof(sets))
