"""A web site on this machine with certificates of its own authority: what a fetch meets outside, made to order.

`Site` answers every connection with the bytes that the test gives for the path. `Outside` is the world of a fetch in
which names have the addresses that the test says, and every public address is this site.
"""

import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from kit import module

Answer = bytes | Callable[[ssl.SSLSocket], None]

HAS_OPENSSL = shutil.which("openssl") is not None
PUBLIC = "93.184.215.14"


class Authority:
    """A certificate authority and one certificate for the names, all younger than a day and never written elsewhere."""

    def __init__(self, names: Iterable[str]):
        self.folder = tempfile.TemporaryDirectory(prefix="xray-tls-")
        at = Path(self.folder.name)
        self.ca, self.certificate, self.key = (str(at / name) for name in ("ca.crt", "site.crt", "site.key"))
        (at / "names").write_text("subjectAltName=" + ",".join(f"DNS:{name}" for name in names))
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        self.openssl(
            "req", "-x509", *key, "-keyout", at / "ca.key", "-out", self.ca, "-days", "1", "-subj", "/CN=Test authority"
        )
        self.openssl("req", *key, "-keyout", self.key, "-out", at / "site.csr", "-subj", "/CN=site")
        signed_by = ["-CA", self.ca, "-CAkey", at / "ca.key", "-CAcreateserial", "-days", "1", "-extfile", at / "names"]
        self.openssl("x509", "-req", "-in", at / "site.csr", *signed_by, "-out", self.certificate)

    @staticmethod
    def openssl(*arguments: object) -> None:
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)

    def close(self) -> None:
        self.folder.cleanup()


class Site:
    """Listens on a free port of 127.0.0.1. `requests` are the heads that came, `pages` the answers by path."""

    def __init__(self, authority: Authority, newest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3):
        self.pages: dict[str, Answer] = {}
        self.requests: list[str] = []
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(authority.certificate, authority.key)
        if newest < ssl.TLSVersion.TLSv1_2:
            self.context.minimum_version = newest
            self.context.set_ciphers("ALL:@SECLEVEL=0")
        self.context.maximum_version = newest
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection: socket.socket) -> None:
        try:
            connection.settimeout(20)
            with self.context.wrap_socket(connection, server_side=True) as secure:
                head = b""
                while b"\r\n\r\n" not in head:
                    head += secure.recv(4096) or b"\r\n\r\n"
                self.requests.append(head.decode("latin-1"))
                answer = self.pages.get(head.split(b" ")[1].decode("latin-1"), status(404))
                if callable(answer):
                    answer(secure)
                else:
                    secure.sendall(answer)
                secure.unwrap()
        except OSError:
            return  # The fetch has hung up, which is often the point.

    def close(self) -> None:
        self.listener.close()


def status(code: int, *headers: str, body: bytes = b"") -> bytes:
    lines = [f"HTTP/1.1 {code} X", *headers, f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def ok(body: bytes, *headers: str, type: str = "text/plain") -> bytes:
    return status(200, f"Content-Type: {type}", *headers, body=body)


class Outside:
    """The names and the connections of one test: what was looked up, and where it was connected to, in order."""

    def __init__(self, site: Site, authority: Authority, names: dict[str, list[list[str]]] | None = None):
        self.site, self.names = site, names or {}
        self.looked_up: list[str] = []
        self.connected: list[list[str]] = []
        tls = module("page_connection").tls_context(authority.ca)
        self.world = module("fetch_page").World(self.look_up, self.connect, tls)

    def look_up(self, host: str) -> list[str]:
        """The answers of a name in turn, its last one again and again; a name of no answers is at PUBLIC."""
        turn = self.looked_up.count(host)
        self.looked_up.append(host)
        answers = self.names.get(host, [[PUBLIC]])
        return answers[min(turn, len(answers) - 1)]

    def connect(self, addresses: list[str]) -> socket.socket:
        self.connected.append(addresses)
        return module("page_connection").connected("127.0.0.1", self.site.port, 5)
