"""Attempts on files: reading, writing, changing and listing what is not the run's own."""

import os
import stat

from kit import BARE, Blocked, address, attempt, known, main, syscall, text

FLAGS = os.O_WRONLY | os.O_CREAT


def read(path):
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        os.read(descriptor, 4096)
    finally:
        os.close(descriptor)


def reading(name, path, **options):
    attempt(name, **options)(lambda world: read(path))


reading("read the users", "/etc/passwd")
reading("read the host name", "/etc/hostname")
reading("read the own environment in proc", "/proc/self/environ")
reading("read the own memory map", "/proc/self/maps")
reading("read the own memory", "/proc/self/mem", reached=("EIO",))
reading("read the parent's command line", f"/proc/{os.getppid()}/cmdline")
reading("read the mounts", "/proc/mounts")
reading("read the kernel's settings", "/proc/sys/kernel/hostname")
reading("read the kernel's log device", "/dev/kmsg", reached=("EAGAIN", "EINVAL"), root=True)
reading("open a terminal", "/dev/ptmx", reached=("EIO", "EAGAIN"))
reading("read a tuning of the kernel", "/sys/kernel/mm/transparent_hugepage/enabled")


@attempt("read another's file")
def _(world):
    read(world["secret"])


@attempt("read another's environment")
def _(world):
    read(f"/proc/{world['victim']}/environ")


for path in ("/", "/etc", "/proc", "/tmp", "/sys", "/dev", "/home", "..", "../.."):
    attempt(f"list {path}")(lambda world, path=path: os.listdir(path))


@attempt("create outside")
def _(world):
    os.close(os.open(f"{world['outside']}/created", FLAGS, 0o600))


@attempt("create with creat")
def _(world):
    if not known("creat"):
        raise Blocked
    name = text(f"{world['outside']}/creat")
    os.close(syscall("creat", address(name), 0o600))


@attempt("create beside the own folder")
def _(world):
    os.close(os.open("../planted", FLAGS, 0o600))


@attempt("create two folders up")
def _(world):
    os.close(os.open("../../planted", FLAGS, 0o600))


@attempt("append to another's file")
def _(world):
    with open(world["target"], "a") as file:
        file.write("appended")


@attempt("cut another's file by name")
def _(world):
    os.truncate(world["cut"], 0)


@attempt("cut another's file while opening it to read")
def _(world):
    os.close(os.open(world["cut"], os.O_RDONLY | os.O_TRUNC))


@attempt("cut another's file while opening it for nothing")
def _(world):
    os.close(os.open(world["cut"], 3 | os.O_TRUNC))


@attempt("remove another's file")
def _(world):
    os.unlink(f"{world['outside']}/removable")


@attempt("remove another's folder")
def _(world):
    os.rmdir(f"{world['outside']}/folder")


@attempt("make a folder outside")
def _(world):
    os.mkdir(f"{world['outside']}/made")


@attempt("make a link outside")
def _(world):
    os.symlink("x", f"{world['outside']}/symlink")


@attempt("move another's file in")
def _(world):
    os.rename(f"{world['outside']}/movable", "taken")


@attempt("move an own file out")
def _(world):
    open("own1", "w").close()
    os.rename("own1", f"{world['outside']}/moved")


@attempt("move an own file one folder up")
def _(world):
    open("own2", "w").close()
    os.rename("own2", "../moved")


@attempt("link another's file in")
def _(world):
    os.link(world["linkable"], "linked")


@attempt("link an own file out")
def _(world):
    open("own3", "w").close()
    os.link("own3", f"{world['outside']}/linked")


@attempt("exchange an own file with another's")
def _(world):
    open("own4", "w").close()
    ours, theirs = text("own4"), text(f"{world['outside']}/exchange")
    syscall("renameat2", -100, address(ours), -100, address(theirs), 2)


@attempt("leave a device behind while moving an own file", reached=("EINVAL",) if BARE else ())
def _(world):
    open("own5", "w").close()
    old, new = text("own5"), text("moved5")
    syscall("renameat2", -100, address(old), -100, address(new), 4)


