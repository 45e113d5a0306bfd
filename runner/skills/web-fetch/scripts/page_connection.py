"""A TLS connection to an address that was checked, and to no other (§14.1 point 3)."""

import socket
import ssl
import time

from skill_io import Refused

PORT = 443
CONNECT_SECONDS = 5.0
TRIED = 4
"""Addresses at most, in the order of the answer. All of them were checked."""


def connected(address: str, port: int, seconds: float) -> socket.socket:
    """A TCP connection whose far end is this very address. E_UNFETCHABLE otherwise, for a wall as for a silent host."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    connection = socket.socket(family, socket.SOCK_STREAM)
    try:
        connection.settimeout(seconds)
        connection.connect((address, port))
        if not is_same_place(connection.getpeername(), address, port):
            raise Refused("E_UNFETCHABLE")
    except OSError:
        connection.close()
        raise Refused("E_UNFETCHABLE") from None
    except Refused:
        connection.close()
        raise
    return connection


def is_same_place(peer: tuple[object, ...], address: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        return peer[1] == port and socket.inet_pton(family, str(peer[0])) == socket.inet_pton(family, address)
    except OSError:
        return False


def connect_to_one(addresses: list[str]) -> socket.socket:
    """The first that answers. Each gets half of the time that is left, the last all of it."""
    end = time.monotonic() + CONNECT_SECONDS
    tried = addresses[:TRIED]
    for position, address in enumerate(tried):
        left = end - time.monotonic()
        try:
            return connected(address, PORT, max(0.05, left if position == len(tried) - 1 else left / 2))
        except Refused as refusal:
            last = refusal
    raise last


def tls_context(authorities: str) -> ssl.SSLContext:
    """Certificates are checked against this file of authorities and against the host's name. TLS 1.2 or newer."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    context.load_verify_locations(cafile=authorities)
    return context


def secured(connection: socket.socket, host: str, context: ssl.SSLContext, idle_seconds: float) -> ssl.SSLSocket:
    """The handshake as `host`. Closes the connection when it fails."""
    try:
        connection.settimeout(idle_seconds)
        return context.wrap_socket(connection, server_hostname=host)
    except TimeoutError:
        connection.close()
        raise Refused("E_TIMEOUT") from None
    except (OSError, ValueError):
        connection.close()
        raise Refused("E_UNFETCHABLE") from None
