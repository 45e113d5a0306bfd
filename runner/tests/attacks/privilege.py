"""Attempts to gain rights: another user, capabilities, namespaces, another root."""

import ctypes
import os

from kit import BARE, attempt, main, syscall

KEEP = 0xFFFFFFFF


def prctl(*arguments):
    return lambda world: syscall("prctl", *arguments)


attempt("set the user, even to the same")(lambda world: syscall("setresuid", KEEP, KEEP, KEEP))
attempt("set the group, even to the same")(lambda world: syscall("setresgid", KEEP, KEEP, KEEP))
attempt("become root", root=True)(lambda world: os.setuid(0))
attempt("change the user for files")(lambda world: syscall("setfsuid", os.getuid()))
attempt("set the groups", root=True)(lambda world: os.setgroups([]))


@attempt("set the capabilities, even to none")
def _(world):
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    sets = (ctypes.c_uint32 * 6)()
    syscall("capset", ctypes.addressof(header), ctypes.addressof(sets))


attempt("keep capabilities")(prctl(8, 1))
attempt("be dumped")(prctl(4, 1))
attempt("drop from the bounding set", root=True)(prctl(24, 0))
attempt("change the security bits", root=True)(prctl(28, 0))
attempt("clear the ambient set")(prctl(47, 4, 0, 0, 0))
attempt("set the speculation control", reached=("ENXIO", "EPERM", "ENODEV", "EINVAL") if BARE else ())(
    prctl(53, 0, 4, 0, 0)
)
attempt("name memory", reached=("EINVAL",))(prctl(0x53564D41, 0, 0, 0, 0))
attempt("change the memory map", root=True, reached=("EINVAL", "EFAULT", "EBADF"))(prctl(35, 14, 0, 0, 0))

NAMESPACES = {
    "files": 0x400,
    "users": 0x10000000,
    "mounts": 0x20000,
    "processes": 0x20000000,
    "networks": 0x40000000,
    "host names": 0x4000000,
    "stores": 0x8000000,
    "control groups": 0x2000000,
}
for what, flag in NAMESPACES.items():
    attempt(f"leave the shared {what}", ends=True, root=what not in ("files", "users"))(
        lambda world, flag=flag: syscall("unshare", flag)
    )

BAD = -1 & 0xFFFFFFFF
attempt("enter a namespace", ends=True, reached=("EBADF",))(lambda world: syscall("setns", BAD, 0))
attempt("mount", ends=True, root=True, reached=("EFAULT", "ENOENT"))(lambda world: syscall("mount", 0, 0, 0, 0, 0))
attempt("unmount", ends=True, root=True, reached=("EFAULT",))(lambda world: syscall("umount2", 0, 0))
attempt("change the root", ends=True, root=True, reached=("EFAULT",))(lambda world: syscall("chroot", 0))
attempt("exchange the root", ends=True, root=True, reached=("EFAULT",))(lambda world: syscall("pivot_root", 0, 0))
attempt("copy a mount", ends=True, reached=("EFAULT",))(lambda world: syscall("open_tree", BAD, 0, 0))
attempt("copy a mount by a call of a new kernel", ends=True, reached=("EFAULT", "EINVAL", "ENOSYS"))(
    lambda world: syscall("open_tree_attr", BAD, 0, 0, 0, 0)
)
attempt("move a mount", ends=True, root=True, reached=("EFAULT", "EBADF"))(
    lambda world: syscall("move_mount", BAD, 0, BAD, 0, 0)
)
attempt("open a file system", ends=True, root=True, reached=("EFAULT",))(lambda world: syscall("fsopen", 0, 0))
attempt("set a mount's attributes", ends=True, reached=("EINVAL", "EFAULT"))(
    lambda world: syscall("mount_setattr", BAD, 0, 0, 0, 0)
)

main()
