"""The socket's parser: what it takes, what it refuses, and that nothing sent to it brings it down or makes it talk."""

import json
import os
import random
import socket
import unittest

from tests.support.client import UnixConnection, first_answer, open_socket, raw
from tests.support.site import Site, wait_for
from xray_runner.config import Bounds

BOUNDS = Bounds(header_wait_s=0.4, idle_wait_s=1.0, connections=8)
SCRIPTS = {
    "h/echo.py": "import sys; sys.stdout.write(sys.stdin.read())",
    "h/flood.py": "import sys\nfor s in (sys.stdout, sys.stderr): s.write('\\0' * 262_144)",
    "h/bytes.py": "import sys; sys.stdout.buffer.write(b'a\\xffb\\xed\\xa0\\x80')",
}


def request(body: bytes = b"", method: str = "POST", target: str = "/run", fields: str = "") -> bytes:
    length = f"Content-Length: {len(body)}\r\n" if method == "POST" and "ength" not in fields else ""
    return f"{method} {target} HTTP/1.1\r\nHost: r\r\n{length}{fields}\r\n".encode() + body


def statuses(data: bytes) -> list[int]:
    return [int(part[:3]) for part in data.split(b"HTTP/1.1 ")[1:]]


def said(data: bytes) -> tuple[int, str]:
    """Status and code of a refusal."""
    head, _, body = data.partition(b"\r\n\r\n")
    return int(head[9:12]), json.loads(body)["error"]


