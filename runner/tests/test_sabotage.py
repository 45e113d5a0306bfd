"""Takes one wall away at a time. Each time the loss is seen before a script could begin, and no run takes place."""

import os
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.bare import IN_CONTAINER
from tests.support.client import Answer
from tests.support.site import RUNNER, Site
from xray_runner.config import Bounds

_FRAME = """
import sys
sys.path.insert(0, {runner!r})
import ctypes, os, resource, threading, time
from xray_runner import child, zygote
from xray_runner.sandbox import attest, calls, confine, landlock, limits, policy, seccomp


restrict = landlock.restrict

def also(folder, rights):
    return lambda version, rules: restrict(version, landlock.Rules((*rules.paths, (folder(), rights)), rules.ports))

def in_runs(change):
    # The zygote's own walls stand; what is built for its runs is changed.
    prepare = zygote._prepare
    def changed(config):
        template = prepare(config)
        change()
        return template
    zygote._prepare = changed

def before_proof(action):
    attempts = attest.attempts
    def changed(*arguments):
        action()
        return attempts(*arguments)
    attest.attempts = changed

def patch(where, name, value):
    setattr(where, name, value)

def nothing(*_, **__):
    pass

{sabotage}
main = zygote.main
"""

# What is taken away, and where the log must say that it was missed.
SABOTAGE = {
    "no filter of calls": ("patch(seccomp.Filter, 'install', nothing)", "sandbox_attestation"),
    "a filter that lets all through": (
        "patch(policy, 'build', lambda *_: [(0x06, 0, 0, policy.ALLOW)])",
        "sandbox_attestation",
    ),
    "a filter of the other tier": (
        "build = policy.build; patch(policy, 'build', lambda machine, numbers, _: build(machine, numbers, True))",
        "sandbox_attestation",
    ),
    "no rules for files": ("in_runs(lambda: patch(landlock, 'restrict', nothing))", "sandbox_attestation"),
    "the whole machine readable": (
        "patch(landlock, 'restrict', also(lambda: os.open('/', os.O_PATH), landlock.READ_TREE))",
        "sandbox_attestation",
    ),
    "the whole machine writable": (
        "patch(landlock, 'restrict', also(lambda: os.open('/', os.O_PATH), landlock.WORK_TREE))",
        "sandbox_attestation",
    ),
    "the folder above readable": (
        "in_runs(lambda: patch(landlock, 'restrict', also(lambda: os.open('..', os.O_PATH), landlock.READ_TREE)))",
        "sandbox_attestation",
    ),
    "the folder above writable": (
        "in_runs(lambda: patch(landlock, 'restrict', also(lambda: os.open('..', os.O_PATH), landlock.WORK_TREE)))",
        "sandbox_attestation",
    ),
    "new privileges possible": (
        "patch(calls, 'no_new_privileges', nothing); patch(confine, 'no_new_privileges', nothing); "
        "patch(zygote, 'no_new_privileges', nothing)",
        "no process|no zygote|sandbox_setup|sandbox_attestation|zygote_died",
    ),
    "no limits": ("patch(limits, 'set_limits', nothing)", "sandbox_attestation"),
    "a limit that cannot be had": (
        "patch(limits, 'of_run', lambda *_: ((resource.RLIMIT_NOFILE, 2, 1),))",
        "sandbox_setup",
    ),
    "descriptors left open": ("in_runs(lambda: patch(confine, 'call', nothing))", "sandbox_attestation descriptors"),
    "a second thread in the run": (
        "before_proof(lambda: threading.Thread(target=time.sleep, args=(60,), daemon=True).start())",
        "sandbox_attestation Threads",
    ),
    "a second thread in the zygote": (
        "in_runs(lambda: threading.Thread(target=time.sleep, args=(60,), daemon=True).start())",
        "sandbox_setup",
    ),
    "an error on the way": ("before_proof(lambda: 1 / 0)", "sandbox_setup"),
    "an early end": ("before_proof(lambda: os._exit(0))", "sandbox_setup"),
    "no proof in time": ("before_proof(lambda: time.sleep(60))", "spawn_timeout"),
    "no proof at all": ("patch(child, '_prepare', nothing)", "spawn_timeout"),
    "a zygote that ends": ("in_runs(lambda: os._exit(1))", "no zygote"),
}
ONLY_AS_ROOT = {
    "the user kept": (
        "patch(os, 'setresuid', nothing); patch(os, 'setresgid', nothing)",
        "sandbox_setup|sandbox_attestation",
    ),
    "the user's capabilities kept": (
        "setresuid = os.setresuid\n"
        "def keeping(*ids):\n"
        "    calls.call('prctl', 8, 1)\n"
        "    setresuid(*ids)\n"
        "os.setresuid = keeping",
        "sandbox_attestation CapPrm",
    ),
}


CASES = SABOTAGE | (ONLY_AS_ROOT if os.geteuid() == 0 else {})
if IN_CONTAINER:
    # It comes with the container, so a run has it whatever the runner forgets.
    del CASES["new privileges possible"]


@dataclass(frozen=True)
class Seen:
    answer: Answer
    health: dict[str, Any]
    log: str


def look(sabotage: str) -> Seen:
    """What a runner with this sabotage answers to one run, and says of itself."""
    with tempfile.TemporaryDirectory(prefix="xray-sabotage-") as folder:
        Path(folder).chmod(0o755)
        (Path(folder) / "sabotaged.py").write_text(_FRAME.format(runner=str(RUNNER), sabotage=sabotage))
        with Site(
            {"s/mark.py": "print('began')"},
            bounds=Bounds(prepare_s=1.5, restart_wait_s=60),
            zygote_module="sabotaged",
            zygote_path=Path(folder),
        ) as site:
            return Seen(site.run("s/mark.py"), site.health(), site.log_text())


class Sabotage(unittest.TestCase):
    """The runners mostly wait, so four are looked at side by side."""

    seen: dict[str, Seen]

    @classmethod
    def setUpClass(cls) -> None:
        sabotages = {title: sabotage for title, (sabotage, _) in CASES.items()} | {"nothing": ""}
        with ThreadPoolExecutor(4) as several:
            cls.seen = dict(zip(sabotages, several.map(look, sabotages.values()), strict=True))

    def test_with_nothing_taken_away_a_script_runs(self) -> None:
        self.assertEqual(self.seen["nothing"].answer.body["stdout"], "began\n")

    def refused(self, title: str, said: str) -> None:
        seen = self.seen[title]
        self.assertEqual((seen.answer.status, seen.answer.body), (503, {"error": "sandbox_unavailable"}))
        self.assertEqual((seen.health["ok"], seen.health["selftest"], seen.health["zygote"]), (False, {}, None))
        self.assertRegex(seen.log, said)
        self.assertNotIn("self-test", seen.log)


def _case(title: str, said: str):
    return lambda self: self.refused(title, said)


for title, (_, said) in CASES.items():
    setattr(Sabotage, f"test_refused_with_{title.replace(' ', '_')}", _case(title, said))
