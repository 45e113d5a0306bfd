"""Finds the interpreter that runs are copies of: once, as an absolute and real path.

A name on PATH may be a script that looks for a version first, which costs ten times as much as the start itself.
"""

import os
import site
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Interpreter:
    """`path` is the program that this process runs itself; `packages` what its virtual environment adds."""

    path: str
    packages: tuple[str, ...]


def find() -> Interpreter:
    """The real program behind this process, whatever it was started by. Raises OSError without /proc."""
    path = os.readlink("/proc/self/exe")
    inside_environment = sys.prefix != sys.base_prefix
    folders = site.getsitepackages([sys.prefix]) if inside_environment else []
    return Interpreter(path, tuple(os.path.realpath(folder) for folder in folders if os.path.isdir(folder)))
