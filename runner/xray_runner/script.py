"""Runs one script as the main program, from the text that was checked, and ends the process as Python would.

Nothing of a skill is read from disk here: its modules come with the script, so what runs is what was hashed.
"""

import atexit
import importlib.abc
import importlib.machinery
import linecache
import os
import sys
import threading
import traceback
import types
from typing import Any, NoReturn

# A script that runs out of memory ends with this; what it says is a hint, since a script may choose it too.
OUT_OF_MEMORY = 101


class _CheckedModules(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds the modules that lie beside the script, by plain name."""

    def __init__(self, sources: dict[str, str]) -> None:
        self._sources = sources

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if fullname in self._sources:
            return importlib.machinery.ModuleSpec(fullname, self, origin=f"{fullname}.py")
        return None

    def get_source(self, fullname: str) -> str:
        return self._sources[fullname]

    def exec_module(self, module: types.ModuleType) -> None:
        name = module.__name__
        remember(f"{name}.py", self._sources[name])
        exec(compile(self._sources[name], f"{name}.py", "exec", dont_inherit=True), module.__dict__)


def remember(name: str, source: str) -> None:
    """Let a traceback show the lines of a file that is not on disk."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)


def run_to_end(script: str, sources: dict[str, str]) -> NoReturn:
    """Run the script named `script` and end the process with its status. `sources` maps module name to text."""
    status = 1
    try:
        sys.argv[:] = [script]
        sys.meta_path.insert(0, _CheckedModules(sources))
        source = sources[script.removesuffix(".py")]
        main = types.ModuleType("__main__")
        main.__dict__["__file__"] = script
        sys.modules["__main__"] = main
        remember(script, source)
        exec(compile(source, script, "exec", dont_inherit=True), main.__dict__)
        status = 0
    except SystemExit as ending:
        status = _status_of(ending.code)
    except MemoryError:
        status = OUT_OF_MEMORY
    except BaseException as error:
        # The first frame is this function, which is no business of the script.
        trace = error.__traceback__.tb_next if error.__traceback__ else None
        traceback.print_exception(type(error), error, trace)
    finally:
        _end(status)


def _status_of(code: object) -> int:
    """The exit status that Python makes of `sys.exit(code)`."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def _end(status: int) -> NoReturn:
    """What Python does at the end, but for taking itself apart, which costs more than many a run."""
    try:
        threading._shutdown()
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except MemoryError:
        status = OUT_OF_MEMORY
    except BaseException:
        status = status or 120
    finally:
        os._exit(status)
