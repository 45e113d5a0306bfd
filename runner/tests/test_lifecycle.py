"""Queue, cancellation, deaths and renewal: whatever happens to whom, the rest goes on and nothing is left."""

import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support.client import open_socket
from tests.support.site import RUNNER, Site, below, wait_for
from xray_runner.config import Bounds

SCRIPTS = {
    "c/wait.py": "import signal; open('file', 'w').write('x'); signal.pause()",
    "c/nap.py": "import json, sys, time; print(time.monotonic_ns()); time.sleep(json.load(sys.stdin)['s'])",
    "c/fine.py": "print('fine')",
    "c/beside.py": "import helper; print(helper.WORD)",
    "c/helper.py": "WORD = 'first'",
}


def post(site: Site, script: str, value: object = None, timeout_ms: int = 20_000) -> socket.socket:
    """Send a run and do not wait for it."""
    body = site.request(script, value, timeout_ms)
    connection = open_socket(site.socket)
    connection.sendall(f"POST /run HTTP/1.1\r\nHost: r\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    return connection


def alive(pid: int) -> bool:
    return os.path.exists(f"/proc/{pid}")


class Lifecycle(unittest.TestCase):
    def site(self, **options: object) -> Site:
        site = Site(SCRIPTS, **options)
        self.addCleanup(site.close)
        return site

    def fine(self, site: Site) -> None:
        self.assertEqual(site.run("c/fine.py").body.get("stdout"), "fine\n")

    def test_a_client_that_leaves_ends_its_run(self) -> None:
        site = self.site()
        for leave in (lambda connection: connection.close(), lambda connection: connection.shutdown(socket.SHUT_WR)):
            connection = post(site, "c/wait.py")
            wait_for(lambda: site.health()["active"] == 1 and list(site.work.glob("s*/*/file")))
            leave(connection)
            wait_for(lambda: site.health()["active"] == 0)
            self.assertEqual(site.left_over(), [])
            connection.close()
        self.fine(site)

    def test_a_client_that_leaves_while_waiting_never_runs(self) -> None:
        site = self.site(concurrency=1)
        running = post(site, "c/nap.py", {"s": 0.4})
        wait_for(lambda: site.health()["active"] == 1)
        waiting = post(site, "c/wait.py")
        wait_for(lambda: site.health()["waiting"] == 1)
        waiting.close()
        wait_for(lambda: site.health()["waiting"] == 0)
        self.assertIn(b'"outcome":"ok"', running.recv(1_000))
        running.close()
        self.fine(site)

    def test_waiting_is_part_of_the_time_and_bounded(self) -> None:
        site = self.site(concurrency=1, bounds=Bounds(waiting=2))
        running = post(site, "c/nap.py", {"s": 0.6})
        wait_for(lambda: site.health()["active"] == 1)
        late = post(site, "c/fine.py", timeout_ms=150)
        wait_for(lambda: site.health()["waiting"] == 1)
        patient = post(site, "c/fine.py")
        wait_for(lambda: site.health()["waiting"] == 2)
        self.assertEqual((site.run("c/fine.py").status, site.run("c/fine.py").said), (429, "queue_full"))
        self.assertIn(b'{"error":"queue_full"}', late.recv(1_000))
        self.assertIn(b'"outcome":"ok"', running.recv(1_000))
        self.assertIn(b'"stdout":"fine\\n"', patient.recv(1_000))
        for connection in (running, late, patient):
            connection.close()

    def test_runs_come_in_their_order(self) -> None:
        site = self.site(concurrency=1)
        running = post(site, "c/nap.py", {"s": 1})
        wait_for(lambda: site.health()["active"] == 1)
        line = []
        for number in range(1, 6):
            line.append(post(site, "c/nap.py", {"s": 0.01}))
            wait_for(lambda number=number: site.health()["waiting"] == number)
        began = []
        for connection in line:
            began.append(int(json.loads(connection.recv(1_000).partition(b"\r\n\r\n")[2])["stdout"]))
            connection.close()
        self.assertEqual(began, sorted(began))
        running.close()

    def test_a_killed_zygote_takes_its_run_along_and_is_replaced(self) -> None:
        site = self.site()
        self.fine(site)
        connection = post(site, "c/wait.py")
        wait_for(lambda: list(site.work.glob("s*/*/file")))
        zygote = site.health()["zygote"]["pid"]
        runs = below(zygote)
        os.kill(zygote, signal.SIGKILL)
        self.assertIn(b'{"error":"zygote_died"}', connection.recv(1_000))
        connection.close()
        wait_for(lambda: not any(alive(pid) for pid in [zygote, *runs]))
        self.fine(site)
        self.assertEqual(site.left_over(), [])
        self.assertNotEqual(site.health()["zygote"]["pid"], zygote)

    def test_a_killed_listener_takes_everything_along_and_can_start_again(self) -> None:
        site = self.site()
        connection = post(site, "c/wait.py")
        wait_for(lambda: list(site.work.glob("s*/*/file")))
        everybody = site.processes()
        self.assertGreaterEqual(len(everybody), 2)
        site.process.kill()
        site.process.wait()
        wait_for(lambda: not any(_runs(pid) for pid in everybody))
        connection.close()
        mounts = Path("/proc/self/mounts").read_text()
        self.assertNotIn(str(site.folder), mounts)
        again = Site(SCRIPTS)
        self.addCleanup(again.close)
        self.fine(again)

    def test_a_stopped_listener_ends_its_runs_and_removes_its_socket(self) -> None:
        site = Site(SCRIPTS)
        connection = post(site, "c/wait.py")
        wait_for(lambda: list(site.work.glob("s*/*/file")))
        everybody = site.processes()
        site.process.send_signal(signal.SIGTERM)
        self.assertEqual(site.process.wait(10), 0, site.log_text())
        self.assertEqual([pid for pid in everybody if alive(pid)], [])
        self.assertFalse(os.path.exists(site.socket))
        self.assertNotIn("Traceback", site.log_text())
        left = [str(path) for path in (site.folder / "work").glob("s*/*") if path.name != "canary"]
        self.assertEqual(left, [])
        connection.close()
        site.close()

    def test_zygotes_are_renewed_without_a_failed_run(self) -> None:
        site = self.site(bounds=Bounds(zygote_runs=12))
        seen = set()
        with ThreadPoolExecutor(2) as clients:
            while len(seen) < 3:
                answers = list(clients.map(lambda _: site.run("c/fine.py"), range(2)))
                self.assertEqual([answer.body.get("stdout") for answer in answers], ["fine\n", "fine\n"])
                seen.add(site.health()["zygote"]["pid"])
        wait_for(lambda: len(site.processes()) <= 3)
        self.assertEqual(site.left_over(), [])
        self.assertNotIn("ERROR", site.log_text())

    def test_runs_that_wait_ready_are_used_and_made_anew(self) -> None:
        site = self.site()
        wait_for(lambda: site.health()["warm"] == 2 and len(site.processes()) == 3)
        before = site.health()["zygote"]["runs"]
        self.fine(site)
        wait_for(lambda: site.health()["zygote"]["runs"] == before + 1)
        ready = below(site.health()["zygote"]["pid"])
        for pid in ready:
            os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not any(_runs(pid) for pid in ready))
        self.fine(site)

    def test_memory_and_descriptors_of_the_listener_do_not_grow(self) -> None:
        site = self.site()
        held = f"/proc/{site.process.pid}/fd"
        for _ in range(20):
            self.fine(site)
        wait_for(lambda: site.health()["warm"] == 2 and len(site.processes()) == 3)
        before = len(os.listdir(held))
        for _ in range(60):
            self.fine(site)
            post(site, "c/wait.py").close()
        wait_for(lambda: site.health()["active"] == 0 and len(site.processes()) == 3)
        wait_for(lambda: len(os.listdir(held)) <= before)

    def test_the_socket_is_for_its_owner_and_group_and_other_users_are_let_go(self) -> None:
        site = self.site()
        self.assertEqual(stat.S_IMODE(os.stat(site.socket).st_mode), 0o660)
        if os.geteuid() != 0:
            self.skipTest("only root can connect as somebody else")
        os.chmod(site.socket, 0o666)
        stranger = (
            "import os, socket, sys; os.setgid(65534); os.setuid(65534); s = socket.socket(socket.AF_UNIX); s.settimeout(5)\n"
            f"s.connect({site.socket!r})\n"
            "try: s.sendall(b'GET /health HTTP/1.1\\r\\nHost: r\\r\\n\\r\\n'); sys.exit(len(s.recv(10)))\n"
            "except (ConnectionResetError, BrokenPipeError): sys.exit(0)"
        )
        self.assertEqual(subprocess.run([sys.executable, "-c", stranger]).returncode, 0)
        self.assertEqual(subprocess.run([sys.executable, "-c", stranger.replace("65534", "0")]).returncode, 10)

    def test_a_second_runner_does_not_take_the_socket(self) -> None:
        site = self.site()
        environment = {
            "RUNNER_LISTEN": site.socket,
            "RUNNER_WORK": str(site.folder / "other"),
            "RUNNER_SKILLS": str(site.folder / "skills"),
            "RUNNER_MANIFEST": str(site.folder / "manifest.json"),
        }
        second = subprocess.run([sys.executable, "-m", "xray_runner"], cwd=RUNNER, env=environment, capture_output=True, timeout=20)
        self.assertEqual(second.returncode, 1)
        self.assertIn(b"another runner listens", second.stderr)
        self.fine(site)

    def test_changed_files_do_not_run(self) -> None:
        site = self.site()
        scripts = site.folder / "skills" / "c" / "scripts"

        def refused() -> tuple[int, str]:
            answer = site.run("c/beside.py")
            return answer.status, answer.said

        self.assertEqual(site.run("c/beside.py").body["stdout"], "first\n")
        helper = scripts / "helper.py"
        text = helper.read_text()
        helper.write_text("WORD = 'other'")
        self.assertEqual(refused(), (409, "hash_mismatch"))
        helper.unlink()
        self.assertEqual(refused(), (409, "hash_mismatch"))
        (site.folder / "elsewhere.py").write_text(text)
        helper.symlink_to(site.folder / "elsewhere.py")
        self.assertEqual(refused(), (409, "hash_mismatch"))
        helper.unlink()
        os.mkfifo(helper)
        self.assertEqual(refused(), (409, "hash_mismatch"))
        helper.unlink()
        helper.write_text(text)
        self.assertEqual(site.run("c/beside.py").body["stdout"], "first\n")
        (scripts / "unlisted.py").write_text("print('unlisted')")
        self.assertEqual(site.run("c/unlisted.py").said, "unknown_script")
        moved = site.folder / "moved"
        shutil.move(site.folder / "skills" / "c", moved)
        (site.folder / "skills" / "c").symlink_to(moved)
        self.assertEqual(refused(), (409, "hash_mismatch"))