class Http(unittest.TestCase):
    site: Site

    @classmethod
    def setUpClass(cls) -> None:
        cls.site = Site(SCRIPTS, bounds=BOUNDS)
        cls.addClassCleanup(cls.site.close)

    def tearDown(self) -> None:
        self.assertTrue(self.site.health()["ok"])
        self.assertNotIn("Traceback", self.site.log_text())

    def refusal(self, data: bytes) -> tuple[int, str]:
        return said(first_answer(self.site.socket, data))

    def refused_body(self, **changes: object) -> tuple[int, str]:
        return self.refusal(request(self.site.request("h/echo.py", changes=changes)))

    def test_one_connection_serves_many_requests(self) -> None:
        connection = UnixConnection(self.site.socket)
        for number in range(3):
            connection.request("POST", "/run", self.site.request("h/echo.py", {"n": number}))
            response = connection.getresponse()
            self.assertEqual(json.loads(response.read())["stdout"], f'{{"n":{number}}}')
        connection.close()

    def test_pipelined_requests_are_answered_in_their_order(self) -> None:
        bodies = [self.site.request("h/echo.py", {"n": number}) for number in range(3)]
        last = request(method="GET", target="/nowhere", fields="Connection: close\r\n")
        data = raw(self.site.socket, b"".join(request(body) for body in bodies) + last)
        self.assertEqual(statuses(data), [200, 200, 200, 404])
        self.assertEqual([data.count(f'{{\\"n\\":{number}}}'.encode()) for number in range(3)], [1, 1, 1])

    def test_a_request_may_come_byte_by_byte_and_may_be_asked_for(self) -> None:
        body = self.site.request("h/echo.py", {"n": 1})
        whole = request(body, fields="Expect: 100-continue\r\n")
        with open_socket(self.site.socket) as connection:
            for at in range(len(whole) - len(body)):
                connection.sendall(whole[at : at + 1])
            self.assertEqual(connection.recv(100), b"HTTP/1.1 100 Continue\r\n\r\n")
            connection.sendall(body)
            self.assertIn(b"200 OK", connection.recv(1000))

    def test_refusals_of_the_head(self) -> None:
        bad = (400, "bad_request")
        cases = {
            b"\r\n\r\n": bad,
            b"GET /health HTTP/1.0\r\nHost: r\r\n\r\n": bad,
            b"GET /health HTTP/1.1\r\n\r\n": bad,
            b"GET  /health HTTP/1.1\r\nHost: r\r\n\r\n": bad,
            b"GET http://r/health HTTP/1.1\r\nHost: r\r\n\r\n": bad,
            b"GET /health HTTP/1.1\nHost: r\n\n" + b"x" * 9_000: bad,
            b"GET /health HTTP/1.1\r\nHost: r\r\n folded: x\r\n\r\n": bad,
            b"GET /health HTTP/1.1\r\nHost : r\r\n\r\n": bad,
            b"GET /health HTTP/1.1\r\nHost: r\r\nA: \x00\r\n\r\n": bad,
            b"GET /health HTTP/1.1\r\nHost: r\r\nHost: s\r\n\r\n": bad,
            b"GET /" + b"x" * 9_000 + b" HTTP/1.1\r\nHost: r\r\n\r\n": bad,
            request(fields="Transfer-Encoding: chunked\r\nLength-less: x\r\n"): bad,
            request(fields="Content-Length: 1\r\nContent-Length: 2\r\n"): bad,
            request(fields="Content-Length: -1\r\n"): bad,
            request(fields="Content-Length: +1\r\n"): bad,
            request(fields="Content-Length: 1,1\r\n"): bad,
            request(fields="Content-Length: 0x10\r\n"): bad,
            request(fields="Upgrade: websocket\r\nContent-Length: 0\r\n"): bad,
            b"POST /run HTTP/1.1\r\nHost: r\r\n\r\n": (411, "bad_request"),
            request(fields="Content-Length: 65537\r\n"): (413, "input_too_large"),
            request(fields="Content-Length: 999999999999\r\n"): (413, "input_too_large"),
            request(method="GET"): (405, "bad_request"),
            request(b"{}", target="/health"): (405, "bad_request"),
            request(method="GET", target="/run/../health"): (404, "not_found"),
            request(method="GET", target="/health?x"): (404, "not_found"),
        }
        for data, wanted in cases.items():
            with self.subTest(data[:60]):
                self.assertEqual(self.refusal(data), wanted)

    def test_refusals_of_the_body(self) -> None:
        bad = (400, "bad_request")
        for body in (b"", b"{", b"[]", b"null", b"\xff", b'"x"', b"[" * 60_000, b'{"a":' * 10_000, b"{}", b"1e999"):
            with self.subTest(body[:20]):
                self.assertEqual(self.refusal(request(body)), bad)
        whole = self.site.request("h/echo.py")
        self.assertEqual(self.refusal(request(whole.replace(b'"skill"', b'"skill": "x", "skill"'))), bad)
        for number in (b"NaN", b"1e999"):
            self.assertEqual(self.refusal(request(whole.replace(b'"input": {}', b'"input": {"a": %b}' % number))), bad)
        cases = [
            ({"more": 1}, bad),
            ({"skill": "../h"}, bad),
            ({"skill": "h\n"}, bad),
            ({"skill": None}, bad),
            ({"script": "echo"}, bad),
            ({"script": "a/echo.py"}, bad),
            ({"script": "x" * 70 + ".py"}, bad),
            ({"sha256": "A" * 64}, bad),
            ({"input": []}, bad),
            ({"input": "{}"}, bad),
            ({"timeoutMs": 0}, bad),
            ({"timeoutMs": 120_001}, bad),
            ({"timeoutMs": 1.5}, bad),
            ({"timeoutMs": True}, bad),
            ({"input": {"a": "x" * 32_761}}, (413, "input_too_large")),
            ({"skill": "nobody"}, (404, "unknown_skill")),
            ({"script": "nothing.py"}, (404, "unknown_script")),
            ({"sha256": "0" * 64}, (409, "hash_mismatch")),
        ]
        for changes, wanted in cases:
            with self.subTest(str(changes)[:60]):
                self.assertEqual(self.refused_body(**changes), wanted)

    def test_the_largest_input_is_taken(self) -> None:
        answer = self.site.run("h/echo.py", {"a": "x" * (32_768 - 8)})
        self.assertEqual((answer.status, answer.body["stdoutBytes"]), (200, 32_768))

    def test_a_reply_stays_below_its_bound_whatever_is_printed(self) -> None:
        connection = UnixConnection(self.site.socket)
        connection.request("POST", "/run", self.site.request("h/flood.py"))
        data = connection.getresponse().read()
        reply = json.loads(data)
        self.assertLess(len(data), 2 * 1_048_576)
        self.assertEqual((reply["outcome"], len(reply["stdout"]), len(reply["stderr"])), ("ok", 262_144, 65_536))
        self.assertEqual((reply["stdoutBytes"], reply["stderrBytes"], reply["stderrTruncated"]), (262_144, 262_144, True))
        connection.close()

    def test_bytes_that_are_no_text_become_marks(self) -> None:
        self.assertEqual(self.site.run("h/bytes.py").body["stdout"], "a\ufffdb\ufffd\ufffd\ufffd")

    def test_whoever_sends_slowly_or_nothing_is_let_go(self) -> None:
        for data in (b"", b"POST /run", request(b"{}")[:-1]):
            with self.subTest(data):
                self.assertEqual(raw(self.site.socket, data, timeout=5), b"")

    def test_no_more_connections_than_agreed(self) -> None:
        held = [open_socket(self.site.socket) for _ in range(BOUNDS.connections)]
        try:
            with open_socket(self.site.socket) as more:
                try:
                    self.assertEqual(more.recv(1), b"")
                except ConnectionResetError:
                    pass
        finally:
            for connection in held:
                connection.close()

    def test_garbage_neither_stops_it_nor_makes_it_name_a_path(self) -> None:
        seed = int(os.environ.get("XRAY_TEST_SEED", "7"))
        chance = random.Random(seed)
        whole = request(self.site.request("h/echo.py", {"text": "x"}))
        for turn in range(150):
            data = bytearray(whole * chance.choice((1, 1, 2)))
            for _ in range(chance.randint(1, 6)):
                at = chance.randrange(len(data))
                change = chance.randrange(4)
                if change == 0:
                    data[at] = chance.randrange(256)
                elif change == 1:
                    del data[at : at + chance.randint(1, 20)]
                elif change == 2:
                    data[at:at] = chance.randbytes(chance.randint(1, 20))
                else:
                    data[at:at] = chance.choice((b"\r\n", b"\r\n\r\n", b"\x00", b"{", b'"', b": "))
                if not data:
                    break
            with open_socket(self.site.socket) as connection:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                answer = bytearray()
                try:
                    while part := connection.recv(65_536):
                        answer += part
                except ConnectionResetError:
                    pass
            for path in (str(self.site.folder), "xray_runner", "/usr", "Traceback"):
                self.assertNotIn(path.encode(), answer, (seed, turn))
        wait_for(lambda: self.site.health()["active"] == 0)
