"""Attempts to leave something for others, or find something of theirs, in the kernel's shared stores."""

import os

from kit import address, attempt, main, syscall, text

IPC_PRIVATE, CREATE = 0, 0o1000
REMOVE = 0


@attempt("make shared memory")
def _(world):
    syscall("shmctl", syscall("shmget", IPC_PRIVATE, 4096, CREATE | 0o600), REMOVE, 0)


@attempt("make a semaphore")
def _(world):
    syscall("semctl", syscall("semget", IPC_PRIVATE, 1, CREATE | 0o600), 0, REMOVE)


@attempt("make a message queue")
def _(world):
    syscall("msgctl", syscall("msgget", IPC_PRIVATE, CREATE | 0o600), REMOVE, 0)


@attempt("attach shared memory", reached=("EINVAL", "EIDRM"))
def _(world):
    syscall("shmat", 999_999, 0, 0)


@attempt("open a named queue")
def _(world):
    name = text("xray-attack")
    queue = syscall("mq_open", address(name), os.O_RDWR | os.O_CREAT, 0o600, 0)
    syscall("mq_unlink", address(name))
    os.close(queue)


@attempt("add a key", ends=True, reached=("EINVAL", "EFAULT"))
def _(world):
    syscall("add_key", 0, 0, 0, 0, 0)


@attempt("read the keyring", ends=True)
def _(world):
    syscall("keyctl", 0, -3 & 0xFFFFFFFF, 0)


@attempt("request a key", ends=True, reached=("EFAULT", "ENOKEY"))
def _(world):
    syscall("request_key", 0, 0, 0, 0)


@attempt("map shared memory by name")
def _(world):
    os.close(os.open("/dev/shm/xray-ipc", os.O_RDWR | os.O_CREAT, 0o600))
    os.unlink("/dev/shm/xray-ipc")


@attempt("signal by event descriptor")
def _(world):
    os.close(syscall("eventfd2", 0, 0))


@attempt("enlarge a pipe")
def _(world):
    import fcntl

    reader, writer = os.pipe()
    fcntl.fcntl(writer, 1031, 1_048_576)


main()
