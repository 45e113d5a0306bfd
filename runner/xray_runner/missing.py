"""Which walls this machine cannot put up. Looked at before anything starts; each has a code and a way to get it."""

import os
import sys

from .sandbox import calls, landlock, seccomp

REMEDIES = {
    "linux": "Runs are confined by Linux. Start the site in a Linux virtual machine or container.",
    "machine": "Only x86_64 and aarch64 are supported.",
    "python": "Python 3.11 or newer is needed.",
    "landlock": "Landlock 2 or newer is needed: Linux 5.19 with CONFIG_SECURITY_LANDLOCK, and lsm=landlock on the kernel's "
    "command line where it is not switched on. In a container, its profile must allow the landlock calls.",
    "landlock_network": "The egress tier needs Landlock 4 or newer: Linux 6.7.",
    "seccomp": "Linux must be built with CONFIG_SECCOMP_FILTER, and a container's profile must allow the seccomp call.",
    "pidfd": "Linux 5.3 or newer is needed, and a container's profile must allow pidfd_open and pidfd_send_signal.",
    "proc": "/proc must be mounted.",
}


def find(egress: bool) -> list[str]:
    """Codes of what is missing, keys of REMEDIES; empty where runs can be confined."""
    if sys.platform != "linux":
        return ["linux"]
    absent = []
    if calls.MACHINE not in ("x86_64", "aarch64"):
        return ["machine"]
    if sys.version_info < (3, 11):
        absent.append("python")
    version = landlock.abi()
    if version < landlock.LEAST_ABI:
        absent.append("landlock")
    elif egress and version < landlock.LEAST_ABI_EGRESS:
        absent.append("landlock_network")
    if not seccomp.available():
        absent.append("seccomp")
    if not _has_pidfd():
        absent.append("pidfd")
    if not os.path.exists("/proc/self/status"):
        absent.append("proc")
    return absent


def _has_pidfd() -> bool:
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return False
    return True
