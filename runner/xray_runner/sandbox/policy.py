"""Which system calls a run may make. Whatever is not named here is refused, a call of a future kernel included.

Landlock leaves gaps (sockets without a port, modes and times of files, signals before its version 6, named sockets);
each is closed here. Refusals are quiet where libraries ask and then take another way, and end the process where no
script can have a reason.
"""

from . import bpf

ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
EPERM, ENOSYS, EOPNOTSUPP = 1, 38, 95
DENY, ABSENT, NOT_SUPPORTED, PRETEND = ERRNO | EPERM, ERRNO | ENOSYS, ERRNO | EOPNOTSUPP, ERRNO

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# Numbers of the x32 interface, which reaches the same calls past every list of plain numbers.
X32_BIT = 0x40000000

ALLOWED = """
read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 close lseek fsync fdatasync ftruncate
fallocate fadvise64 flock dup dup2 dup3 pipe pipe2 poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl
epoll_wait epoll_pwait stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat statfs fstatfs
getdents getdents64 getcwd chdir fchdir creat mkdir mkdirat rmdir unlink unlinkat rename renameat link linkat
symlink symlinkat umask
mmap munmap mprotect mremap madvise brk msync mincore
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack restart_syscall pause
alarm setitimer getitimer nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times
futex set_robust_list set_tid_address rseq sched_yield sched_getaffinity getcpu exit exit_group
getpid getppid gettid getpgrp getpgid getsid getuid geteuid getgid getegid getresuid getresgid getgroups
uname sysinfo getrusage getrlimit getrandom
shutdown getsockname getpeername
"""

# Landlock does not mediate modes and times, so they could be changed outside. Refusing them breaks copying and
# unpacking; inside a folder that lives for one run they mean nothing.
PRETENDED = "chmod fchmod fchmodat utime utimes utimensat futimesat"

# Libraries look whether these are there, and manage without. EPERM instead would make glibc give up on threads.
ABSENT_CALLS = """
clone3 openat2 fchmodat2 io_uring_setup io_uring_enter io_uring_register copy_file_range sendfile membarrier close_range
epoll_pwait2 eventfd eventfd2 futex_waitv futex_wake futex_wait futex_requeue cachestat map_shadow_stack mseal uretprobe
"""

UNSUPPORTED = """
setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr removexattr lremovexattr
fremovexattr setxattrat getxattrat listxattrat removexattrat
"""

# One try ends the run, and the run is called what it is.
CRITICAL = """
ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp pidfd_open pidfd_getfd
pidfd_send_signal bpf perf_event_open userfaultfd kexec_load kexec_file_load create_module init_module finit_module
delete_module add_key request_key keyctl mount umount2 pivot_root chroot move_mount open_tree open_tree_attr fsopen
fsconfig fsmount fspick mount_setattr setns unshare name_to_handle_at open_by_handle_at seccomp landlock_create_ruleset
landlock_add_rule landlock_restrict_self clock_settime settimeofday clock_adjtime adjtimex memfd_secret swapon swapoff
reboot acct quotactl quotactl_fd iopl ioperm modify_ldt
"""

# Flags that a thread of this process has, and those that it may have.
_THREAD_MUST = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000
_THREAD_MAY = _THREAD_MUST | 0x40000 | 0x80000 | 0x100000 | 0x200000 | 0x400000 | 0x1000000
_ACCESS_AND_TRUNCATE = 0o3 | 0o1000
_READ_AND_TRUNCATE, _NO_ACCESS_AND_TRUNCATE = 0o1000, 0o1003
_NONBLOCK_OR_CLOEXEC = 0o4000 | 0o2000000
_AF_UNIX, _AF_INET, _AF_INET6, _STREAM, _IPPROTO_TCP = 1, 2, 10, 1, 6
_SOL_SOCKET, _SO_REUSEADDR, _SO_KEEPALIVE, _SO_RCVTIMEO, _SO_SNDTIMEO = 1, 2, 9, 20, 21
_SO_TYPE, _SO_ERROR, _SO_SNDBUF, _SO_RCVBUF, _SO_ACCEPTCONN, _SO_PROTOCOL, _SO_DOMAIN = 3, 4, 7, 8, 30, 38, 39
_TCP_NODELAY = 1
_MSG_PEEK, _MSG_DONTWAIT, _MSG_WAITALL, _MSG_NOSIGNAL = 0x2, 0x40, 0x100, 0x4000
_RENAME_NOREPLACE_OR_EXCHANGE = 0x1 | 0x2
_FCNTL = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
_PRCTL = (2, 3, 15, 16, 21, 39)
_RLIMIT_CPU = 0


