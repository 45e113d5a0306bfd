"""Attempts on rarely used parts of the kernel, where most of its faults are found. Bad arguments show who was asked."""

import ctypes
import fcntl
import mmap
import os
import platform

from kit import BARE, attempt, main, syscall

BAD = -1 & 0xFFFFFFFF
FAULTS = ("EFAULT", "EINVAL", "EBADF")
# Not every kernel has these; the sandbox ends a run for trying all the same.
OR_ABSENT = (*FAULTS, "ENOSYS", "ENOEXEC")


def calling(what, name, *arguments, reached=FAULTS, **options):
    """An attempt that is one call."""
    attempt(what, reached=reached, **options)(lambda world: syscall(name, *arguments))


calling("set up a ring", "io_uring_setup", 1, 0)
calling("enter a ring", "io_uring_enter", BAD, 0, 0, 0, 0, 0)
calling("load a kernel program", "bpf", 9_999, 0, 0, ends=True, root=True, reached=("EINVAL", "E2BIG", "EFAULT"))
calling("count events", "perf_event_open", 0, 0, 0, 0, 0, ends=True, reached=("EFAULT", "EACCES", "E2BIG"))
calling("handle page faults", "userfaultfd", 1, ends=True)
calling("make memory a file", "memfd_create", 0, 0)
calling("make secret memory", "memfd_secret", 0, ends=True, reached=("ENOSYS",))
calling("load another kernel", "kexec_load", 0, 0, 0, 0xFFFF, ends=True, root=True, reached=OR_ABSENT)
calling("load a module", "init_module", 0, 0, 0, ends=True, root=True, reached=OR_ABSENT)
calling("load a module from a file", "finit_module", BAD, 0, 0, ends=True, root=True, reached=OR_ABSENT)
calling("unload a module", "delete_module", 0, 0, ends=True, root=True, reached=OR_ABSENT)
calling("stop the machine", "reboot", 0, 0, 0, ends=True, root=True)
calling("set the clock", "clock_settime", 0, 0, ends=True)
calling("adjust the clock", "clock_adjtime", 0, 0, ends=True)
calling("set the time of day", "settimeofday", 1, 0, ends=True)
calling("swap to a file", "swapon", 0, 0, ends=True, root=True)
calling("account processes", "acct", 1, ends=True, root=True, reached=("EFAULT",))
calling("manage quotas", "quotactl", 0, 0, 0, 0, ends=True, reached=("EINVAL", "ENODEV", "EFAULT", "ESRCH", "ENOSYS"))
calling("filter calls of its own", "seccomp", 2, 0, 0, ends=True)
calling("listen to calls", "seccomp", 1, 8, 0, ends=True, reached=("EFAULT", "EACCES"))
calling("make rules for files", "landlock_create_ruleset", 0, 0, 1, ends=True)
calling("set the personality", "personality", 0x0040000)
calling("wake by timer", "timer_create", 0, 0, 0)
calling("make a timer a file", "timerfd_create", 0, 0)
calling("make signals a file", "signalfd4", BAD, 0, 8, 0)
calling("move pages between pipes", "vmsplice", BAD, 0, 0, 0, reached=("EBADF", "EFAULT", "EINVAL"))
calling("splice", "splice", BAD, 0, BAD, 0, 1, 0)
calling("copy a pipe", "tee", BAD, BAD, 1, 0)
calling("read the kernel's log", "syslog", 10, 0, 0, reached=("EPERM",) if BARE else ())
calling("name the machine", "sethostname", 0, 0xFFFF, root=True)
calling("place memory", "mbind", 0, 0, 0, 0, 0, 0xFFFF)
calling("set the memory policy", "set_mempolicy", 99, 0, 0)
calling("find mounts", "statmount", 0, 0, 0, 0)
calling("list security modules", "lsm_list_modules", 0, 0, 1)
calling("set security attributes", "lsm_set_self_attr", 0, 0, 0, 0)
calling("queue disk work", "io_setup", 0, 0)
calling("manage quotas by descriptor", "quotactl_fd", BAD, 0, 0, 0, ends=True, reached=("EBADF", "ENOSYS", "EINVAL"))
calling("seal memory", "mseal", 1, 4096, 0, reached=("EINVAL", "ENOMEM"))
calling("see which pages of a file are in memory", "cachestat", BAD, 0, 0, 0)


@attempt("lock memory")
def _(world):
    page = mmap.mmap(-1, 4096)
    syscall("mlock", ctypes.addressof(ctypes.c_char.from_buffer(page)), 4096)


@attempt("ask a file's file system")
def _(world):
    fcntl.ioctl(os.open(".", os.O_RDONLY), 2, bytes(4))


@attempt("type into a terminal", reached=("ENOTTY", "EIO", "EPERM") if BARE else ("ENOTTY",))
def _(world):
    fcntl.ioctl(0, 0x5412, b"x")


if platform.machine() == "x86_64":
    calling("change the segment table", "modify_ldt", 0, 0, 0, ends=True)
    calling("use ports", "iopl", 0, ends=True, reached=OR_ABSENT)
    calling("use some ports", "ioperm", 0, 1, 0, ends=True, root=True, reached=OR_ABSENT)
    calling("find the thread's segment", "arch_prctl", 0x1003, 0)
    calling("call by the x32 numbers", 0x40000000 + 39, ends=True, reached=("ENOSYS",))

main()
