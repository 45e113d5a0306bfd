"""What an attack would reach: files, sockets and a process outside, and whether any of them was touched."""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any

_FILES = ("secret", "target", "cut", "removable", "movable", "linkable", "exchange")
_TEXT = "untouched"


class World:
    """Open to everybody, so that file modes protect nothing and only the walls do."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="xray-world-"))
        self.folder.chmod(0o777)
        for name in _FILES:
            (self.folder / name).write_text(_TEXT)
            (self.folder / name).chmod(0o666)
        (self.folder / "folder").mkdir()
        self._sockets = {
            "tcp": _bound(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            "tcp6": _bound(*_loopback_6()),
            "udp": _bound(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            "unix": _bound(socket.AF_UNIX, socket.SOCK_STREAM, str(self.folder / "stream")),
            "unixDatagram": _bound(socket.AF_UNIX, socket.SOCK_DGRAM, str(self.folder / "datagram")),
            "abstract": _bound(socket.AF_UNIX, socket.SOCK_STREAM, f"\0{self.folder.name}"),
        }
        for name in ("stream", "datagram"):
            (self.folder / name).chmod(0o777)
        self._victim = subprocess.Popen(["/bin/sleep", "600"], start_new_session=True)
        self._before = self._look()

    def told(self) -> dict[str, Any]:
        """What an attack is told of it."""
        sockets = self._sockets
        return {
            "outside": str(self.folder),
            **{name: str(self.folder / name) for name in ("secret", "target", "cut", "linkable")},
            **{name: sockets[name].getsockname()[1] for name in ("tcp", "tcp6", "udp")},
            "unix": str(self.folder / "stream"),
            "unixDatagram": str(self.folder / "datagram"),
            "abstract": self.folder.name,
            "victim": self._victim.pid,
        }

    def touched(self) -> list[str]:
        """Names of whatever is not as it was, and of sockets that heard something."""
        now = self._look()
        changed = sorted(name for name in self._before.keys() | now.keys() if self._before.get(name) != now.get(name))
        return changed + [name for name, listener in self._sockets.items() if _heard(listener)]

    def close(self) -> None:
        self._victim.kill()
        self._victim.wait()
        for listener in self._sockets.values():
            listener.close()
        shutil.rmtree(self.folder)

    def _look(self) -> dict[str, Any]:
        found: dict[str, Any] = {"victim": (self._victim.poll(), os.getpriority(os.PRIO_PROCESS, self._victim.pid))}
        for path in self.folder.iterdir():
            status = path.lstat()
            text = path.read_text() if path.is_file() and not path.is_symlink() else ""
            attributes = tuple(os.listxattr(path, follow_symlinks=False))
            found[path.name] = (status.st_mode, status.st_uid, status.st_mtime, status.st_nlink, attributes, text)
        return found


def _loopback_6() -> tuple[int, int, Any]:
    """IPv6's loopback, or IPv4's where a container has only that."""
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)
    return socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0)


def _bound(family: int, kind: int, address: Any) -> socket.socket:
    listener = socket.socket(family, kind)
    listener.bind(address)
    if kind == socket.SOCK_STREAM:
        listener.listen()
    listener.setblocking(False)
    return listener


def _heard(listener: socket.socket) -> bool:
    try:
        if listener.type == socket.SOCK_STREAM:
            listener.accept()[0].close()
        else:
            listener.recv(100)
    except BlockingIOError:
        return False
    return True
