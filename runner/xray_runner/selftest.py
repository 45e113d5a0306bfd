"""The self-test: a real run that tries to get out. Unless every attempt fails, nothing else may run here."""

import asyncio
import json

from .config import Bounds
from .confined import Confined
from .execution import Work, execute
from .protocol import Outcome, Refusal

_WAIT_S = 10.0

# Runs inside. Each attempt says `blocked` when the kernel refuses it, `open` when it works, and the error's name when
# something else went wrong, which does not pass for a refusal.
SOURCE = r'''
import errno, json, os, socket, sys

REFUSED = {errno.EPERM, errno.EACCES, errno.ENOSYS}

def attempt(action):
    try:
        action()
    except OSError as error:
        return "blocked" if error.errno in REFUSED else errno.errorcode.get(error.errno, "?")
    except Exception as error:
        return type(error).__name__
    return "open"

def opening(path, flags=os.O_RDONLY):
    return lambda: os.close(os.open(path, flags, 0o600))

def socket_of(*kind):
    return lambda: socket.socket(*kind).close()

def stay_out_of(pid):
    if pid == 0:
        os._exit(0)

def link_out():
    os.symlink("/etc/passwd", "link")
    opening("link")()

attempts = {
    "read a file of the machine": opening("/etc/passwd"),
    "read the process table": opening("/proc/self/environ"),
    "read beside the own folder": opening("../canary"),
    "write beside the own folder": opening("../planted", os.O_WRONLY | os.O_CREAT),
    "write to the shared folder": opening("../../canary/planted", os.O_WRONLY | os.O_CREAT),
    "read through a link": link_out,
    "fork": lambda: stay_out_of(os.fork()),
    "start a program": lambda: os.execv("/bin/true", ["true"]),
    "signal another process": lambda: os.kill(os.getppid(), 0),
    "send a datagram": socket_of(socket.AF_INET, socket.SOCK_DGRAM),
    "open a unix socket": socket_of(socket.AF_UNIX, socket.SOCK_STREAM),
    "have memory run as a program": lambda: os.close(os.memfd_create("x")),
    "change user": lambda: os.setuid(0) if os.getuid() else os.setuid(1),
    "make a device": lambda: os.mkfifo("fifo"),
}
results = {name: attempt(action) for name, action in attempts.items()}
os.unlink("link")
with open("own", "w") as file:
    file.write("x")
results["use the own folder"] = "works" if open("own").read() == "x" else "broken"
json.dump(results, sys.stdout)
'''

WANTED = {
    "read a file of the machine": "blocked",
    "read the process table": "blocked",
    "read beside the own folder": "blocked",
    "write beside the own folder": "blocked",
    "write to the shared folder": "blocked",
    "read through a link": "blocked",
    "fork": "blocked",
    "start a program": "blocked",
    "signal another process": "blocked",
    "send a datagram": "blocked",
    "open a unix socket": "blocked",
    "have memory run as a program": "blocked",
    "change user": "blocked",
    "make a device": "blocked",
    "use the own folder": "works",
}


async def try_to_escape(child: Confined, bounds: Bounds) -> dict[str, str]:
    """What came of each attempt, by its name. Raises Refusal when the run itself failed. Compare with WANTED."""
    deadline = asyncio.get_running_loop().time() + _WAIT_S
    reply = await execute(child, Work("selftest.py", {"selftest": SOURCE}, b"{}", deadline), None, bounds)
    if reply.outcome is not Outcome.OK:
        raise Refusal("sandbox_unavailable")
    return json.loads(reply.stdout)
