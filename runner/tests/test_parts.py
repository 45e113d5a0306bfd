"""Small parts by themselves: how an end is judged, what the environment may say, and how a folder is emptied."""

import os
import signal
import tempfile
import unittest
from pathlib import Path

from xray_runner import quota, wipe
from xray_runner.config import BadConfig, Bounds, from_environment
from xray_runner.execution import judge
from xray_runner.protocol import Outcome
from xray_runner.zygote_link import End


class Judging(unittest.TestCase):
    def test_every_way_to_end(self) -> None:
        ended, killed = (lambda code: code << 8), (lambda number: int(number))
        cases = [
            (ended(0), 0.1, None, (Outcome.OK, 0)),
            (ended(2), 0.1, None, (Outcome.SCRIPT_ERROR, 2)),
            (ended(101), 0.1, None, (Outcome.MEMORY_LIMIT, None)),
            (ended(0), 0.1, Outcome.TIMEOUT, (Outcome.OK, 0)),
            (killed(signal.SIGSYS), 0.1, None, (Outcome.SANDBOX_VIOLATION, None)),
            (killed(signal.SIGXCPU), 3.0, None, (Outcome.CPU_LIMIT, None)),
            (killed(signal.SIGSEGV), 0.1, None, (Outcome.CRASHED, None)),
            (killed(signal.SIGKILL), 0.1, Outcome.TIMEOUT, (Outcome.TIMEOUT, None)),
            (killed(signal.SIGKILL), 0.1, Outcome.OUTPUT_LIMIT, (Outcome.OUTPUT_LIMIT, None)),
            (killed(signal.SIGKILL), 3.1, None, (Outcome.CPU_LIMIT, None)),
            (killed(signal.SIGKILL), 0.1, None, (Outcome.MEMORY_LIMIT, None)),
        ]
        for status, cpu_s, why, wanted in cases:
            with self.subTest(wanted=wanted, status=status):
                self.assertEqual(judge(End(status, cpu_s, 0), why, 3), wanted)


class Environment(unittest.TestCase):
    def test_defaults(self) -> None:
        config = from_environment({})
        self.assertEqual((str(config.listen), config.egress, config.concurrency), ("/run/runner/runner.sock", False, 2))
        self.assertEqual(from_environment({"RUNNER_NETWORK": "egress"}).concurrency, 1)

    def test_what_cannot_be_meant_is_refused(self) -> None:
        for name, value in (
            ("RUNNER_NETWORK", "all"),
            ("RUNNER_CONCURRENCY", "0"),
            ("RUNNER_CONCURRENCY", "9"),
            ("RUNNER_CONCURRENCY", "two"),
            ("RUNNER_PEER_UID", "-1"),
            ("RUNNER_LISTEN", "/" + "x" * 100),
        ):
            with self.subTest(name=name, value=value), self.assertRaises(BadConfig):
                from_environment({name: value})


class Wiping(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp()
        self.descriptor = os.open(self.folder, os.O_RDONLY)
        self.addCleanup(os.rmdir, self.folder)
        self.addCleanup(os.close, self.descriptor)

    def test_links_lead_nowhere_and_what_they_point_at_stays(self) -> None:
        with tempfile.TemporaryDirectory() as outside:
            kept = Path(outside) / "kept"
            kept.write_text("kept")
            os.symlink(outside, f"{self.folder}/to-folder")
            os.makedirs(f"{self.folder}/a/b")
            os.symlink("/", f"{self.folder}/a/b/root")
            os.link(kept, f"{self.folder}/a/hard")
            wipe.empty(self.descriptor)
            self.assertEqual((os.listdir(self.folder), kept.read_text()), ([], "kept"))

    def test_a_tree_deeper_than_any_path_and_full_on_each_level(self) -> None:
        at = os.open(self.folder, os.O_RDONLY)
        for _ in range(1_200):
            os.mkdir("d", dir_fd=at)
            os.close(os.open("f", os.O_CREAT | os.O_WRONLY, dir_fd=at))
            inner = os.open("d", os.O_RDONLY, dir_fd=at)
            os.close(at)
            at = inner
        os.close(at)
        wipe.empty(self.descriptor)
        self.assertEqual(os.listdir(self.folder), [])

    def test_folders_that_nobody_may_read(self) -> None:
        os.makedirs(f"{self.folder}/a/b/c")
        Path(f"{self.folder}/a/b/c/file").write_text("x")
        for path in ("a/b/c", "a/b", "a"):
            os.chmod(f"{self.folder}/{path}", 0)
        wipe.empty(self.descriptor)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_watcher_counts_bytes_entries_and_depth(self) -> None:
        def is_over(**bounds: int) -> bool:
            return quota.is_over(self.descriptor, os.getpid(), Bounds(**bounds))

        for number in range(5):
            Path(f"{self.folder}/{number}").write_bytes(bytes(8_192))
        self.assertEqual((is_over(disk_entries=5), is_over(disk_entries=4)), (False, True))
        self.assertEqual((is_over(disk_bytes=5 * 8_192), is_over(disk_bytes=5 * 8_192 - 4_096)), (False, True))
        os.makedirs(f"{self.folder}/" + "/".join("d" * 40))
        self.assertTrue(is_over())
        wipe.empty(self.descriptor)
