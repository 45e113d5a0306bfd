"""What an attack script is written with. Runs inside a run, and without any wall to show that the attack is one.

A script lists attempts and ends with `main()`. An attempt that returns has worked. One that raises OSError has been
refused, unless its errno is one that only a call which got through can give: those are named `reached`.
"""

import ctypes
import errno
import json
import os
import platform
import sys
import traceback

from call_numbers import AARCH64, X86_64

NUMBERS = {"x86_64": X86_64, "aarch64": AARCH64}[platform.machine()]
_syscall = ctypes.CDLL(None, use_errno=True).syscall
_syscall.restype = ctypes.c_long
_syscall.argtypes = [ctypes.c_long] * 7
ATTEMPTS = {}
# Without a wall some refusals are the machine's own, for want of a feature or of rights.
BARE = "XRAY_BARE" in os.environ


class Blocked(Exception):
    """The call came back, and changed nothing."""


def attempt(name, reached=(), ends=False, replaces=False, root=False):
    """Register one. `ends`: the sandbox kills for it. `replaces`: the process becomes another program.

    `root`: ordinary users may not do it anyway, so only root can show that it works.
    """

    def register(action):
        ATTEMPTS[name] = (action, frozenset(reached), ends, replaces, root)
        return action

    return register


def syscall(name, *arguments):
    """One system call by its name or number."""
    number = NUMBERS[name] if isinstance(name, str) else name
    result = _syscall(number, *arguments, *(0,) * (6 - len(arguments)))
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def known(name):
    return name in NUMBERS


def text(value):
    """A C string; keep the result while its address is in use."""
    return ctypes.create_string_buffer(os.fsencode(value))


def address(buffer):
    return ctypes.addressof(buffer)


def verdict(action, reached, world):
    try:
        action(world)
    except Blocked:
        return "blocked"
    except OSError as error:
        name = errno.errorcode.get(error.errno, str(error.errno))
        return "open" if name in reached else name
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "open"


def main():
    given = json.loads(sys.stdin.buffer.read())
    if given.get("list"):
        found = {name: {"ends": ends, "root": root} for name, (_, _, ends, _, root) in ATTEMPTS.items()}
        print(json.dumps(found))
        return
    judged = in_copy if given["bare"] else in_place
    print(json.dumps({name: judged(name, given["world"]) for name in given["only"]}))


def in_place(name, world):
    action, reached, *_ = ATTEMPTS[name]
    return verdict(action, reached, world)


def in_copy(name, world):
    """The verdict of a copy of this process, which the attempt may destroy."""
    action, reached, _, replaces, _ = ATTEMPTS[name]
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        try:
            os.write(writer, verdict(action, reached, world).encode())
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read().decode()
    _, status = os.waitpid(pid, 0)
    return "open" if replaces and os.waitstatus_to_exitcode(status) == 0 else said
