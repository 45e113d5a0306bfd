"""Attempts on the network: every kind of socket, and named sockets of the machine."""

import array
import errno
import os
import socket

from kit import BARE, NUMBERS, attempt, main, syscall

MPTCP = 262
FASTOPEN = 0x20000000
SO_PEERPIDFD = 77


def tcp(world, protocol=0):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, protocol) as connection:
        connection.connect(("127.0.0.1", world["tcp"]))


attempt("connect by TCP")(tcp)
attempt("connect by multipath TCP")(lambda world: tcp(world, MPTCP))


@attempt("connect by TCP version 6")
def _(world):
    with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as connection:
        connection.connect(("::1", world["tcp6"]))


@attempt("connect with the first data")
def _(world):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as connection:
        connection.sendto(b"x", FASTOPEN, ("127.0.0.1", world["tcp"]))


@attempt("connect later with data", reached=("EINPROGRESS",))
def _(world):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, 30, 1)
        connection.connect(("127.0.0.1", world["tcp"]))
        connection.send(b"x")


@attempt("listen for TCP")
def _(world):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()


@attempt("listen without binding first")
def _(world):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.listen()


@attempt("send a datagram")
def _(world):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", ("127.0.0.1", world["udp"]))


@attempt("connect and send a datagram")
def _(world):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.connect(("127.0.0.1", world["udp"]))
        sender.send(b"x")


@attempt("look up a name of the machine")
def _(world):
    try:
        socket.getaddrinfo("localhost", 80)
    except socket.gaierror as error:
        raise PermissionError(1, "no answer") from error


attempt("open a raw socket", root=True)(lambda world: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).close())
attempt("open a packet socket", root=True)(lambda world: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).close())
attempt("open a netlink socket")(lambda world: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close())


@attempt("connect to a named socket")
def _(world):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(world["unix"])


@attempt("send to a named socket")
def _(world):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", world["unixDatagram"])


@attempt("connect to an abstract socket")
def _(world):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect("\0" + world["abstract"])


@attempt("aim a pair of datagrams elsewhere")
def _(world):
    one, _other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"x", world["unixDatagram"])


@attempt("aim a message of a pair elsewhere")
def _(world):
    one, _other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendmsg([b"x"], [], 0, world["unixDatagram"])


@attempt("pass a descriptor over a pair")
def _(world):
    one, _other = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))])


@attempt("take a handle of the process at the other end of a pair", reached=("ENOPROTOOPT",) if BARE else ())
def _(world):
    one, _other = socket.socketpair()
    os.close(int.from_bytes(one.getsockopt(socket.SOL_SOCKET, SO_PEERPIDFD, 4), "little"))


@attempt("learn who is at the other end of a pair")
def _(world):
    one, _other = socket.socketpair()
    one.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)


@attempt("send out of band over a pair", reached=("ENOTSUP",) if BARE else ())
def _(world):
    one, _other = socket.socketpair()
    one.send(b"x", socket.MSG_OOB)


@attempt("open a socket of some other family")
def _(world):
    opened = []
    refusal = None
    for family in range(3, 46):
        for kind in (1, 2, 3, 5):
            try:
                os.close(syscall("socket", family, kind, 0))
                opened.append(family)
            except OSError as error:
                refusal = error
                # Without a wall the kernel itself says which families it lacks; inside, our refusal comes first.
                if error.errno != errno.EPERM and not BARE:
                    opened.append(family)
    if not opened:
        raise refusal


@attempt("make a socket through the ring", reached=("EFAULT",))
def _(world):
    syscall(NUMBERS["io_uring_setup"], 1, 0)


main()
