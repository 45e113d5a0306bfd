"""Reaps processes that came to the listener because their zygote was killed, so that none stays behind."""

import os


def reap(zygotes: set[int]) -> None:
    """Reap every dead child but the zygotes, whose end somebody waits for. Never blocks."""
    while True:
        try:
            found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        # The kernel names the same one until it is reaped; after a zygote this is called again.
        if found is None or found.si_pid in zygotes:
            return
        os.waitpid(found.si_pid, 0)
