"""Runs a script on request and says how long it took, for the benchmark: without HTTP, straight from the service.

    python3 timing.py FOLDER none|egress warm|demand SKILL/SCRIPT

reads a line, runs once, prints microseconds; `warm` waits before the clock starts until a process is ready.
"""

import asyncio
import json
import sys
from pathlib import Path

RUNNER = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(RUNNER))

from xray_runner import listener  # noqa: E402
from xray_runner.config import Config  # noqa: E402
from xray_runner.protocol import RunRequest  # noqa: E402


async def main(folder: Path, network: str, mode: str, script: str) -> None:
    skill, name = script.split("/")
    config = Config(folder / "unused", folder / f"work-{mode}", folder / "skills", folder / "manifest.json", network == "egress")
    sha256 = json.loads(config.manifest.read_text())["skills"][skill]["scripts"][name]
    request = RunRequest(skill, name, sha256, b'{"text":"to be or not to be"}', 60_000)
    loop = asyncio.get_running_loop()
    async with listener.running(config) as service:
        if mode == "demand":
            service.pool.make_ready = lambda: None
            await service.pool._dispose_waiting(service.pool.current)
        while await loop.run_in_executor(None, sys.stdin.readline):
            while mode == "warm" and service.pool.current.ready < config.concurrency:
                await asyncio.sleep(0.001)
            start = loop.time()
            reply = await service.start(request).reply
            elapsed = loop.time() - start
            if reply.outcome != "ok":
                raise SystemExit(reply.stderr.decode())
            print(round(elapsed * 1_000_000), flush=True)


asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:]))
