"""Runs a script without any wall, in a folder that is thrown away: how an attack is shown to be one."""

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from xray_runner import wipe

_START = "import runpy, sys; sys.path.insert(0, sys.argv[1]); runpy.run_path(sys.argv[2], run_name='__main__')"

# A hardened container refuses much of this itself. What is attacked there has been shown to work outside of it.
IN_CONTAINER = "XRAY_IN_CONTAINER" in os.environ


@contextlib.contextmanager
def _thrown_away() -> Iterator[str]:
    """A folder that is removed even when its tree is deeper than a recursive removal can go."""
    folder = tempfile.mkdtemp(prefix="xray-bare-")
    try:
        yield folder
    finally:
        descriptor = os.open(folder, os.O_RDONLY)
        wipe.empty(descriptor)
        os.close(descriptor)
        os.rmdir(folder)


def run(modules: dict[str, str], script: str, value: Any, timeout_s: float = 20) -> subprocess.CompletedProcess[bytes]:
    """Run `script`, one of the texts in `modules` by file name, with the value as JSON on its standard input."""
    with _thrown_away() as folder:
        code, work = Path(folder) / "code", Path(folder) / "x" / "work"
        code.mkdir()
        work.mkdir(parents=True)
        for name, text in modules.items():
            (code / name).write_text(text)
        return subprocess.run(
            [os.readlink("/proc/self/exe"), "-I", "-B", "-X", "utf8", "-c", _START, str(code), str(code / script)],
            input=json.dumps(value).encode(),
            capture_output=True,
            cwd=work,
            env={"LANG": "C.UTF-8", "XRAY_BARE": "1"},
            timeout=timeout_s,
            start_new_session=True,
        )
