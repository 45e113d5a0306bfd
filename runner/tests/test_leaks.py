"""Nothing goes from one run to another, nor from the runner into a run; and a run cannot speak in the runner's name."""

import json
import os
import subprocess
import unittest

from tests.support.site import Site

SCRIPTS = {
    "l/descriptors.py": """
import json, os
found = []
for number in range(1024):
    try:
        os.fstat(number)
        found.append(number)
    except OSError:
        pass
print(json.dumps(found))
""",
    "l/environment.py": """
import ctypes, json, os
block = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
kernel, at = [], 0
while block[at]:
    kernel.append(block[at].decode())
    at += 1
print(json.dumps([sorted(os.environ), sorted(kernel)]))
""",
    "l/remember.py": """
import builtins, json, os, random, string, sys
text = json.load(sys.stdin)["text"]
builtins.kept = json.kept = text
json.dumps = lambda *_: "patched"
string.digits = text
sys.modules["planted"] = sys
open("note", "w").write(text)
sys.path.append(text)
print(random.random())
""",
    "l/recall.py": """
import gc, json, os, random, string, sys
wanted = json.load(sys.stdin)["half"] * 2
found = [type(thing).__name__ for thing in gc.get_objects() if isinstance(thing, (dict, list, tuple))
         for part in (thing.values() if isinstance(thing, dict) else thing) if isinstance(part, str) and part == wanted
         and thing is not globals()]
print(json.dumps([found, "planted" in sys.modules, os.listdir("."), string.digits, random.random()]))
""",
    "l/arguments.py": "import json, sys; print(json.dumps([sys.argv, __name__, __file__, sys.orig_argv[:1]]))",
    "l/forge.py": """
import os, sys
for number in range(3, 64):
    for word in (b'{"ended":{"run":0,"status":0,"cpuS":0,"peakKb":0}}', b"\\x00\\x00\\x00\\x02{}"):
        try:
            os.write(number, word)
            print("written to", number)
        except OSError:
            pass
sys.exit(7)
""",
    "l/paths.py": """
import os, sys, traceback
def text(): raise ValueError("x")
import helper
helper.fail()
""",
    "l/helper.py": "def fail():\n    raise RuntimeError('from the helper')\n",
    "l/gone.py": "open(__file__)",
    "l/repeat.py": """
import random, secrets, tempfile, uuid
print(random.random(), secrets.token_hex(4), uuid.uuid4(), next(tempfile._get_candidate_names()))
""",
}
SECRET = "correct horse "


class Leaks(unittest.TestCase):
    site: Site

    @classmethod
    def setUpClass(cls) -> None:
        os.environ["XRAY_TEST_SECRET"] = SECRET
        cls.addClassCleanup(os.environ.pop, "XRAY_TEST_SECRET")
        cls.site = Site(SCRIPTS)
        cls.addClassCleanup(cls.site.close)

    def said(self, script: str, value: object = None) -> str:
        answer = self.site.run(script, value)
        self.assertEqual(answer.said, "ok", answer.body)
        return answer.body["stdout"]

    def test_a_child_of_the_listener_would_inherit_a_secret_and_a_run_has_no_environment(self) -> None:
        there = subprocess.run(["/usr/bin/env"], capture_output=True, text=True, check=True).stdout
        self.assertIn("XRAY_TEST_SECRET", there)
        python, kernel = json.loads(self.said("l/environment.py"))
        self.assertEqual(python, ["LANG", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "TZ"])
        self.assertEqual(kernel, ["LANG=C.UTF-8", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "TZ=UTC"])

    def test_a_run_has_three_descriptors(self) -> None:
        self.assertEqual(json.loads(self.said("l/descriptors.py")), [0, 1, 2])

    def test_what_one_run_has_changed_is_as_it_was_for_the_next(self) -> None:
        first = self.said("l/remember.py", {"text": SECRET * 2})
        recalled = [json.loads(self.said("l/recall.py", {"half": SECRET})) for _ in range(4)]
        self.assertEqual([run[:4] for run in recalled], [[[], False, [], "0123456789"]] * 4)
        numbers = [float(first), *(run[4] for run in recalled)]
        self.assertEqual(len(set(numbers)), len(numbers))

    def test_in_one_process_the_same_two_scripts_do_tell_each_other(self) -> None:
        both = SCRIPTS["l/remember.py"].replace('json.load(sys.stdin)["text"]', repr(SECRET * 2))
        both = both.replace('json.dumps = lambda *_: "patched"', "") + SCRIPTS["l/recall.py"].replace(
            'json.load(sys.stdin)["half"]', repr(SECRET)
        )
        folder = self.site.folder / "one"
        folder.mkdir()
        done = subprocess.run([os.readlink("/proc/self/exe"), "-c", both], capture_output=True, text=True, cwd=folder)
        found, planted, left, digits, _ = json.loads(done.stdout.splitlines()[-1])
        self.assertTrue(found)
        self.assertEqual((planted, left, digits), (True, ["note"], SECRET * 2))

    def test_random_numbers_do_not_repeat(self) -> None:
        words = [word for _ in range(6) for word in self.said("l/repeat.py").split()]
        self.assertEqual(len(set(words)), len(words))

    def test_nothing_that_a_run_writes_is_taken_for_its_end(self) -> None:
        answer = self.site.run("l/forge.py")
        self.assertEqual((answer.said, answer.body["exitCode"], answer.body["stdout"]), ("script_error", 7, ""))

    def test_arguments_are_those_of_a_script(self) -> None:
        argv, name, file, first = json.loads(self.said("l/arguments.py"))
        self.assertEqual((argv, name, file), (["arguments.py"], "__main__", "arguments.py"))
        self.assertTrue(os.path.isabs(first[0]))

    def test_a_traceback_shows_the_scripts_lines_and_no_path_of_the_machine(self) -> None:
        answer = self.site.run("l/paths.py")
        self.assertEqual(answer.body["exitCode"], 1)
        self.assertEqual(
            [line for line in answer.body["stderr"].splitlines() if not set(line) <= {" ", "^", "~"}],
            [
                "Traceback (most recent call last):",
                '  File "paths.py", line 5, in <module>',
                "    helper.fail()",
                '  File "helper.py", line 2, in fail',
                "    raise RuntimeError('from the helper')",
                "RuntimeError: from the helper",
            ],
        )

    def test_neither_the_runner_nor_the_skills_folder_is_in_reach(self) -> None:
        self.assertIn("FileNotFoundError", self.site.run("l/gone.py").body["stderr"])
