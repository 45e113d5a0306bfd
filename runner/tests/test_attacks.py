"""Every attack works where there is no wall, and none works in a run. Afterwards nothing is left and the next run works."""

import json
import os
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.support import bare
from tests.support.site import Site
from tests.support.world import World

HERE = Path(__file__).parent / "attacks"
GROUPS = ("files", "network", "ipc", "processes", "privilege", "kernel")
# What the walls answer. EXDEV is how Landlock refuses to move a file between folders.
REFUSALS = {"blocked", "EPERM", "EACCES", "ENOSYS", "EXDEV", "ENOTSUP"}
# A container has a root that cannot be written to, and few devices.
REFUSALS |= {"EROFS", "ENOENT"} if bare.IN_CONTAINER else set()
FINE = "print('fine')"


def modules() -> dict[str, str]:
    numbers = HERE.parent.parent / "xray_runner" / "sandbox" / "numbers.py"
    texts = {f"{name}.py": (HERE / f"{name}.py").read_text() for name in ("kit", *GROUPS)}
    return texts | {"call_numbers.py": numbers.read_text()}


def attempts_of(group: str) -> dict[str, dict[str, bool]]:
    """Name of each attempt to what it is like."""
    return json.loads(bare.run(modules(), f"{group}.py", {"list": True}).stdout)


class Attacks(unittest.TestCase):
    """One runner for all groups."""

    site: Site

    @classmethod
    def setUpClass(cls) -> None:
        scripts = {f"attacks/{name}": text for name, text in modules().items()}
        cls.site = Site(scripts | {"attacks/fine.py": FINE})
        cls.addClassCleanup(cls.site.close)
        if not cls.site.health()["ok"]:
            raise AssertionError(cls.site.log_text())

    def confined(self, group: str, world: dict[str, Any], only: list[str]) -> dict[str, str]:
        """What came of some attempts of one run; a run that was ended says how for its only attempt."""
        answer = self.site.run(f"attacks/{group}.py", {"bare": False, "only": only, "world": world})
        if answer.said == "ok":
            return json.loads(answer.body["stdout"])
        self.assertEqual(len(only), 1, (answer.body, only))
        return {only[0]: answer.said}

    def check(self, group: str) -> None:
        attempts = attempts_of(group)
        quiet = [name for name, like in attempts.items() if not like["ends"]]
        ending = [name for name, like in attempts.items() if like["ends"]]
        self.assertTrue(attempts)
        if not bare.IN_CONTAINER:
            self.show_that_they_work(group, attempts)
        world = World()
        try:
            with ThreadPoolExecutor(2) as pairs:
                runs = pairs.map(lambda only: self.confined(group, world.told(), only), [quiet, *([name] for name in ending)])
                found = {name: said for run in runs for name, said in run.items()}
            self.assertEqual({name: said for name, said in found.items() if name in quiet and said not in REFUSALS}, {})
            self.assertEqual({name: found[name] for name in ending}, dict.fromkeys(ending, "sandbox_violation"))
            self.assertEqual(sorted(found), sorted(attempts))
            self.assertEqual(world.touched(), [])
        finally:
            world.close()
        self.assertEqual(self.site.run("attacks/fine.py").body["stdout"], "fine\n")
        self.assertEqual(self.site.left_over(), [])

    def show_that_they_work(self, group: str, attempts: dict[str, dict[str, bool]]) -> None:
        shown = [name for name, like in attempts.items() if os.geteuid() == 0 or not like["root"]]
        world = World()
        try:
            done = bare.run(modules(), f"{group}.py", {"bare": True, "only": shown, "world": world.told()})
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            found = json.loads(done.stdout)
            self.assertEqual({name: said for name, said in found.items() if said != "open"}, {})
            if group in ("files", "network"):
                self.assertNotEqual(world.touched(), [])
        finally:
            world.close()


def _of(group: str):
    def test(self: Attacks) -> None:
        self.check(group)

    return test


for name in GROUPS:
    setattr(Attacks, f"test_{name}", _of(name))
