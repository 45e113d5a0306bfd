"""`--check` says as JSON what this machine has, what it lacks, and whether a run that tries to get out stays in; `--healthy` asks the one that serves."""

import asyncio
import dataclasses
import json
import platform
import socket
import tempfile
from pathlib import Path
from typing import Any

from . import missing, selftest
from .config import Config
from .listener import running
from .sandbox import landlock
from .sandbox.calls import MACHINE

_ANSWER_S = 4.0


async def report(config: Config) -> dict[str, Any]:
    """`ok`, and what is behind it. The self-test runs in a folder of its own, which is gone afterwards."""
    absent = missing.find(config.egress)
    tried: dict[str, str] = {}
    if not absent:
        with tempfile.TemporaryDirectory(prefix="xray-check-", dir=_room(config)) as folder:
            Path(folder).chmod(0o711)
            (Path(folder) / "manifest.json").write_text('{"skills": {}}')
            trial = dataclasses.replace(
                config, work=Path(folder) / "work", skills=Path(folder), manifest=Path(folder) / "manifest.json", concurrency=1
            )
            async with running(trial) as service:
                absent, tried = service.health()["missing"], service.pool.selftest
    return {
        "ok": not absent and tried == selftest.WANTED,
        "python": platform.python_version(),
        "arch": MACHINE,
        "landlockAbi": landlock.abi(),
        "missing": [{"code": code, "remedy": missing.REMEDIES.get(code, "A run could not be confined; the log says where.")} for code in absent],
        "selftest": tried,
    }


def _room(config: Config) -> str:
    """The machine's folder for temporary things, or the runs' own where a container has no other."""
    try:
        return tempfile.gettempdir()
    except FileNotFoundError:
        return str(config.work)


def healthy(listen: Path) -> bool:
    """Whether the runner at this socket says that runs are possible. For a container's own health check."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_ANSWER_S)
            connection.connect(str(listen))
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: runner\r\nConnection: close\r\n\r\n")
            return connection.recv(64).startswith(b"HTTP/1.1 200 ")
    except OSError:
        return False


def main(config: Config) -> int:
    """Print the report; 0 when runs are possible."""
    found = asyncio.run(report(config))
    print(json.dumps(found, indent=2))
    return 0 if found["ok"] else 1
