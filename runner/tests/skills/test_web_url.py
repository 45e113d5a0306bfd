"""Which addresses web-fetch takes: by their spelling, by what their names resolve to, and by where redirects lead."""

import json
import unittest
from pathlib import Path

from kit import code_of, module

CASES = json.loads((Path(__file__).resolve().parents[3] / "tests/cases/ssrf.json").read_text("utf-8"))
checked_url = module("page_url").checked_url
redirected = module("page_url").redirected
is_public = module("public_address").is_public
checked_addresses = module("public_address").checked_addresses


class Spelling(unittest.TestCase):
    def test_a_plain_address_is_taken_apart_without_its_fragment(self):
        target = checked_url("https://a_b.example.com/p%20q/?x=1&u=http://127.0.0.1/#@10.0.0.1")
        self.assertEqual((target.host, target.path), ("a_b.example.com", "/p%20q/?x=1&u=http://127.0.0.1/"))

    def test_every_rule_has_the_same_code(self):
        for url in [
            "http://example.com/", "https://example.com:8443/", "https://u:p@example.com/", "https://127.0.0.1/",
            "https://2130706433/", "https://0x7f.1/", "https://[::1]/", "https://localhost/",
            "https://example.com/" + "a" * 2029,
        ]:  # fmt: skip
            with self.subTest(url[:60]):
                self.assertEqual(code_of(checked_url, url), "E_BAD_URL")
        self.assertEqual(len(checked_url("https://example.com/" + "a" * 2028).url), 2048)

    def test_what_is_not_already_in_its_one_spelling_is_refused(self):
        for url in [
            "", " https://example.com/", "https://example.com/ ", "HTTPS://example.com/", "https://Example.com/",
            "https://example.com", "https:/example.com/", "https:///example.com/",
            "https:\\\\example.com\\", "//example.com/",
            "https://example.com:443/", "https://example.com./", "https://例子.中国/", "https://example.com/你", "https://ex\tample.com/",
            "https://example.com/\n", "https://example.com/\r\nHost: x", "https://example.com/a b", "https://example.com\\@evil.com/",
            "https://example.com/a\\b", "https://example.com/a/../b", "https://example.com/.", "https://example.com/%2e%2E/x",
            "https://example.com/\x00", "https://example.com/\x7f", "https://@example.com/", "https://:@example.com/",
            "https://-a.example.com/", "https://a-.example.com/", "https://a..com/", "https://.com/", "https://*.example.com/",
            "https://example.com;a.org/", "https://a%2eb.com/", "https://" + "a" * 64 + ".com/",
            "https://" + "a." * 126 + "com/",
            "https://example.xn--/", "https://example.c0m/", "https://xn--/",
        ]:  # fmt: skip
            with self.subTest(url):
                self.assertEqual(code_of(checked_url, url), "E_BAD_URL")

    def test_names_of_every_script_are_taken_as_their_ascii(self):
        for host in ("xn--fsqu00a.xn--fiqs8s", "a.b.c.d.example.org", "1-2-3-4.example.com", "a.xn--p1ai"):
            self.assertEqual(checked_url(f"https://{host}/").host, host)


class Cases(unittest.TestCase):
    """The shared case file, the part that needs no URL standard. `./xray cases` judges the whole chain."""

    def test_no_literal_address_and_no_wrong_scheme_passes_as_it_is_written(self):
        refused = [case for case in CASES["url_cases"] if case["verdict"] == "reject"]
        self.assertGreater(len(refused), 60)
        for case in refused:
            with self.subTest(case["id"]):
                self.assertEqual(code_of(checked_url, case["url"]), "E_BAD_URL")

    def test_every_address_case_is_judged_as_it_says(self):
        self.assertGreater(len(CASES["ip_cases"]), 100)
        for case in CASES["ip_cases"]:
            if case["verdict"] != "either":
                with self.subTest(f"{case['id']} {case['ip']}"):
                    self.assertEqual(is_public(case["ip"]), case["verdict"] == "accept")

    def test_one_bad_answer_refuses_the_whole_name(self):
        for case in CASES["resolution_sets"]:
            with self.subTest(case["id"]):
                if case["verdict"] == "reject":
                    self.assertEqual(code_of(checked_addresses, case["answers"]), "E_UNFETCHABLE")
                elif case["verdict"] == "accept":
                    self.assertEqual(checked_addresses(case["answers"]), case["answers"])

    def test_names_that_lead_inside_are_refused(self):
        inside = [
            "127.0.0.1",
            "10.1.2.3",
            "169.254.169.254",
            "169.254.0.23",
            "100.64.0.1",
            "::1",
            "fc00::1",
            "::ffff:10.0.0.1",
        ]
        for address in inside:
            with self.subTest(address):
                self.assertEqual(code_of(checked_addresses, [address]), "E_UNFETCHABLE")
                self.assertEqual(code_of(checked_addresses, ["93.184.215.14", address]), "E_UNFETCHABLE")
                self.assertEqual(code_of(checked_addresses, [address, "93.184.215.14"]), "E_UNFETCHABLE")


class Redirects(unittest.TestCase):
    source = checked_url("https://example.com/a/b?q=1")

    def test_places_are_resolved_as_browsers_do(self):
        for location, expected in [
            (b"/x", "https://example.com/x"),
            (b"x", "https://example.com/a/x"),
            (b"../x/./y", "https://example.com/x/y"),
            (b"../../../x", "https://example.com/x"),
            (b"..", "https://example.com/"),
            (b"?q=2", "https://example.com/a/b?q=2"),
            (b"#top", "https://example.com/a/b"),
            (b"//Other.example.org:443", "https://other.example.org/"),
            (b"HTTPS://Other.example.org/P", "https://other.example.org/P"),
            (b" /x y ", "https://example.com/x%20y"),
            ("/你".encode(), "https://example.com/%E4%BD%A0"),
            (b"/a?b=c/../d", "https://example.com/a?b=c/../d"),
        ]:
            with self.subTest(location):
                self.assertEqual(redirected(self.source, location).url, expected)

    def test_places_that_the_rule_does_not_take_are_refused(self):
        for location in [
            b"", b"  ", b"http://example.com/", b"//169.254.169.254/latest", b"https://127.0.0.1/",
            b"https://[::1]/", b"//localhost/",
            b"https://u:p@example.com/", b"https://example.com:8443/", b"https:/x", b"https:x",
            b"javascript:alert(1)", b"data:,x",
            b"\\\\evil.com/", b"/\\evil.com", b"https://evil.com\\@example.com/", b"/x\r\nSet-Cookie: a", b"/\x00",
            "https://例子.中国/".encode(), b"/" + b"a" * 2048, b"file:///etc/passwd", b"//user@evil.com/", b"https://example.com:443:443/",
        ]:  # fmt: skip
            with self.subTest(location[:40]):
                self.assertEqual(code_of(redirected, self.source, location), "E_BAD_URL")
