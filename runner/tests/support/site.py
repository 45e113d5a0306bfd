"""A real runner in a process of its own, with skills that a test writes. Everything of it is gone when it closes."""

import dataclasses
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from xray_runner.config import Bounds

from .client import Answer, call

RUNNER = Path(__file__).resolve().parent.parent.parent
# Started with the configuration as one argument: tests need bounds and ports that no environment may set.
_START = """
import asyncio, json, logging, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from xray_runner import listener, names
from xray_runner.config import Bounds, Config
given = json.loads(sys.argv[2])
logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
for key in ("listen", "work", "skills", "manifest", "zygote_path"):
    given[key] = Path(given[key])
given["bounds"] = Bounds(**given["bounds"])
given["ports"] = tuple(given["ports"])
if given.pop("stub_names"):
    async def stub(name):
        return {"both.example": ["2001:db8::1", "192.0.2.1"], "local.example": ["127.0.0.1"]}.get(name, [])
    names.resolve = stub
asyncio.run(listener.serve(Config(**given)))
"""


class Site:
    """`scripts` maps `skill/name.py` to text; each skill belongs to the tier of the runner, or to `network`."""

    def __init__(
        self,
        scripts: dict[str, str],
        bounds: Bounds = Bounds(),
        egress: bool = False,
        concurrency: int = 2,
        ports: tuple[int, ...] = (443,),
        zygote_module: str = "xray_runner.zygote",
        zygote_path: Path = RUNNER,
        python: str | None = None,
        preload: tuple[str, ...] = (),
        stub_names: bool = False,
        network: str | None = None,
        wait: bool = True,
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="xray-runner-test-"))
        self.folder.chmod(0o711)
        self.socket = str(self.folder / "runner.sock")
        self.hashes = write_skills(self.folder, scripts, network or ("egress" if egress else "none"), preload)
        self.log = open(self.folder / "log", "w+")
        config = {
            "listen": self.socket,
            "work": str(self.folder / "work"),
            "skills": str(self.folder / "skills"),
            "manifest": str(self.folder / "manifest.json"),
            "egress": egress,
            "concurrency": concurrency,
            "ports": ports,
            "zygote_module": zygote_module,
            "zygote_path": str(zygote_path),
            "bounds": dataclasses.asdict(bounds),
            "stub_names": stub_names,
        }
        self.process = subprocess.Popen(
            [python or os.readlink("/proc/self/exe"), "-c", _START, str(RUNNER), json.dumps(config)],
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            cwd="/",
        )
        if wait:
            self.wait_until_there()

    def wait_until_there(self) -> None:
        """Return once the socket answers; a runner that ends first is an error with its log."""
        while True:
            try:
                call(self.socket, "GET", "/health")
                return
            except (FileNotFoundError, ConnectionRefusedError):
                if self.process.poll() is not None:
                    raise AssertionError(f"the runner ended: {self.log_text()}") from None
                time.sleep(0.02)

    def run(self, script: str, value: Any = None, timeout_ms: int = 20_000) -> Answer:
        """Run `skill/name.py`."""
        return call(self.socket, "POST", "/run", self.request(script, value, timeout_ms))

    def request(self, script: str, value: Any = None, timeout_ms: int = 20_000, changes: dict[str, Any] | None = None) -> bytes:
        """The body that runs `skill/name.py`, with some of its keys changed."""
        skill, name = script.split("/")
        body = {"skill": skill, "script": name, "sha256": self.hashes.get(script, "0" * 64)}
        return json.dumps(body | {"input": value or {}, "timeoutMs": timeout_ms} | (changes or {})).encode()

    def health(self) -> dict[str, Any]:
        return call(self.socket, "GET", "/health").body

    def log_text(self) -> str:
        self.log.flush()
        return (self.folder / "log").read_text()

    @property
    def work(self) -> Path:
        """The work folder as the runner sees it: its places may be mounted for its eyes alone."""
        return Path(f"/proc/{self.process.pid}/root{self.folder}/work")

    def left_over(self) -> list[str]:
        """Files that belong to nobody once the runner is idle: beside a folder for each process that waits, any."""
        try:
            wait_for(lambda: settled(self.health()) and not self._extra(), 10)
        except AssertionError:
            return self._extra() or ["still at work"]
        return []

    def _extra(self) -> list[str]:
        waiting = self.health()["warm"]
        folders = [path for path in self.work.glob("s*/*") if path.name != "canary"]
        inside = [*self.work.glob("s*/*/*"), *(path for path in self.work.glob("canary/*") if path.name != "file")]
        found = inside + (folders if len(folders) != waiting else [])
        return [str(path.relative_to(self.work)) for path in found]

    def processes(self) -> list[int]:
        """Process ids below the runner, itself not counted."""
        return below(self.process.pid)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
        self.log.close()
        shutil.rmtree(self.folder)

    def __enter__(self) -> "Site":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def settled(health: dict[str, Any]) -> dict[str, Any] | None:
    return health if health["active"] == 0 and health["waiting"] == 0 else None


def write_skills(folder: Path, scripts: dict[str, str], network: str, preload: tuple[str, ...] = ()) -> dict[str, str]:
    """Write skills and their manifest; returns the hash of each script."""
    hashes = {}
    skills: dict[str, Any] = {}
    for name, text in scripts.items():
        skill, file = name.split("/")
        path = folder / "skills" / skill / "scripts" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        hashes[name] = hashlib.sha256(text.encode()).hexdigest()
        entry = skills.setdefault(skill, {"network": network, "preload": list(preload), "scripts": {}, "files": {}})
        entry["scripts"][file] = entry["files"][f"scripts/{file}"] = hashes[name]
    (folder / "manifest.json").write_text(json.dumps({"skills": skills}))
    return hashes


def wait_for(look: Any, seconds: float = 20) -> Any:
    """What `look` returns once it is true. Fails when it never is."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError("waited in vain")
        time.sleep(0.01)


def below(pid: int) -> list[int]:
    """Every descendant of a process, dead ones that nobody reaped included."""
    found = []
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
        children = [int(child) for task in tasks for child in Path(f"/proc/{pid}/task/{task}/children").read_text().split()]
    except OSError:
        return []
    for child in children:
        found += [child, *below(child)]
    return found
