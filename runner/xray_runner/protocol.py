"""The request and the replies of `POST /run`, as README.md has them. No I/O."""

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .config import Bounds

REFUSALS = {
    "bad_request": 400,
    "network_mismatch": 403,
    "unknown_skill": 404,
    "unknown_script": 404,
    "not_found": 404,
    "hash_mismatch": 409,
    "input_too_large": 413,
    "queue_full": 429,
    "internal": 500,
    "sandbox_unavailable": 503,
    "sandbox_setup": 503,
    "sandbox_attestation": 503,
    "spawn_timeout": 503,
    "zygote_died": 503,
}


class Outcome(StrEnum):
    """How a run ended."""

    OK = "ok"
    SCRIPT_ERROR = "script_error"
    TIMEOUT = "timeout"
    CPU_LIMIT = "cpu_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    DISK_LIMIT = "disk_limit"
    CRASHED = "crashed"
    SANDBOX_VIOLATION = "sandbox_violation"
    CANCELLED = "cancelled"


class Refusal(Exception):
    """No run takes place. `code` is a key of REFUSALS; `status` is another than its own for 405 and 411.

    `detail` is for the log alone: which step or proof it was.
    """

    def __init__(self, code: str, status: int | None = None, detail: str = ""):
        super().__init__(code)
        self.code = code
        self.status = REFUSALS[code] if status is None else status
        self.detail = f"{code} {detail}".rstrip()


@dataclass(frozen=True)
class RunRequest:
    skill: str
    script: str
    sha256: str
    input: bytes
    timeout_ms: int


@dataclass(frozen=True)
class RunReply:
    outcome: Outcome
    exit_code: int | None
    duration_ms: int
    stdout: bytes
    stderr: bytes
    stdout_bytes: int
    stderr_bytes: int

    def body(self) -> dict[str, Any]:
        """As it goes over the wire; bytes that are no UTF-8 become U+FFFD."""
        return {
            "outcome": str(self.outcome),
            "exitCode": self.exit_code,
            "durationMs": self.duration_ms,
            "stdout": self.stdout.decode("utf-8", "replace"),
            "stderr": self.stderr.decode("utf-8", "replace"),
            "stdoutBytes": self.stdout_bytes,
            "stderrBytes": self.stderr_bytes,
            "stderrTruncated": self.stderr_bytes > len(self.stderr),
        }


_SKILL = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_SCRIPT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\.py")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_KEYS = {"skill", "script", "sha256", "input", "timeoutMs"}


def parse_run(body: bytes, bounds: Bounds) -> RunRequest:
    """The request in these bytes. Raises Refusal."""
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise Refusal("bad_request") from error
    if not isinstance(value, dict) or value.keys() != _KEYS:
        raise Refusal("bad_request")
    timeout = value["timeoutMs"]
    if type(timeout) is not int or not 1 <= timeout <= bounds.timeout_ms or not isinstance(value["input"], dict):
        raise Refusal("bad_request")
    try:
        # A number too large for a float would go on as `Infinity`, which is no JSON.
        text = json.dumps(value["input"], separators=(",", ":"), allow_nan=False).encode("ascii")
    except (ValueError, RecursionError) as error:
        raise Refusal("bad_request") from error
    if len(json.dumps(value["input"], separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")) > bounds.input_bytes:
        raise Refusal("input_too_large")
    return RunRequest(
        skill=_matching(_SKILL, value["skill"]),
        script=_matching(_SCRIPT, value["script"]),
        sha256=_matching(_SHA256, value["sha256"]),
        input=text,
        timeout_ms=timeout,
    )


def _matching(pattern: re.Pattern[str], value: object) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise Refusal("bad_request")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key that comes twice would mean one thing here and another to whoever checked it."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key comes twice")
    return found
