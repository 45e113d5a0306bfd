"""Which paths of the machine a run may read: the interpreter's library, shared data, and a few single files."""

import os
import stat
import sys
import sysconfig

from .landlock import READ_FILE, READ_TREE, WRITE_FILE

_SHARED = ("/usr/lib", "/usr/lib64", "/usr/share", "/usr/local/lib", "/lib", "/lib64")
_SINGLE = ("/etc/ld.so.cache", "/etc/localtime", "/dev/urandom", "/dev/zero")
# Trust in certificates; only the egress tier speaks TLS.
_CERTIFICATES = ("/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ca-certificates", "/etc/pki/tls", "/etc/pki/ca-trust")


def readable(packages: tuple[str, ...], egress: bool) -> list[str]:
    """Real paths, those that exist, none below another. `packages` are folders of installed packages."""
    library = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib")}
    shared = f"{sys.base_exec_prefix}/lib"
    candidates = {*_SHARED, *_SINGLE, *library, shared, *packages, *(_CERTIFICATES if egress else ())}
    real = sorted({os.path.realpath(path) for path in candidates if path and os.path.exists(path)})
    if "/" in real:
        raise ValueError("the interpreter's library cannot be the root folder")
    kept: list[str] = []
    for path in real:
        if not any(path.startswith(f"{outer}/") for outer in kept):
            kept.append(path)
    return kept


def open_rules(paths: list[str]) -> tuple[tuple[int, int], ...]:
    """A descriptor with its rights for each path, and /dev/null to read and write. They stay open in the zygote."""
    rules = []
    for path in paths:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        rules.append((descriptor, READ_TREE if folder else READ_FILE))
    null = os.open("/dev/null", os.O_PATH | os.O_CLOEXEC)
    return (*rules, (null, READ_FILE | WRITE_FILE))
