"""Fetching, against a real TLS server on this machine: who is connected to, how redirects go, and every bound."""

import gzip
import socket
import ssl
import tracemalloc
import unittest
import warnings
import zlib
from unittest import mock

from kit import code_of, module
from tls_site import HAS_OPENSSL, PUBLIC, Authority, Outside, Site, ok, status

http = module("page_http")
fetch = module("fetch_page").fetch
connections = module("page_connection")


@unittest.skipUnless(HAS_OPENSSL, "openssl is needed to make certificates")
class AgainstASite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.authority = Authority(["example.com", "*.example.com"])
        cls.site = Site(cls.authority)

    @classmethod
    def tearDownClass(cls):
        cls.site.close()
        cls.authority.close()

    def setUp(self):
        self.site.pages.clear()
        self.site.requests.clear()
        self.outside = Outside(self.site, self.authority)

    def fetched(self, url: str = "https://example.com/", outside: Outside | None = None):
        return fetch(url, (outside or self.outside).world)

    def code(self, answer: object = None, url: str = "https://example.com/", outside: Outside | None = None) -> str:
        if answer is not None:
            self.site.pages["/"] = answer
        return code_of(self.fetched, url, outside)


class Requests(AgainstASite):
    def test_the_request_is_the_same_for_everybody(self):
        self.site.pages["/p?q=1"] = ok(b"text")
        target, page = self.fetched("https://example.com/p?q=1#secret")
        self.assertEqual((page.body, page.type, target.url), (b"text", "text/plain", "https://example.com/p?q=1"))
        self.assertEqual(
            self.site.requests,
            [
                "GET /p?q=1 HTTP/1.1\r\nHost: example.com\r\n"
                f"User-Agent: {http.USER_AGENT}\r\n"
                "Accept: text/html, application/xhtml+xml, text/plain;q=0.9\r\n"
                "Accept-Encoding: gzip\r\nConnection: close\r\n\r\n"
            ],
        )

    def test_a_cookie_that_was_set_is_not_sent_along_a_redirect(self):
        self.site.pages["/"] = status(302, "Set-Cookie: a=b", "Location: /next")
        self.site.pages["/next"] = ok(b"there")
        self.assertEqual(self.fetched()[1].body, b"there")
        self.assertNotIn("cookie", "".join(self.site.requests).lower())