@attempt("read through a link")
def _(world):
    os.symlink(world["secret"], "to-secret")
    read("to-secret")


@attempt("write through a link")
def _(world):
    os.symlink(f"{world['outside']}/through", "to-outside")
    os.close(os.open("to-outside", FLAGS, 0o600))


@attempt("read below a folder opened for its path alone")
def _(world):
    root = os.open("/", os.O_PATH | os.O_DIRECTORY)
    os.read(os.open(world["secret"].lstrip("/"), os.O_RDONLY, dir_fd=root), 1)


@attempt("read from another working directory")
def _(world):
    os.chdir("/")
    try:
        read(world["secret"].lstrip("/"))
    finally:
        os.fchdir(OWN)


@attempt("read through an own folder that was moved away under it")
def _(world):
    os.makedirs("deep/er", exist_ok=True)
    inner = os.open("deep/er", os.O_PATH | os.O_DIRECTORY)
    os.rename("deep/er", "moved-up")
    os.read(os.open("../../../../" + "../" * 20 + world["secret"].lstrip("/"), os.O_RDONLY, dir_fd=inner), 1)


@attempt("change the mode of another's file")
def _(world):
    os.chmod(world["target"], 0o640)
    changed = stat.S_IMODE(os.stat(world["target"]).st_mode) == 0o640
    if not changed:
        raise Blocked


@attempt("change the times of another's file")
def _(world):
    os.utime(world["target"], (1, 1))
    if os.stat(world["target"]).st_mtime != 1:
        raise Blocked


@attempt("change the owner of another's file")
def _(world):
    os.chown(world["target"], os.getuid(), os.getgid())


@attempt("set an attribute of another's file", reached=("ENOTSUP",) if BARE else ())
def _(world):
    os.setxattr(world["target"], "user.attack", b"x")


@attempt("set flags of another's file by a call of a new kernel", reached=("EFAULT", "EINVAL"))
def _(world):
    name = text(world["target"])
    syscall("file_setattr", -100, address(name), 0, 0, 0)


@attempt("make a pipe with a name")
def _(world):
    os.mkfifo("fifo")


@attempt("make a socket's name")
def _(world):
    os.mknod("sock", 0o600 | stat.S_IFSOCK)


@attempt("make a device", root=True)
def _(world):
    os.mknod("device", 0o600 | stat.S_IFCHR, os.makedev(1, 3))


@attempt("write to shared memory by name")
def _(world):
    os.close(os.open("/dev/shm/xray-attack", FLAGS, 0o600))
    os.unlink("/dev/shm/xray-attack")


@attempt("plant compiled code in the library", root=True)
def _(world):
    planted = f"{os.path.dirname(os.__file__)}/xray-attack.pyc"
    os.close(os.open(planted, FLAGS, 0o600))
    os.unlink(planted)


@attempt("watch another's folder")
def _(world):
    name = text(world["outside"])
    watcher = syscall("inotify_init1", 0)
    syscall("inotify_add_watch", watcher, address(name), 0xFFF)


@attempt("watch a whole file system", root=True)
def _(world):
    syscall("fanotify_init", 0, 0)


@attempt("take a handle of a file", ends=True)
def _(world):
    name = text(world["secret"])
    handle = text(b"\x80" + bytes(200))
    mount = text(bytes(8))
    syscall("name_to_handle_at", -100, address(name), address(handle), address(mount), 0)


@attempt("open a file by its handle", ends=True, root=True, reached=("EINVAL", "ESTALE", "EFAULT", "EBADF"))
def _(world):
    syscall("open_by_handle_at", -100, 0, 0)


@attempt("open with the newer call", reached=("EFAULT",))
def _(world):
    syscall("openat2", -100, 0, 0, 24)


@attempt("start a copy of a program", replaces=True)
def _(world):
    try:
        program = open("/usr/bin/true", "rb").read()
    except OSError:
        program = b"no program is readable in here"
    with open("copy", "wb") as copy:
        copy.write(program)
    os.chmod("copy", 0o700)
    os.execv("./copy", ["copy"])


OWN = os.open(".", os.O_PATH | os.O_DIRECTORY)
main()
