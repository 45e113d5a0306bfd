"""Nobody gets more than a run's share, the next run works, and nothing is left of whoever tried."""

import json
import os
import unittest
from pathlib import Path

from tests.support import bare
from tests.support.site import Site, wait_for
from xray_runner.config import Bounds

SCRIPT = (Path(__file__).parent / "attacks" / "resources.py").read_text()
FULL = {"script_error", "disk_limit"}

# How each ends; a set where it depends on who limits the folder, a list where the run ends by itself and says so.
ENDS = {
    "memory_by_bytes": {"memory_limit"},
    "memory_by_many_objects": {"memory_limit"},
    "memory_by_mapping": {"script_error"},
    "endless_loop": {"timeout"},
    "endless_loop_deaf_to_all_signals": {"timeout"},
    "two_processors": {"cpu_limit"},
    "stop_itself": {"timeout"},
    "sleep_long": {"timeout"},
    "big_file": {"script_error"},
    "sparse_file": {"script_error"},
    "full_disk": FULL,
    "full_disk_of_files_without_names": FULL,
    "full_disk_of_files_that_are_mapped": FULL,
    "many_files": FULL,
    "deep_tree": FULL,
    "flood_output": {"output_limit"},
    "flood_errors": {"output_limit"},
    "exhaust_the_stack": {"crashed", "script_error", "memory_limit"},
    "read_address_zero": {"crashed"},
}
TIMEOUT_MS = {"endless_loop": 300, "endless_loop_deaf_to_all_signals": 300, "stop_itself": 300, "sleep_long": 300}
# Those that end by themselves without a wall, and what they got hold of.
GETS = {
    "memory_by_bytes": 400 * 1_048_576,
    "memory_by_many_objects": 400,
    "memory_by_mapping": 40,
    "many_threads": 400,
    "many_descriptors": 200,
    "big_file": 40 * 1_048_576,
    "sparse_file": 1 << 40,
    "full_disk": 96,
    "full_disk_of_files_without_names": 96,
    "full_disk_of_files_that_are_mapped": 96,
    "many_files": 3_000,
    "deep_tree": 1_500,
}


class Resources(unittest.TestCase):
    site: Site

    @classmethod
    def setUpClass(cls) -> None:
        # Processor time is kept short of the run's time, so that two threads reach it first.
        cls.site = Site({"a/resources.py": SCRIPT, "a/fine.py": "print('fine')"}, bounds=Bounds(cpu_s=1))
        cls.addClassCleanup(cls.site.close)

    def ended(self, name: str) -> str:
        answer = self.site.run("a/resources.py", {"name": name}, TIMEOUT_MS.get(name, 15_000))
        self.assertEqual(answer.status, 200, answer.body)
        return answer.said

    def said(self, name: str) -> object:
        answer = self.site.run("a/resources.py", {"name": name})
        self.assertEqual(answer.said, "ok", answer.body)
        return json.loads(answer.body["stdout"])

    def tearDown(self) -> None:
        self.assertEqual(self.site.run("a/fine.py").body["stdout"], "fine\n")
        self.assertEqual(self.site.left_over(), [])
        # The zygote, and those that wait; a process that was not reaped would be one more.
        wait_for(lambda: len(self.site.processes()) <= 1 + self.site.health()["warm"])

    @unittest.skipIf(bare.IN_CONTAINER, "the container has limits of its own")
    def test_without_walls_everything_is_to_be_had(self) -> None:
        got = {name: json.loads(bare.run({"resources.py": SCRIPT}, "resources.py", {"name": name}).stdout) for name in GETS}
        self.assertEqual(got, GETS)

    def test_each_attempt_ends_at_its_limit(self) -> None:
        for name, ends in ENDS.items():
            with self.subTest(name):
                self.assertIn(self.ended(name), ends)
                self.assertEqual(self.site.left_over(), [])

    def test_a_file_system_of_its_own_needs_no_watcher(self) -> None:
        if self.site.health()["quota"] != "filesystem":
            self.assertNotEqual(os.geteuid(), 0)
            self.assertEqual(self.ended("full_disk"), "disk_limit")
            return
        self.assertEqual(self.ended("full_disk"), "script_error")

    def test_threads_and_descriptors_are_few(self) -> None:
        self.assertLess(self.said("many_threads"), 300)
        self.assertLess(self.said("many_descriptors"), 64)

    def test_limits_cannot_be_raised(self) -> None:
        self.assertEqual(self.said("raise_a_limit"), [-1, True])
        self.assertEqual(self.said("raise_processor_time"), [-1, 1])

    def test_whatever_folders_a_run_leaves_are_gone(self) -> None:
        self.assertEqual(self.said("closed_folders"), "left")
