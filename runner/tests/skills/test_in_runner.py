"""The skills inside the walls: what they use of Python still works there, and says the same as outside."""

import unittest
from pathlib import Path

from kit import SKILLS, run
from tests.support.site import Site
from tls_site import HAS_OPENSSL, Authority, ok
from tls_site import Site as TlsSite
from xray_runner import missing

RUNS = [
    ("text-tools", "word_frequency.py", {"text": "云计算让计算像水电 the cat", "top": 3, "skip_common": True}),
    ("text-tools", "format_json.py", {"json": '{"a":1.10}'}),
    ("text-tools", "format_json.py", {"json": "[" * 300 + "]" * 300}),
    ("text-tools", "diff_texts.py", {"before": "a\n", "after": "b\n"}),
    ("text-tools", "try_regex.py", {"pattern": "a(b)?", "text": "ab a"}),
    ("text-tools", "try_regex.py", {"pattern": "(a+)+$", "text": "a" * 45 + "b"}),
    ("calc", "evaluate.py", {"expression": "sqrt(2) + 1/3"}),
    ("calc", "convert_units.py", {"value": "5", "from": "斤", "to": "lb"}),
    ("calc", "date_math.py", {"date": "2026-01-31", "months": 1}),
    ("calc", "convert_time.py", {"time": "2026-07-01 09:00", "from": "Asia/Shanghai", "to": "Europe/Berlin"}),
    ("csv-insight", "summarize.py", {"csv": "城市,人\n甲,1\n乙,2\n"}),
    ("csv-insight", "group_by.py", {"csv": "城市,人\n甲,1\n乙,2\n", "by": "城市"}),
    ("csv-insight", "sort_rows.py", {"csv": "城市,人\n甲,1\n乙,2\n", "by": "人"}),
    ("chart", "draw_chart.py", {"table": "城市,人\n甲,1\n乙,2"}),
    ("chart", "draw_chart.py", {"table": "城市,人\n甲,x"}),
]

# A fetch whose checks are taken out one by one, as `trust` says; what stays is the product's own.
TRIED = """
import ssl
from fetch_page import World, fetch
from name_lookup import look_up
from page_connection import connected
from skill_io import answer_with

def answer(given):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=given["ca"])
    named = look_up("local.example")
    world = World(lambda _host: ["93.184.215.14"] if given["trust"] else named,
                  lambda _checked: connected(named[0], given["port"], 5), context)
    return fetch("https://local.example/", world)[1].body.decode()

answer_with(answer)
"""


def sources(skill: str) -> dict[str, str]:
    return {f"{skill}/{path.name}": path.read_text("utf-8") for path in (SKILLS / skill / "scripts").glob("*.py")}


class Pure(unittest.TestCase):
    def test_every_script_says_inside_what_it_says_outside(self):
        skills = sorted({skill for skill, _, _ in RUNS})
        with Site({name: text for skill in skills for name, text in sources(skill).items()}) as site:
            for skill, script, given in RUNS:
                with self.subTest(script):
                    status, out, error = run(skill, script, given)
                    body = site.run(f"{skill}/{script}", given).body
                    self.assertEqual((body["exitCode"], body["stdout"], body["stderr"]), (status, out, error))
                    self.assertIn(status, (0, 2))

    def test_no_script_of_the_tier_is_left_out_here(self):
        listed = {f"{skill}/{script}" for skill, script, _ in RUNS}
        there = {
            name
            for skill in ("text-tools", "calc", "chart", "csv-insight")
            for name in sources(skill)
            if "skill_io" not in name
        }
        self.assertEqual(there - listed, {"calc/exact.py", "chart/series.py", "csv-insight/table.py"})


@unittest.skipIf(missing.find(True), "the egress tier needs Landlock 4")
@unittest.skipUnless(HAS_OPENSSL, "openssl is needed to make certificates")
class Egress(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.authority = Authority(["local.example"])
        cls.tls = TlsSite(cls.authority)
        cls.tls.pages["/"] = ok("里面的页面".encode())
        scripts = sources("web-fetch") | {"web-fetch/tried.py": TRIED}
        cls.site = Site(scripts, egress=True, ports=(cls.tls.port,), stub_names=True)
        cls.given = {"port": cls.tls.port, "ca": Path(cls.authority.ca).read_text()}

    @classmethod
    def tearDownClass(cls):
        cls.site.close()
        cls.tls.close()
        cls.authority.close()

    def test_a_page_inside_is_read_without_the_check_and_refused_with_it(self):
        bare = self.site.run("web-fetch/tried.py", self.given | {"trust": True}).body
        self.assertEqual((bare["exitCode"], bare["stdout"]), (0, "里面的页面\n"))
        self.assertEqual(len(self.tls.requests), 1)
        checked = self.site.run("web-fetch/tried.py", self.given | {"trust": False}).body
        self.assertEqual((checked["exitCode"], checked["stdout"]), (2, "E_UNFETCHABLE\n"))
        self.assertEqual(len(self.tls.requests), 1)

    def test_the_script_itself_judges_what_names_resolve_to(self):
        for url, code in (
            ("https://local.example/", "E_UNFETCHABLE"),
            ("https://none.example/", "E_UNFETCHABLE"),
            ("https://localhost/", "E_BAD_URL"),
        ):
            with self.subTest(url):
                body = self.site.run("web-fetch/fetch_page.py", {"url": url}).body
                self.assertEqual((body["exitCode"], body["stderr"]), (2, ""))
                self.assertIn(body["stdout"], {f"{code}\n", "E_NOT_INSTALLED\n" if code != "E_BAD_URL" else ""})

    def test_another_port_is_closed_whatever_a_script_does(self):
        other = TlsSite(self.authority)
        try:
            body = self.site.run("web-fetch/tried.py", self.given | {"trust": True, "port": other.port}).body
            self.assertEqual((body["exitCode"], body["stdout"], other.requests), (2, "E_UNFETCHABLE\n", []))
        finally:
            other.close()
