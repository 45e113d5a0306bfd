"""What the tests of the skills share: a script called in this process, and a script run as a process of its own.

The packages of `requirements.txt` are this Python's own, or those of the virtual environment whose interpreter
`XRAY_TEST_PACKAGES` names; what needs them is skipped where they are nowhere.
"""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

SKILLS = Path(__file__).resolve().parents[2] / "skills"
sys.dont_write_bytecode = True
for folder in sorted(SKILLS.glob("*/scripts")):
    sys.path.append(str(folder))

PACKAGES = [
    str(folder)
    for python in [os.environ.get("XRAY_TEST_PACKAGES")]
    if python
    for folder in Path(python).parent.parent.glob("lib/python3*/site-packages")
]
sys.path += PACKAGES

Refused = importlib.import_module("skill_io").Refused


def module(name: str) -> ModuleType:
    """A script or a module of one. Their names differ between skills, all but `skill_io`, which is one and the same."""
    return importlib.import_module(name)


def ask(script: str, **given: Any) -> str:
    """What the script answers, or its code."""
    try:
        return module(script).answer(given)
    except Refused as refusal:
        return refusal.code


def ask_json(script: str, **given: Any) -> Any:
    text = ask(script, **given)
    return text if text.startswith("E_") else json.loads(text)


def code_of(work: Any, *arguments: Any) -> str:
    """The code that `work` refuses with; fails loudly when it does not refuse."""
    try:
        result = work(*arguments)
    except Refused as refusal:
        return refusal.code
    raise AssertionError(f"not refused: {result!r}")


STARTER = """
import runpy, sys
folder, script, *packages = sys.argv[1:]
sys.path[:] = [folder, *sys.path, *packages]
runpy.run_path(folder + "/" + script, run_name="__main__")
"""


def run(skill: str, script: str, given: Any) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of the script as the runner starts it, without the walls."""
    command = [sys.executable, "-I", "-B", "-c", STARTER, str(SKILLS / skill / "scripts"), script, *PACKAGES]
    done = subprocess.run(
        command, input=json.dumps(given).encode(), capture_output=True, timeout=30, env={"LANG": "C.UTF-8"}
    )
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
