"""How much room a run may take: a small file system a place where that can be had, else somebody who looks."""

import ctypes
import os
import stat
from pathlib import Path

from .config import Bounds
from .sandbox import limits
from .sandbox.calls import call

_CLONE_NEWNS = 0x20000
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REC, _MS_PRIVATE = 2, 4, 8, 16384, 1 << 18
_MNT_DETACH = 2
# A tree this deep is no use to any script, and looking into it would take a descriptor a level.
_DEEPEST = 32
_MAPS_BYTES = 1_048_576


def mount_places(places: list[Path], bounds: Bounds) -> bool:
    """Give each place a file system of its own, seen by this process and its children alone; whether that worked.

    They go with the last of these processes, however it ends. Only root can do it.
    """
    try:
        call("unshare", _CLONE_NEWNS)
        _mount("none", "/", "", _MS_REC | _MS_PRIVATE, "")
        for place in places:
            options = f"size={bounds.disk_bytes},nr_inodes={bounds.disk_entries},mode=0711"
            _mount("xray-run", str(place), "tmpfs", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC, options)
    except OSError:
        return False
    return True


def _mount(source: str, target: str, kind: str, flags: int, options: str) -> None:
    texts = [ctypes.create_string_buffer(os.fsencode(text)) for text in (source, target, kind, options)]
    device, folder, filesystem, data = (ctypes.addressof(text) for text in texts)
    call("mount", device, folder, filesystem, flags, data)


def unmount(place: Path) -> None:
    """Take a place's file system away again. Raises OSError."""
    target = ctypes.create_string_buffer(os.fsencode(place))
    call("umount2", ctypes.addressof(target), _MNT_DETACH)


def is_own_filesystem(place: Path, bounds: Bounds) -> bool:
    """Whether the place is mounted, and small enough to be its own limit."""
    if not os.path.ismount(place):
        return False
    found = os.statvfs(place)
    return found.f_blocks * found.f_frsize <= 2 * bounds.disk_bytes


def is_over(folder: int, pid: int, bounds: Bounds) -> bool:
    """Whether a running process has taken more than its share. What cannot be looked into counts as too much.

    `folder` is the run's own. Files that it has removed and still holds, open or mapped, take room too.
    """
    try:
        used = [_held_bytes(folder, pid, bounds), 0]
    except OSError:
        # Ended meanwhile.
        return False
    return used[0] > bounds.disk_bytes or _add_up(folder, used, bounds, 0)


def _add_up(folder: int, used: list[int], bounds: Bounds, depth: int) -> bool:
    try:
        names = os.listdir(folder)
    except OSError:
        return True
    for name in names:
        try:
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            continue
        used[0] += found.st_blocks * 512
        used[1] += 1
        if used[0] > bounds.disk_bytes or used[1] > bounds.disk_entries:
            return True
        if stat.S_ISDIR(found.st_mode) and (depth == _DEEPEST or _is_over_below(folder, name, used, bounds, depth)):
            return True
    return False


def _is_over_below(folder: int, name: str, used: list[int], bounds: Bounds, depth: int) -> bool:
    try:
        inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        return _add_up(inner, used, bounds, depth + 1)
    finally:
        os.close(inner)


def _held_bytes(folder: int, pid: int, bounds: Bounds) -> int:
    """Room of the regular files that have no name any more. Raises OSError when the process has ended."""
    held = {}
    for number in os.listdir(f"/proc/{pid}/fd"):
        try:
            found = os.stat(f"/proc/{pid}/fd/{number}")
        except FileNotFoundError:
            continue
        if found.st_nlink == 0 and stat.S_ISREG(found.st_mode):
            held[found.st_ino] = found.st_blocks * 512
    maps = _maps(pid)
    if len(maps) > _MAPS_BYTES:
        return bounds.disk_bytes + 1
    # One mapped page keeps a whole file, whose size nobody tells: it counts as large as a file can be.
    return sum((dict.fromkeys(_removed_files(folder, maps), limits.FILE_BYTES) | held).values())


def _maps(pid: int) -> bytes:
    """What the process has mapped, a line each; cut soon after more than anybody needs."""
    with open(f"/proc/{pid}/maps", "rb", buffering=0) as file:
        text = bytearray()
        while len(text) <= _MAPS_BYTES and (part := file.read(_MAPS_BYTES)):
            text += part
    return bytes(text)


def _removed_files(folder: int, maps: bytes) -> set[int]:
    """Inodes of the mapped files that were below the folder."""
    if b" (deleted)\n" not in maps:
        return set()
    below = os.fsencode(os.readlink(f"/proc/self/fd/{folder}")) + b"/"
    fields = (line.split(maxsplit=5) for line in maps.splitlines() if line.endswith(b" (deleted)"))
    return {int(inode) for *_, inode, path in fields if path.startswith(below)}
