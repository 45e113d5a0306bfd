"""Attempts to make processes, and to reach others: by signal, by tracing, by their memory, by their limits."""

import ctypes
import os
import resource
import signal
import subprocess

from kit import BARE, Blocked, address, attempt, known, main, syscall, text

SIGCHLD = 17
PTRACE_SEIZE = 0x4206


def ends_here(pid):
    """A copy that should not exist is gone at once; the original has shown that it can be made."""
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


attempt("fork")(lambda world: ends_here(os.fork()))


@attempt("fork by the old call")
def _(world):
    if not known("fork"):
        raise Blocked
    ends_here(syscall("fork"))


@attempt("fork by clone")
def _(world):
    ends_here(syscall("clone", SIGCHLD, 0, 0, 0, 0))


@attempt("fork by clone with the parent's files")
def _(world):
    ends_here(syscall("clone", SIGCHLD | 0x400, 0, 0, 0, 0))


@attempt("fork by clone into new namespaces", reached=("EPERM",) if os.getuid() and BARE else ())
def _(world):
    ends_here(syscall("clone", SIGCHLD | 0x10000000, 0, 0, 0, 0))


@attempt("fork by clone3", reached=("EINVAL", "EFAULT"))
def _(world):
    syscall("clone3", 0, 0)


@attempt("vfork into a program")
def _(world):
    subprocess.run(["/usr/bin/true"], check=True)


@attempt("spawn a program")
def _(world):
    os.waitpid(os.posix_spawn("/usr/bin/true", ["true"], {}), 0)


attempt("become a program", replaces=True)(lambda world: os.execv("/usr/bin/true", ["true"]))
attempt("become a program with rights", replaces=True)(lambda world: os.execv("/usr/bin/passwd", ["passwd", "--help"]))


@attempt("become a program by descriptor", replaces=True)
def _(world):
    name, arguments = text("/usr/bin/true"), (ctypes.c_void_p * 2)()
    empty = text("")
    arguments[0] = address(name)
    try:
        program = os.open("/usr/bin/true", os.O_PATH)
    except OSError:
        program = 0
    syscall("execveat", program, address(empty), ctypes.addressof(arguments), 0, 0x1000)


@attempt("become a program that lies in memory", replaces=True)
def _(world):
    memory = os.memfd_create("program", 0)
    os.write(memory, open("/usr/bin/true", "rb").read())
    os.execv(f"/proc/self/fd/{memory}", ["true"])


attempt("signal another process")(lambda world: os.kill(world["victim"], signal.SIGCONT))
attempt("look whether another process is there")(lambda world: os.kill(world["victim"], 0))
attempt("signal the parent")(lambda world: os.kill(os.getppid(), 0))
attempt("signal everybody")(lambda world: os.kill(-1, 0))
attempt("signal the own group")(lambda world: os.kill(0, 0))
attempt("signal another group")(lambda world: os.killpg(world["victim"], 0))
attempt("signal a thread of another process")(lambda world: syscall("tgkill", world["victim"], world["victim"], 0))
attempt("signal a thread by its id")(lambda world: syscall("tkill", world["victim"], 0))


@attempt("queue a signal for another process", reached=("EFAULT", "EPERM") if BARE else ())
def _(world):
    syscall("rt_sigqueueinfo", world["victim"], 0, 0)


@attempt("have the kernel signal another process")
def _(world):
    import fcntl

    reader, _writer = os.pipe()
    fcntl.fcntl(reader, 8, world["victim"])


@attempt("take a handle of another process", ends=True)
def _(world):
    os.close(syscall("pidfd_open", world["victim"], 0))


@attempt("signal by handle", ends=True, reached=("EBADF",))
def _(world):
    syscall("pidfd_send_signal", -1 & 0xFFFFFFFF, 0, 0, 0)


@attempt("take a descriptor of another process", ends=True, reached=("EBADF",))
def _(world):
    syscall("pidfd_getfd", -1 & 0xFFFFFFFF, 0, 0)


@attempt("trace another process", ends=True)
def _(world):
    syscall("ptrace", PTRACE_SEIZE, world["victim"], 0, 0)


@attempt("be traced", ends=True)
def _(world):
    syscall("ptrace", 0, 0, 0, 0)


@attempt("read another's memory", ends=True)
def _(world):
    syscall("process_vm_readv", world["victim"], 0, 0, 0, 0, 0)


@attempt("write another's memory", ends=True)
def _(world):
    syscall("process_vm_writev", world["victim"], 0, 0, 0, 0, 0)


@attempt("compare with another process", ends=True)
def _(world):
    syscall("kcmp", world["victim"], world["victim"], 1, 0, 0)


@attempt("give advice on another's memory", ends=True, reached=("EBADF",))
def _(world):
    syscall("process_madvise", -1 & 0xFFFFFFFF, 0, 0, 0, 0)


@attempt("open another's memory")
def _(world):
    os.close(os.open(f"/proc/{world['victim']}/mem", os.O_RDONLY))


@attempt("read another's limits")
def _(world):
    resource.prlimit(world["victim"], resource.RLIMIT_NOFILE)


@attempt("change another's limits")
def _(world):
    limits = (ctypes.c_uint64 * 2)(1024, 1024)
    syscall("prlimit64", world["victim"], resource.RLIMIT_CORE, ctypes.addressof(limits), 0)


@attempt("change another's priority")
def _(world):
    os.setpriority(os.PRIO_PROCESS, world["victim"], 10)


@attempt("change another's processors")
def _(world):
    os.sched_setaffinity(world["victim"], os.sched_getaffinity(0))


@attempt("change another's scheduler")
def _(world):
    os.sched_setscheduler(world["victim"], os.SCHED_BATCH, os.sched_param(0))


@attempt("change another's disk priority")
def _(world):
    syscall("ioprio_set", 1, world["victim"], (3 << 13) | 7)


@attempt("move another's memory", reached=("EINVAL", "ENODEV"))
def _(world):
    syscall("migrate_pages", world["victim"], 0, 0, 0)


@attempt("find another's locks")
def _(world):
    head, size = (ctypes.c_uint64 * 1)(), (ctypes.c_uint64 * 1)()
    syscall("get_robust_list", world["victim"], ctypes.addressof(head), ctypes.addressof(size))


@attempt("outlive the parent")
def _(world):
    syscall("prctl", 1, 0)


@attempt("adopt orphans")
def _(world):
    syscall("prctl", 36, 1)


@attempt("let anybody trace this process", reached=("EINVAL",))
def _(world):
    syscall("prctl", 0x59616D61, -1)


@attempt("leave the group", reached=("EPERM",) if BARE else ())
def _(world):
    os.setpgid(0, 0)


main()
