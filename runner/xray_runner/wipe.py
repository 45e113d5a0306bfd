"""Empties a folder that a run has left, whatever it left there. Only after the run is reaped, so nothing races."""

import os
import secrets
import stat


def empty(folder: int) -> None:
    """Remove everything below the folder behind this descriptor. Follows no link, needs constant depth and descriptors.

    A folder that is not empty gives its own folders to the top first, so that a tree of any depth becomes flat.
    """
    pending = True
    while pending:
        pending = False
        for name in os.listdir(folder):
            if not _remove(folder, name):
                _flatten(folder, name)
                pending = True


def _remove(folder: int, name: str) -> bool:
    """Remove one entry; False for a folder that is not empty."""
    if not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        os.unlink(name, dir_fd=folder)
        return True
    try:
        os.rmdir(name, dir_fd=folder)
        return True
    except OSError:
        return False


def _flatten(top: int, name: str) -> None:
    """Empty the folder `name` of files, move its folders up, and remove it."""
    # A run can make a folder that not even its owner may read or move.
    os.chmod(name, 0o700, dir_fd=top)
    inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=top)
    try:
        for entry in os.listdir(inner):
            if not _remove(inner, entry):
                os.chmod(entry, 0o700, dir_fd=inner)
                os.rename(entry, secrets.token_hex(16), src_dir_fd=inner, dst_dir_fd=top)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=top)