def by_argument(egress: bool) -> dict[str, bpf.Leaf]:
    """The calls whose arguments decide."""
    stream = bpf.masked(1, 0xFFFFFFFF ^ _NONBLOCK_OR_CLOEXEC, _STREAM)
    rules = {
        # Reading with truncation changes a file that may only be read, until Landlock's version 3.
        "open": [bpf.masked_not(1, _ACCESS_AND_TRUNCATE, _READ_AND_TRUNCATE, _NO_ACCESS_AND_TRUNCATE)],
        "openat": [bpf.masked_not(2, _ACCESS_AND_TRUNCATE, _READ_AND_TRUNCATE, _NO_ACCESS_AND_TRUNCATE)],
        "clone": [bpf.masked(0, _THREAD_MUST, _THREAD_MUST), bpf.masked(0, 0xFFFFFFFF ^ _THREAD_MAY, 0)],
        "kill": [bpf.one_of(0, bpf.OWN_PID)],
        "tgkill": [bpf.one_of(0, bpf.OWN_PID)],
        # The release says how much processor time there is; after that it can only be made less.
        "setrlimit": [bpf.one_of(0, _RLIMIT_CPU)],
        "prlimit64": [bpf.one_of(0, 0), bpf.null(2)],
        "prctl": [bpf.one_of(0, *_PRCTL)],
        "ioctl": [bpf.one_of(1, *_IOCTL)],
        "fcntl": [bpf.one_of(1, *_FCNTL)],
        "personality": [bpf.one_of(0, 0xFFFFFFFF)],
        # An event loop wakes itself through a pair. A pair of datagrams could be aimed at somebody else's socket.
        "socketpair": [bpf.one_of(0, _AF_UNIX), stream],
        # Data out of band is a part of the kernel of its own, with faults of its own, and nobody's need.
        "sendto": [bpf.null(4), bpf.masked(3, 0xFFFFFFFF ^ (_MSG_DONTWAIT | _MSG_NOSIGNAL), 0)],
        "recvfrom": [bpf.masked(3, 0xFFFFFFFF ^ (_MSG_PEEK | _MSG_DONTWAIT | _MSG_WAITALL), 0)],
        # A whiteout is a device node, which Landlock does not take for one.
        "renameat2": [bpf.masked(4, 0xFFFFFFFF ^ _RENAME_NOREPLACE_OR_EXCHANGE, 0)],
    }
    leaves = {name: bpf.decide(ALLOW, DENY, tests) for name, tests in rules.items()}
    no_delay = [bpf.one_of(1, _IPPROTO_TCP), bpf.one_of(2, _TCP_NODELAY)]
    # Others would give a handle of the process at the other end, or look into the kernel's own addresses.
    plain = bpf.one_of(
        2, _SO_REUSEADDR, _SO_TYPE, _SO_ERROR, _SO_SNDBUF, _SO_RCVBUF, _SO_KEEPALIVE, _SO_RCVTIMEO, _SO_SNDTIMEO,
        _SO_ACCEPTCONN, _SO_PROTOCOL, _SO_DOMAIN,
    )  # fmt: skip
    leaves["getsockopt"] = bpf.decide(ALLOW, DENY, no_delay, [bpf.one_of(1, _SOL_SOCKET), plain])
    if egress:
        family, protocol = bpf.one_of(0, _AF_INET, _AF_INET6), bpf.one_of(2, 0, _IPPROTO_TCP)
        leaves["socket"] = bpf.decide(ALLOW, DENY, [family, stream, protocol])
        leaves["connect"] = bpf.answer(ALLOW)
        options = bpf.one_of(2, _SO_REUSEADDR, _SO_KEEPALIVE, _SO_RCVTIMEO, _SO_SNDTIMEO)
        leaves["setsockopt"] = bpf.decide(ALLOW, DENY, no_delay, [bpf.one_of(1, _SOL_SOCKET), options])
    return leaves


def leaves(numbers: dict[str, int], egress: bool) -> dict[int, bpf.Leaf]:
    """What happens at each number of the machine's table."""
    answers = {name: bpf.answer(DENY) for name in numbers}
    for names, action in (
        (ALLOWED, ALLOW),
        (PRETENDED, PRETEND),
        (ABSENT_CALLS, ABSENT),
        (UNSUPPORTED, NOT_SUPPORTED),
        (CRITICAL, KILL),
    ):
        answers |= {name: bpf.answer(action) for name in names.split() if name in numbers}
    answers |= {name: leaf for name, leaf in by_argument(egress).items() if name in numbers}
    return {numbers[name]: leaf for name, leaf in answers.items()}


def build(machine: str, numbers: dict[str, int], egress: bool) -> list[bpf.Instruction]:
    """The program for one machine and tier. Raises KeyError for a machine that is not supported."""
    foreign_from = X32_BIT if machine == "x86_64" else None
    return bpf.program(ARCHITECTURES[machine], leaves(numbers, egress), ABSENT, KILL, foreign_from)
