"""The places in which runs happen: a folder each and, for root, a user each. A run finds its place empty."""

import os
import secrets
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from . import quota, wipe
from .config import Config

# No other program of the machine uses these; every place has one to itself.
FIRST_UID = 61_000
# From a run's folder: a readable file in a folder that everybody may write to. What Landlock must keep closed.
CANARY = "../../canary/file"
_CANARY_FOLDER, _CANARY_FILE, _NEIGHBOUR = "canary", "file", "canary"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class Slot:
    """`uid` is None where runs stay the runner's own user; `watched` where the folder does not limit itself."""

    number: int
    path: Path
    uid: int | None
    watched: bool


class RunFolder:
    """A run's own folder, and a descriptor of it that stays with us."""

    def __init__(self, slot: Slot) -> None:
        self.slot = slot
        self._path = slot.path / secrets.token_hex(8)
        self._path.mkdir(mode=0o700)
        self.descriptor = os.open(self._path, _FOLDER)
        if slot.uid is not None:
            os.fchown(self.descriptor, slot.uid, slot.uid)

    def remove(self) -> None:
        """Empty and remove it. Only when the run has been reaped."""
        try:
            wipe.empty(self.descriptor)
            self._path.rmdir()
        finally:
            os.close(self.descriptor)


def places_for(concurrency: int) -> int:
    """As many runs, as many processes that wait, and one more for the self-test of a new zygote."""
    return 2 * concurrency + 1


class Slots:
    """Makes the places ready, and lends them out."""

    def __init__(self, config: Config) -> None:
        self._all, self._mounted = _prepare(config, as_root=os.geteuid() == 0)
        self._free = deque(self._all)

    @property
    def total(self) -> int:
        return len(self._all)

    @property
    def user(self) -> str:
        """Whose the runs are: `root` where root gives each place a user, `own` where they stay the runner's."""
        return "own" if self._all[0].uid is None else "root"

    @property
    def quota(self) -> str:
        """Who keeps a run's folder small: `filesystem` or `watcher`."""
        return "watcher" if any(slot.watched for slot in self._all) else "filesystem"

    def take(self) -> RunFolder:
        """An empty folder in a place that nobody has. Raises IndexError when all are taken, OSError."""
        slot = self._free.popleft()
        try:
            return RunFolder(slot)
        except OSError:
            self._free.append(slot)
            raise

    def give_back(self, folder: RunFolder) -> None:
        """Remove the folder; its place is free again only if nothing is left in it. Raises OSError."""
        folder.remove()
        self._free.append(folder.slot)

    def close(self) -> None:
        """Take away what was mounted. Raises OSError."""
        for slot in self._all if self._mounted else ():
            quota.unmount(slot.path)


def _prepare(config: Config, as_root: bool) -> tuple[list[Slot], bool]:
    """The places, and whether they were mounted here."""
    work = config.work
    mode = 0o711 if as_root else 0o700
    _make_folder(work, mode)
    places = [work / f"s{number}" for number in range(places_for(config.concurrency))]
    for place in places:
        _make_folder(place, 0o711)
    given = all(os.path.ismount(place) for place in places)
    mounted = as_root and not given and quota.mount_places(places, config.bounds)
    canary = work / _CANARY_FOLDER
    _make_folder(canary, 0o1777)
    _write_canary(canary, _CANARY_FILE)
    slots = []
    for number, place in enumerate(places):
        _write_canary(place, _NEIGHBOUR)
        watched = not quota.is_own_filesystem(place, config.bounds)
        slots.append(Slot(number, place, FIRST_UID + number if as_root else None, watched))
    return slots, mounted


def _make_folder(path: Path, mode: int) -> None:
    """Have an own folder there, with nothing in it but mounted places. Raises OSError, also where a link waits."""
    path.mkdir(mode=mode, parents=True, exist_ok=True)
    descriptor = os.open(path, _FOLDER)
    try:
        if os.fstat(descriptor).st_uid != os.geteuid():
            raise PermissionError(f"{path} belongs to somebody else")
        os.fchmod(descriptor, mode)
    finally:
        os.close(descriptor)


def _write_canary(folder: Path, name: str) -> None:
    """Leave the folder with this one readable file and nothing else."""
    descriptor = os.open(folder, _FOLDER)
    try:
        wipe.empty(descriptor)
        created = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o444, dir_fd=descriptor)
        os.fchmod(created, 0o444)
        os.close(created)
    finally:
        os.close(descriptor)
