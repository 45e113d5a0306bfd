"""What a runner is told from outside, and the bounds that it keeps. Everything here has its meaning in README.md."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

_HERE = Path(__file__).resolve().parent.parent
_SOCKET_PATH_BYTES = 100


@dataclass(frozen=True)
class Bounds:
    """Every number that bounds a request, a run or the runner itself."""

    head_bytes: int = 8_192
    body_bytes: int = 65_536
    input_bytes: int = 32_768
    timeout_ms: int = 120_000
    header_wait_s: float = 10.0
    idle_wait_s: float = 75.0
    connections: int = 64
    waiting: int = 64
    stdout_bytes: int = 262_144
    stderr_bytes: int = 65_536
    stderr_kill_bytes: int = 1_048_576
    cpu_s: int = 3_600
    disk_bytes: int = 32 * 1_048_576
    disk_entries: int = 1_024
    prepare_s: float = 5.0
    zygote_start_s: float = 20.0
    zygote_runs: int = 500
    zygote_age_s: float = 600.0
    restart_wait_s: float = 1.0
    names: int = 16
    name_bytes: int = 253
    name_wait_s: float = 5.0


@dataclass(frozen=True)
class Config:
    """One runner. `ports` is what a run of the egress tier may connect to."""

    listen: Path
    work: Path
    skills: Path
    manifest: Path
    egress: bool = False
    concurrency: int = 2
    peer_uid: int | None = None
    ports: tuple[int, ...] = (443,)
    zygote_module: str = "xray_runner.zygote"
    zygote_path: Path = _HERE
    bounds: Bounds = field(default_factory=Bounds)


class BadConfig(Exception):
    """The environment says something that cannot be meant; the message is for whoever starts the runner."""


def from_environment(env: Mapping[str, str]) -> Config:
    """Read the `RUNNER_…` variables. Raises BadConfig."""
    network = env.get("RUNNER_NETWORK", "none")
    if network not in ("none", "egress"):
        raise BadConfig("RUNNER_NETWORK must be none or egress.")
    egress = network == "egress"
    listen = Path(env.get("RUNNER_LISTEN") or "/run/runner/runner.sock").absolute()
    if len(os.fsencode(listen)) > _SOCKET_PATH_BYTES:
        raise BadConfig(f"RUNNER_LISTEN is longer than {_SOCKET_PATH_BYTES} bytes, which no socket's path may be.")
    peer = env.get("RUNNER_PEER_UID") or None
    return Config(
        listen=listen,
        work=Path(env.get("RUNNER_WORK") or "/run/work").absolute(),
        skills=Path(env.get("RUNNER_SKILLS") or _HERE / "skills").resolve(),
        manifest=Path(env.get("RUNNER_MANIFEST") or _HERE / "manifest.json").resolve(),
        egress=egress,
        concurrency=_number("RUNNER_CONCURRENCY", env.get("RUNNER_CONCURRENCY") or ("1" if egress else "2"), 1, 8),
        peer_uid=None if peer is None else _number("RUNNER_PEER_UID", peer, 0, 2**32 - 2),
    )


def _number(name: str, text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise BadConfig(f"{name} must be a whole number from {least} to {most}.")
    return int(text)
