"""What honest scripts do works behind the walls."""

import os
import sys
import unittest

from tests.support.site import Site

SCRIPTS = {
    "event_loop": """
import asyncio
async def main():
    loop = asyncio.get_running_loop()
    result = await loop.run_in_executor(None, lambda: 21 * 2)
    await asyncio.sleep(0.001)
    return result, await asyncio.gather(*(asyncio.sleep(0, n) for n in range(3)))
print(asyncio.run(main()))
""",
    "threads": """
import threading
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(8) as pool:
    print(sum(pool.map(lambda n: n * n, range(100))))
done = []
threading.Thread(target=lambda: done.append(threading.current_thread().name), name="one").start()
""",
    "temporary_files": """
import os, tempfile
with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile() as file:
    file.write(b"x"); file.flush()
    print(os.path.dirname(file.name) == os.getcwd(), os.path.getsize(file.name))
with tempfile.TemporaryFile() as file:
    file.write(b"y")
""",
    "copying": """
import os, shutil
os.mkdir("a"); open("a/file", "w").write("text")
shutil.copy2("a/file", "copy"); shutil.copytree("a", "b"); shutil.move("b", "c"); shutil.copyfile("copy", "again")
shutil.rmtree("a")
print(sorted(os.listdir(".")), open("again").read())
""",
    "archives": """
import io, tarfile, zipfile
with zipfile.ZipFile("x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("a/b.txt", "text" * 100)
zipfile.ZipFile("x.zip").extractall("out")
with tarfile.open("x.tar.gz", "w:gz") as archive:
    archive.add("out")
safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
tarfile.open("x.tar.gz").extractall("again", **safely)
print(len(open("again/out/a/b.txt").read()))
""",
    "database": """
import sqlite3
db = sqlite3.connect("file.db")
db.execute("create table t(x)"); db.executemany("insert into t values (?)", [(n,) for n in range(10)]); db.commit()
print(db.execute("select sum(x) from t").fetchone()[0])
""",
    "logging_and_time": """
import datetime, logging, sys, time, zoneinfo
logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s", level=logging.INFO)
logging.info("said")
moment = datetime.datetime(2026, 7, 1, tzinfo=zoneinfo.ZoneInfo("Asia/Shanghai"))
print(moment.utcoffset(), time.tzname[0])
""",
    "alarm": """
import re, signal
class Late(Exception): pass
def late(*_): raise Late
signal.signal(signal.SIGALRM, late)
signal.setitimer(signal.ITIMER_REAL, 0.1)
def spin():
    while True: pass
try:
    spin()
except Late:
    print("stopped")
""",
    "links_and_locks": """
import fcntl, mmap, os
open("file", "wb").write(bytes(4096)); os.link("file", "hard"); os.symlink("file", "soft")
with open("soft", "r+b") as file:
    fcntl.lockf(file, fcntl.LOCK_EX); mmap.mmap(file.fileno(), 0)[0:1] = b"x"
print(open("hard", "rb").read(1), os.readlink("soft"))
""",
    "ending": """
import atexit, sys, threading, time
atexit.register(lambda: print("at exit"))
threading.Thread(target=lambda: (time.sleep(0.01), print("thread"))).start()
print("main")
""",
    "modules_beside": "import beside, json; print(json.dumps([beside.__name__, beside.twice(4), beside.__file__ is not None]))",
    "large_output": "print('线' * 80_000)",
    "processors": "import os; print(os.cpu_count() >= 1, len(os.sched_getaffinity(0)) >= 1, os.getcwd() != '/')",
    "input": "import sys; print(sys.stdin.read())",
}
BESIDE = "def twice(n):\n    return 2 * n\n__file__ = 'given'\n"
WANTED = {
    "event_loop": "(42, [0, 1, 2])\n",
    "threads": "328350\n",
    "temporary_files": "True 1\n",
    "copying": "['again', 'c', 'copy'] text\n",
    "archives": "400\n",
    "database": "45\n",
    "logging_and_time": "INFO said\n8:00:00 UTC\n",
    "alarm": "stopped\n",
    "links_and_locks": "b'x' file\n",
    "ending": "main\nthread\nat exit\n",
    "modules_beside": '["beside", 8, true]\n',
    "large_output": "线" * 80_000 + "\n",
    "processors": "True True True\n",
    "input": "{}\n",
}


class MustWork(unittest.TestCase):
    site: Site

    @classmethod
    def setUpClass(cls) -> None:
        scripts = {f"w/{name}.py": text for name, text in SCRIPTS.items()}
        lxml = "import lxml.html; print(lxml.html.fromstring('<p>a<b>b</b></p>').text_content())"
        # The interpreter with the packages, if there is one: its packages come along into the runs.
        python = os.environ.get("XRAY_TEST_PACKAGES") or sys.executable
        cls.site = Site(scripts | {"w/beside.py": BESIDE, "w/markup.py": lxml}, python=python)
        cls.addClassCleanup(cls.site.close)

    def test_every_script_says_what_it_should(self) -> None:
        for name, wanted in WANTED.items():
            with self.subTest(name):
                answer = self.site.run(f"w/{name}.py")
                self.assertEqual((answer.said, answer.body["stdout"], answer.body["stderr"]), ("ok", wanted, ""))

    def test_markup_library(self) -> None:
        try:
            import lxml  # noqa: F401
        except ImportError:
            self.skipTest("lxml is not installed for this interpreter")
        self.assertEqual(self.site.run("w/markup.py").body["stdout"], "ab\n")

    def test_input_arrives_exactly(self) -> None:
        value = {"a": "线\ud83d\udca1\u0000\u2028", "lone": "\ud800", "big": 12345678901234567890, "f": 0.1, "t": True}
        self.assertEqual(
            self.site.run("w/input.py", value).body["stdout"],
            '{"a":"\\u7ebf\\ud83d\\udca1\\u0000\\u2028","lone":"\\ud800","big":12345678901234567890,"f":0.1,"t":true}\n',
        )