def _runs(pid: int) -> bool:
    """Whether a process is there and not a dead one that waits for its new parent."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class SelfTest(unittest.TestCase):
    def test_one_open_attempt_closes_the_runner(self) -> None:
        frame = (
            f"import sys; sys.path.insert(0, {str(RUNNER)!r})\nfrom xray_runner import zygote\n"
            "from xray_runner.sandbox import policy\n"
            "policy.ALLOWED += ' memfd_create'\nmain = zygote.main\n"
        )
        with Site({"c/fine.py": "print('fine')"}, wait=False) as unused:
            folder = unused.folder / "frame"
            folder.mkdir()
            folder.chmod(0o755)
            (folder / "opened.py").write_text(frame)
            with Site(SCRIPTS, zygote_module="opened", zygote_path=folder) as site:
                answer, health = site.run("c/fine.py"), site.health()
            self.assertEqual((answer.status, answer.said), (503, "sandbox_unavailable"))
            self.assertEqual((health["ok"], health["missing"]), (False, ["sandbox_unavailable"]))
            self.assertEqual([name for name, came in health["selftest"].items() if came == "open"], ["have memory run as a program"])

    def test_check_says_what_is_there(self) -> None:
        done = subprocess.run([sys.executable, "-m", "xray_runner", "--check"], cwd=RUNNER, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual((found["ok"], found["missing"]), (True, []))
        self.assertEqual(set(found["selftest"].values()), {"blocked", "works"})
