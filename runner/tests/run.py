"""The runner's tests by one command. Ends with `N passed, N failed, N skipped`; exit status 0 when none failed.

    python3 runner/tests/run.py [--only WORD] [--walls] [--verbose]
"""

import argparse
import sys
import time
import unittest
from pathlib import Path

RUNNER = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(RUNNER))


class Counting(unittest.TextTestResult):
    """Counts what passed too, since the standard result only counts what ran."""

    passed = 0

    def addSuccess(self, test: unittest.TestCase) -> None:
        super().addSuccess(test)
        self.passed += 1

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        self.stream.writeln(f"skipped {test.id()}: {reason}")


def flat(suite: unittest.TestSuite) -> list[unittest.TestCase]:
    return [case for item in suite for case in (flat(item) if isinstance(item, unittest.TestSuite) else [item])]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--only", default="", help="tests whose name holds this word")
    arguments.add_argument("--walls", action="store_true", help="leave out the tests of the skills")
    arguments.add_argument("--verbose", action="store_true")
    options = arguments.parse_args()
    # The tests of the skills import each other by plain name, as the scripts themselves do.
    found = [
        *flat(unittest.TestLoader().discover(str(RUNNER / "tests"), top_level_dir=str(RUNNER))),
        *([] if options.walls else flat(unittest.TestLoader().discover(str(RUNNER / "tests" / "skills")))),
    ]
    chosen = unittest.TestSuite(test for test in found if options.only in test.id())
    runner = unittest.TextTestRunner(resultclass=Counting, verbosity=2 if options.verbose else 1)
    start = time.monotonic()
    result = runner.run(chosen)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    if result.testsRun == 0 and failed == 0:
        failed = 1
        print("no test ran")
    print(f"{time.monotonic() - start:.1f} s")
    print(f"{result.passed} passed, {failed} failed, {len(result.skipped) + len(result.expectedFailures)} skipped")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