class Pinning(AgainstASite):
    def test_a_name_is_looked_up_once_and_the_checked_addresses_are_connected_to(self):
        outside = Outside(self.site, self.authority, {"example.com": [[PUBLIC, "2606:4700::1"], ["127.0.0.1"]]})
        self.site.pages["/"] = ok(b"x")
        self.fetched(outside=outside)
        self.assertEqual((outside.looked_up, outside.connected), (["example.com"], [[PUBLIC, "2606:4700::1"]]))

    def test_a_name_that_turns_inside_between_two_hops_is_not_connected_to_again(self):
        outside = Outside(self.site, self.authority, {"example.com": [[PUBLIC], ["127.0.0.1"]]})
        self.site.pages["/"] = status(302, "Location: /next")
        self.site.pages["/next"] = ok(b"inside")
        self.assertEqual(self.code(outside=outside), "E_UNFETCHABLE")
        self.assertEqual((outside.looked_up, outside.connected), (["example.com"] * 2, [[PUBLIC]]))

    def test_a_name_with_one_address_inside_is_not_connected_to_at_all(self):
        for answers in (["127.0.0.1"], [PUBLIC, "10.0.0.5"], ["2606:4700::1", "fd00::1"], []):
            outside = Outside(self.site, self.authority, {"example.com": [answers]})
            self.assertEqual(self.code(ok(b"secret"), outside=outside), "E_UNFETCHABLE")
            self.assertEqual(outside.connected, [])

    def test_an_address_that_is_bad_is_not_even_looked_up(self):
        self.assertEqual(self.code(url="https://localhost/"), "E_BAD_URL")
        self.assertEqual(self.outside.looked_up, [])

    def test_a_certificate_for_another_name_is_refused(self):
        self.assertEqual(self.code(ok(b"x"), url="https://example.org/"), "E_UNFETCHABLE")
        self.assertEqual(self.site.requests, [])

    def test_a_certificate_of_an_unknown_authority_is_refused(self):
        other = Authority(["example.com"])
        try:
            self.assertEqual(self.code(ok(b"x"), outside=Outside(self.site, other)), "E_UNFETCHABLE")
        finally:
            other.close()

    def test_tls_before_1_2_is_refused(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            site = Site(self.authority, newest=ssl.TLSVersion.TLSv1_1)
        try:
            self.assertEqual(self.code(outside=Outside(site, self.authority)), "E_UNFETCHABLE")
            self.assertEqual(site.requests, [])
        finally:
            site.close()


class Connecting(unittest.TestCase):
    def test_the_far_end_must_be_the_checked_address(self):
        listener = socket.create_server(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        connections.connected("127.0.0.1", port, 5).close()
        with mock.patch.object(socket.socket, "getpeername", return_value=("10.0.0.1", port)):
            self.assertEqual(code_of(connections.connected, "127.0.0.1", port, 5), "E_UNFETCHABLE")
        listener.close()
        self.assertEqual(code_of(connections.connected, "127.0.0.1", port, 5), "E_UNFETCHABLE")

    def test_two_spellings_of_an_address_are_one_place(self):
        same = connections.is_same_place
        self.assertTrue(same(("2606:4700::1", 443, 0, 0), "2606:4700:0:0::1", 443))
        self.assertFalse(same(("2606:4700::1", 443, 0, 0), "2606:4700::2", 443))
        self.assertFalse(same((PUBLIC, 80), PUBLIC, 443))
        self.assertFalse(same(("::ffff:93.184.215.14", 443), PUBLIC, 443))

    def test_four_addresses_are_tried_in_order_on_443_and_the_first_that_answers_is_taken(self):
        tried = []

        def connected(address: str, port: int, seconds: float) -> str:
            tried.append((address, port))
            if address != "1.0.0.4":
                raise module("skill_io").Refused("E_UNFETCHABLE")
            return "connected"

        with mock.patch.object(connections, "connected", connected):
            addresses = [f"1.0.0.{n}" for n in range(1, 9)]
            self.assertEqual(connections.connect_to_one(addresses), "connected")
            self.assertEqual(tried, [(address, 443) for address in addresses[:4]])
            self.assertEqual(code_of(connections.connect_to_one, addresses[4:] * 3), "E_UNFETCHABLE")

    def test_the_parts_of_the_time_stay_within_the_whole(self):
        given = []

        def connected(_address: str, _port: int, seconds: float) -> None:
            given.append(seconds)
            raise module("skill_io").Refused("E_UNFETCHABLE")

        with (
            mock.patch.object(connections, "connected", connected),
            mock.patch.object(connections.time, "monotonic", return_value=0.0),
        ):
            code_of(connections.connect_to_one, ["1.0.0.1", "1.0.0.2", "1.0.0.3"])
        self.assertEqual(given, [2.5, 2.5, 5.0])


class Redirecting(AgainstASite):
    def chain(self, *places: str) -> None:
        for number, place in enumerate(places):
            self.site.pages["/" if number == 0 else f"/{number}"] = status(302, f"Location: {place}")

    def test_three_hops_are_followed_and_a_fourth_is_not(self):
        self.chain("/1", "/2", "/3")
        self.site.pages["/3"] = ok(b"end")
        self.assertEqual(self.fetched()[0].url, "https://example.com/3")
        self.site.pages["/3"] = status(302, "Location: /4")
        self.site.pages["/4"] = ok(b"end")
        self.assertEqual(self.code(), "E_UNFETCHABLE")
        self.assertNotIn("GET /4 ", "".join(self.site.requests))

    def test_a_loop_ends(self):
        self.chain("/1", "/")
        self.assertEqual(self.code(), "E_UNFETCHABLE")
        self.assertEqual(len(self.site.requests), 4)

    def test_every_hop_is_looked_up_and_checked_anew(self):
        names = {"www.example.com": [[PUBLIC]], "inside.example.com": [["10.0.0.5"]]}
        outside = Outside(self.site, self.authority, names)
        self.chain("https://www.example.com/1", "https://inside.example.com/2")
        self.assertEqual(self.code(outside=outside), "E_UNFETCHABLE")
        self.assertEqual(outside.looked_up, ["example.com", "www.example.com", "inside.example.com"])
        self.assertEqual(len(outside.connected), 2)

    def test_a_place_that_may_not_be_fetched_ends_the_run_with_the_code_of_a_dead_host(self):
        for place in (
            "http://www.example.com/",
            "https://127.0.0.1/",
            "//169.254.169.254/latest",
            "https://example.com:8443/",
            "",
        ):
            with self.subTest(place):
                self.assertEqual(self.code(status(301, f"Location: {place}")), "E_UNFETCHABLE")
        self.assertEqual(self.code(status(302)), "E_UNFETCHABLE")

    def test_a_refresh_in_a_page_is_not_followed(self):
        page = b'<meta http-equiv=refresh content="0;url=https://127.0.0.1/">'
        self.site.pages["/"] = ok(page, "Refresh: 0;url=/next", type="text/html")
        self.assertEqual(self.fetched()[1].body, page)
        self.assertEqual(len(self.site.requests), 1)


class Bodies(AgainstASite):
    def body(self, answer: object) -> bytes:
        self.site.pages["/"] = answer
        return self.fetched()[1].body

    def test_a_body_comes_by_length_by_chunks_or_to_the_end(self):
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
        self.assertEqual(self.body(head + b"Content-Length: 4\r\n\r\nabcdEXTRA"), b"abcd")
        self.assertEqual(
            self.body(head + b"Transfer-Encoding: chunked\r\n\r\n2;x=y\r\nab\r\n2\r\ncd\r\n0\r\nT: x\r\n\r\n"), b"abcd"
        )
        self.assertEqual(self.body(head + b"\r\nabcd"), b"abcd")
        self.assertEqual(
            self.body(b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 100 C\r\n\r\n" + ok(b"abcd")), b"abcd"
        )

    def test_a_body_that_breaks_off_is_no_page(self):
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
        whole = gzip.compress(b"x" * 5000, mtime=0)
        for answer in [
            head + b"Content-Length: 9\r\n\r\nabcd",
            head + b"Transfer-Encoding: chunked\r\n\r\n9\r\nabcd",
            head + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabcd",
            ok(whole[:-9], "Content-Encoding: gzip"),
            ok(b"no gzip", "Content-Encoding: gzip"),
            b"",
            b"SSH-2.0-OpenSSH\r\n\r\n",
        ]:
            with self.subTest(answer[:80]):
                self.assertEqual(self.code(answer), "E_UNFETCHABLE")

    def test_gzip_is_unpacked_in_all_its_members_and_other_packings_are_refused(self):
        packed = gzip.compress(b"one ") + gzip.compress("二".encode())
        self.assertEqual(self.body(ok(packed, "Content-Encoding: GZIP")), "one 二".encode())
        self.assertEqual(self.body(ok(gzip.compress(b"a") + b"\0\0 rest", "Content-Encoding: x-gzip")), b"a")
        self.assertEqual(self.body(ok(b"plain", "Content-Encoding: identity")), b"plain")
        for encoding in ("br", "deflate", "zstd", "gzip, gzip", "gzip, br", "*"):
            with self.subTest(encoding):
                self.assertEqual(self.code(ok(zlib.compress(b"x"), f"Content-Encoding: {encoding}")), "E_UNFETCHABLE")

    def test_256_kib_are_taken_and_one_byte_more_is_not_packed_or_plain(self):
        most = b"x" * (256 * 1024)
        for pack, header in ((bytes, "X: y"), (gzip.compress, "Content-Encoding: gzip")):
            self.assertEqual(len(self.body(ok(pack(most), header))), len(most))
            self.assertEqual(self.code(ok(pack(most + b"x"), header)), "E_TOO_LARGE")

    def test_a_bomb_is_put_out_in_little_memory(self):
        """A thousandfold of zeros, and members of a hundred bytes of nothing without end."""
        packer = zlib.compressobj(1, zlib.DEFLATED, 31)
        piece = b"\0" * (1 << 20)
        bomb = b"".join(packer.compress(piece) for _ in range(64)) + packer.flush()
        self.site.pages["/"] = ok(bomb, "Content-Encoding: gzip")
        tracemalloc.start()
        self.assertEqual(code_of(self.fetched), "E_TOO_LARGE")
        self.assertLess(tracemalloc.get_traced_memory()[1], 6 * (1 << 20))
        tracemalloc.stop()
        empty = gzip.compress(b"") * 120_000
        self.assertEqual(
            self.code(b"HTTP/1.1 200 X\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\n\r\n" + empty),
            "E_TOO_LARGE",
        )

    def test_a_declared_length_over_two_mebibytes_is_not_waited_for(self):
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: "
        self.assertEqual(self.code(head + b"2097153\r\n\r\n"), "E_TOO_LARGE")
        self.assertEqual(self.code(head + b"9" * 400 + b"\r\n\r\n"), "E_TOO_LARGE")

    def test_only_pages_and_plain_text_are_taken(self):
        for given, taken in [
            ("text/html; charset=utf-8", True), ("TEXT/HTML", True), ("application/xhtml+xml", True),
            ("text/plain", True),
            ("application/json", False), ("application/pdf", False), ("image/svg+xml", False), ("text", False),
            ("text/htmlx", False),
            ("", False), ("multipart/x-mixed-replace", False),
        ]:  # fmt: skip
            with self.subTest(given):
                self.site.pages["/"] = ok(b"x", type=given)
                if taken:
                    self.assertEqual(self.fetched()[1].body, b"x")
                else:
                    self.assertEqual(self.code(), "E_NOT_HTML")
        self.assertEqual(self.code(status(200, body=b"x")), "E_NOT_HTML")

    def test_every_status_but_200_is_a_page_that_cannot_be_fetched(self):
        for code in (201, 204, 206, 304, 400, 401, 403, 404, 407, 429, 500, 503, 999):
            with self.subTest(code):
                self.assertEqual(
                    self.code(status(code, "Content-Type: text/plain", "Location: /next", body=b"x")), "E_UNFETCHABLE"
                )

    def test_a_huge_head_is_not_read_to_its_end(self):
        sent = []

        def flood(connection: ssl.SSLSocket) -> None:
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
            for number in range(4000):
                connection.sendall(b"X-Filler: " + b"x" * 8000 + b"\r\n")
                sent.append(number)

        self.assertEqual(self.code(flood), "E_TOO_LARGE")
        self.assertLess(len(sent), 4000)
        self.assertEqual(self.code(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 40_000), "E_TOO_LARGE")
        self.assertEqual(self.code(b"HTTP/1.1 103 Early\r\n\r\n" * 2000), "E_TOO_LARGE")


class Waiting(AgainstASite):
    def test_a_silent_server_is_left(self):
        silent = lambda connection: connection.recv(1)  # noqa: E731 - waits for the fetch to hang up
        with mock.patch.object(http, "IDLE_SECONDS", 0.1):
            self.assertEqual(self.code(silent), "E_TIMEOUT")
            head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nabc"

            def half(connection: ssl.SSLSocket) -> None:
                connection.sendall(head)
                connection.recv(1)

            self.assertEqual(self.code(half), "E_TIMEOUT")

    def test_a_drip_that_never_pauses_ends_with_the_alarm(self):
        within = module("fetch_page").within

        def drip(connection: ssl.SSLSocket) -> None:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
            connection.settimeout(0.02)
            while True:  # Until the fetch hangs up, which is an OSError here.
                connection.sendall(b"x")
                try:
                    if connection.recv(1) == b"":
                        return
                except TimeoutError:
                    continue

        self.site.pages["/"] = drip
        self.assertEqual(code_of(within, 0.4, lambda: str(self.fetched())), "E_TIMEOUT")

    def test_an_alarm_is_not_swallowed_by_what_it_interrupts(self):
        def generous() -> str:
            try:
                while True:
                    pass
            except Exception:
                return "swallowed"

        self.assertEqual(code_of(module("fetch_page").within, 0.1, generous), "E_TIMEOUT")

    def test_a_server_that_never_shakes_hands_is_left(self):
        listener = socket.create_server(("127.0.0.1", 0))
        connection = socket.create_connection(listener.getsockname())
        context = ssl.create_default_context()
        self.assertEqual(code_of(connections.secured, connection, "example.com", context, 0.1), "E_TIMEOUT")
        listener.close()


class Names(unittest.TestCase):
    def test_the_runner_is_asked_one_line_and_read_one_line(self):
        ours, theirs = socket.socketpair()
        names = module("name_lookup")
        with ours, theirs, mock.patch.object(names, "DESCRIPTOR", ours.fileno()):
            theirs.sendall(b'{"addresses":["93.184.215.14","::1"]}\n')
            self.assertEqual(names.look_up("example.com"), ["93.184.215.14", "::1"])
            self.assertEqual(theirs.recv(99), b"example.com\n")

    def test_any_other_answer_is_a_name_without_an_address(self):
        names = module("name_lookup")
        for answer in (
            b'{"error":"not_found"}',
            b'{"error":"timeout"}',
            b"",
            b"[]",
            b'{"addresses":[1]}',
            b'{"addresses":"x"}',
            b"\xff",
            b"null",
        ):
            with self.subTest(answer):
                self.assertEqual(code_of(names.addresses_of, answer), "E_UNFETCHABLE")

    def test_a_runner_that_is_not_there_is_a_name_without_an_address(self):
        names = module("name_lookup")
        with mock.patch.object(names, "DESCRIPTOR", 999):
            self.assertEqual(code_of(names.look_up, "example.com"), "E_UNFETCHABLE")
