"""Which Python may be shipped as a skill at all (§13.5), read from the syntax tree of every script."""

import ast
import json
import re
import sys
import unittest
from pathlib import Path

from kit import SKILLS

PURE = {
    "bisect", "calendar", "collections", "collections.abc", "csv", "dataclasses", "datetime", "decimal",
    "difflib", "fractions",
    "io", "ipaddress", "json", "math", "re", "signal", "statistics", "string", "sys", "types", "typing",
    "unicodedata", "warnings",
    "zlib", "zoneinfo",
}  # fmt: skip
"""Of the standard library. What is not here has to be argued for."""

EGRESS = PURE | {"certifi", "charset_normalizer", "http.client", "os", "socket", "ssl", "time", "trafilatura"}

OS_CALLS = {"read", "write"}
"""Of `os`, for the descriptor over which names are asked."""

FORBIDDEN_NAMES = {
    "__builtins__", "__import__", "breakpoint", "compile", "delattr", "eval", "exec", "getattr", "globals",
    "input", "locals",
    "open", "setattr", "vars",
}  # fmt: skip


def faults(source: str, network: str, own: set[str]) -> list[str]:
    """Everything in this source that the tier does not admit, in order."""
    admitted = (EGRESS if network == "egress" else PURE) | own
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [f"import {name.name}" for name in node.names if name.name not in admitted]
        elif isinstance(node, ast.ImportFrom):
            if node.level or node.module not in admitted:
                found.append(f"import {node.module}")
            elif node.module == "os":
                found += [f"os.{name.name}" for name in node.names if name.name not in OS_CALLS]
        elif isinstance(node, ast.Name) and node.id in FORBIDDEN_NAMES:
            found.append(node.id)
        elif isinstance(node, ast.Attribute):
            if node.attr.startswith("__") and node.attr != "__init__":
                found.append(f".{node.attr}")
            if isinstance(node.value, ast.Name):
                called = f"{node.value.id}.{node.attr}"
                clock = node.value.id in ("datetime", "date") and node.attr in (
                    "now",
                    "today",
                    "utcnow",
                    "fromtimestamp",
                )
                system = node.value.id == "os" and node.attr not in OS_CALLS
                modules = called in ("sys.modules", "sys.path", "sys.meta_path", "sys.settrace", "sys.setprofile")
                if clock or system or modules:
                    found.append(called)
    return found


def skills() -> list[tuple[Path, dict]]:
    return [(path.parent, json.loads(path.read_text("utf-8"))) for path in sorted(SKILLS.glob("*/xray.json"))]


class Admission(unittest.TestCase):
    def test_every_script_keeps_to_the_list_of_its_tier(self):
        seen = 0
        for skill, declared in skills():
            own = {path.stem for path in (skill / "scripts").glob("*.py")}
            for path in sorted((skill / "scripts").glob("*.py")):
                seen += 1
                with self.subTest(f"{skill.name}/{path.name}"):
                    self.assertEqual(faults(path.read_text("utf-8"), declared.get("network", "none"), own), [])
        self.assertGreater(seen, 15)

    def test_a_script_of_the_pure_tier_cannot_be_shipped_with_any_of_these(self):
        for source, expected in [
            ("import socket", ["import socket"]),
            ("from http.client import HTTPSConnection", ["import http.client"]),
            ("import urllib.request as json", ["import urllib.request"]),
            ("import subprocess", ["import subprocess"]),
            ("import ctypes", ["import ctypes"]),
            ("import os", ["import os"]),
            ("import time", ["import time"]),
            ("import random", ["import random"]),
            ("import importlib", ["import importlib"]),
            ("from . import other", ["import None"]),
            ("eval('1')", ["eval"]),
            ("run = exec", ["exec"]),
            ("__import__('os')", ["__import__"]),
            ("getattr(json, 'loads')", ["getattr"]),
            ("open('/etc/passwd')", ["open"]),
            ("().__class__.__base__.__subclasses__()", [".__subclasses__", ".__base__", ".__class__"]),
            ("import sys\nsys.modules['os']", ["sys.modules"]),
            ("from datetime import date\ndate.today()", ["date.today"]),
            ("def f():\n    def g():\n        import pty", ["import pty"]),
        ]:
            with self.subTest(source):
                self.assertEqual(faults(source, "none", set()), expected)

    def test_the_egress_tier_may_connect_and_still_not_start_anything(self):
        self.assertEqual(faults("import socket, ssl, http.client\nimport os\nos.read(3, 1)", "egress", set()), [])
        for source in (
            "import os\nos.system('id')",
            "from os import execv",
            "import subprocess",
            "import ctypes",
            "import urllib.request",
        ):
            with self.subTest(source):
                self.assertEqual(len(faults(source, "egress", set())), 1)

    def test_the_shared_ends_of_the_scripts_are_the_same_bytes_in_every_skill(self):
        copies = {path.read_bytes() for path in SKILLS.glob("*/scripts/skill_io.py")}
        self.assertEqual(len(copies), 1)
        self.assertEqual(len(list(SKILLS.glob("*/scripts/skill_io.py"))), len(skills()))

    def test_no_module_of_a_skill_hides_one_of_the_library(self):
        names = {path.stem for path in SKILLS.glob("*/scripts/*.py")}
        self.assertEqual(names & set(sys.stdlib_module_names), set())

    def test_every_code_a_script_can_say_is_explained_in_its_skill(self):
        for skill, _ in skills():
            said: set[str] = set()
            for path in (skill / "scripts").glob("*.py"):
                tree = ast.parse(path.read_text("utf-8"))
                said |= {
                    node.value
                    for node in ast.walk(tree)
                    if isinstance(node, ast.Constant)
                    and isinstance(node.value, str)
                    and re.fullmatch(r"E_\w+", node.value)
                }
            explained = (skill / "SKILL.md").read_text("utf-8")
            with self.subTest(skill.name):
                self.assertEqual([code for code in sorted(said) if f"`{code}`" not in explained], [])
                self.assertTrue(said)
                for code in said:
                    self.assertRegex(code, r"^E_[A-Z][A-Z0-9_]{1,30}$")
