"""What may run: the manifest, and the check that caller, manifest and files on disk agree, made anew for each run."""

import hashlib
import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .protocol import Refusal, RunRequest

_SCRIPTS = "scripts/"
_FILE_BYTES = 524_288


@dataclass(frozen=True)
class Skill:
    """`scripts` and `files` map a name, or a path within the skill, to its SHA-256."""

    egress: bool
    preload: tuple[str, ...]
    scripts: dict[str, str]
    files: dict[str, str]


@dataclass(frozen=True)
class Manifest:
    """The skills that this runner knows, below their real folder."""

    folder: Path
    skills: dict[str, Skill]

    def of_tier(self, egress: bool) -> dict[str, Skill]:
        """The skills that run here."""
        return {name: skill for name, skill in self.skills.items() if skill.egress == egress}

    def sources(self, request: RunRequest, egress: bool) -> dict[str, str]:
        """Text of the script and of the modules beside it, by module name.

        Every file of the skill is read and hashed, so that a skill runs whole or not at all. Raises Refusal.
        """
        skill = self.skills.get(request.skill)
        if skill is None:
            raise Refusal("unknown_skill")
        if skill.egress != egress:
            raise Refusal("network_mismatch")
        if request.script not in skill.scripts:
            raise Refusal("unknown_script")
        if skill.scripts[request.script] != request.sha256:
            raise Refusal("hash_mismatch")
        sources = {}
        for path, sha256 in skill.files.items():
            data = _read_regular(self.folder / request.skill / path)
            if data is None or hashlib.sha256(data).hexdigest() != sha256:
                raise Refusal("hash_mismatch")
            name = path.removeprefix(_SCRIPTS)
            if path.startswith(_SCRIPTS) and name.endswith(".py") and "/" not in name:
                sources[name.removesuffix(".py")] = data.decode("utf-8")
        return sources


def read(file: Path, folder: Path) -> Manifest:
    """Read the manifest. Raises OSError, ValueError or KeyError when it is not there or not one."""
    skills = json.loads(file.read_text(encoding="utf-8"))["skills"]
    return Manifest(Path(os.path.realpath(folder)), {name: _skill(value) for name, value in skills.items()})


def _skill(value: dict[str, Any]) -> Skill:
    if value["network"] not in ("none", "egress"):
        raise ValueError("a skill's network is none or egress")
    scripts, files = dict(value["scripts"]), dict(value["files"])
    for script, sha256 in scripts.items():
        if files.get(_SCRIPTS + script) != sha256:
            raise ValueError("a script is a file of its skill")
    return Skill(value["network"] == "egress", tuple(value["preload"]), scripts, files)


def _read_regular(path: Path) -> bytes | None:
    """The file's bytes if it lies where it says, is regular and no link on the way; else None."""
    try:
        if os.path.realpath(path) != str(path):
            return None
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            data = file.read(_FILE_BYTES + 1)
            return data if len(data) <= _FILE_BYTES else None
    except OSError:
        return None
