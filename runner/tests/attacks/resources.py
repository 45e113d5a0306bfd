"""Attempts to take more than a run's share. One a run: its name is the input, and how it ends is looked at outside."""

import ctypes
import fcntl
import hashlib
import json
import mmap
import os
import resource
import signal
import sys
import threading

ATTEMPTS = {}


def attempt(action):
    ATTEMPTS[action.__name__] = action


def say(value):
    print(json.dumps(value))


@attempt
def memory_by_bytes():
    say(len(bytearray(400 * 1_048_576)))


@attempt
def memory_by_many_objects():
    kept = []
    while len(kept) < 400:
        kept.append(bytes(1_048_576))
    say(len(kept))


@attempt
def memory_by_mapping():
    maps = []
    while len(maps) < 40:
        maps.append(mmap.mmap(-1, 10 * 1_048_576))
    say(len(maps))


@attempt
def endless_loop():
    while True:
        pass


@attempt
def endless_loop_deaf_to_all_signals():
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        pass


@attempt
def two_processors():
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)

    def spin():
        while True:
            hashlib.pbkdf2_hmac("sha256", b"x", b"y", 100_000)

    threading.Thread(target=spin, daemon=True).start()
    spin()


@attempt
def stop_itself():
    os.kill(os.getpid(), signal.SIGSTOP)


@attempt
def sleep_long():
    signal.pause()


@attempt
def many_threads():
    gate = threading.Event()
    started = 0
    while started < 400:
        try:
            threading.Thread(target=gate.wait, daemon=True).start()
        except RuntimeError:
            break
        started += 1
    gate.set()
    say(started)


@attempt
def many_descriptors():
    opened = 0
    try:
        while opened < 200:
            os.dup(0)
            opened += 1
    except OSError:
        pass
    say(opened)


@attempt
def big_file():
    with open("big", "wb", buffering=0) as file:
        written = 0
        while written < 40 * 1_048_576:
            written += file.write(bytes(1_048_576))
    say(written)


@attempt
def sparse_file():
    with open("sparse", "wb") as file:
        file.truncate(1 << 40)
    say(1 << 40)


def fill(held):
    files = []
    for number in range(8):
        files.append(open(f"f{number}", "wb", buffering=0))
        if held:
            os.unlink(f"f{number}")
        for _ in range(12):
            files[-1].write(bytes(1_048_576))
    linger()
    say(96)


def linger():
    """Give a watcher outside the time to look, where it is one that limits the folder."""
    if "XRAY_BARE" not in os.environ:
        signal.setitimer(signal.ITIMER_REAL, 5)
        signal.pause()


@attempt
def full_disk():
    fill(held=False)


@attempt
def full_disk_of_files_without_names():
    fill(held=True)


@attempt
def full_disk_of_files_that_are_mapped():
    """A page of each is mapped, and neither a name nor a descriptor is left."""
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    for _ in range(8):
        with open("mapped", "w+b", buffering=0) as file:
            os.unlink("mapped")
            for _ in range(12):
                file.write(bytes(1_048_576))
            libc.mmap(None, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_PRIVATE, file.fileno(), 0)
    linger()
    say(96)


@attempt
def many_files():
    for number in range(3_000):
        open(f"f{number}", "w").close()
    linger()
    say(3_000)


@attempt
def deep_tree():
    for _ in range(1_500):
        os.mkdir("d")
        os.chdir("d")
    linger()
    say(1_500)


@attempt
def closed_folders():
    os.makedirs("a/b/c")
    open("a/b/c/file", "w").close()
    os.mkdir("a/sealed", 0)
    os.mkdir("sealed", 0)
    os.symlink("/etc", "a/link")
    say("left")


@attempt
def flood_output():
    for _ in range(64):
        sys.stdout.write("x" * 65_536)
    sys.stdout.flush()


@attempt
def flood_errors():
    for _ in range(64):
        sys.stderr.write("x" * 65_536)


@attempt
def raise_a_limit():
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    pair = (ctypes.c_uint64 * 2)(1 << 40, 1 << 40)
    libc = ctypes.CDLL(None, use_errno=True)
    done = libc.setrlimit(resource.RLIMIT_FSIZE, pair)
    say([done, list(resource.getrlimit(resource.RLIMIT_FSIZE)) == [soft, hard]])


@attempt
def raise_processor_time():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.argtypes = [ctypes.c_long] * 4
    pair = (ctypes.c_uint64 * 2)(10_000, 10_000)
    number = {"x86_64": 160, "aarch64": 164}[os.uname().machine]
    say([libc.syscall(number, resource.RLIMIT_CPU, ctypes.addressof(pair), 0), ctypes.get_errno()])


@attempt
def exhaust_the_stack():
    class Endless:
        def __repr__(self):
            return repr(self)

    sys.setrecursionlimit(1_000_000_000)
    repr(Endless())


@attempt
def read_address_zero():
    ctypes.string_at(0)


ATTEMPTS[json.load(sys.stdin)["name"]]()
