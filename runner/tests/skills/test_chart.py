"""The chart skill: what is drawn is what was given, nothing in a label becomes HTML, and no table makes it long."""

import re
import unittest
from html.parser import HTMLParser

from kit import ask, run

FENCE = re.compile(r"```xray-html height=(\d+)\n([^\n]*)\n```")


class Drawn(HTMLParser):
    """Tags with their attributes, and the text outside of style."""

    def __init__(self, html: str):
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.tags[-1][0] != "style":
            self.words.append(data)

    def attributes(self, tag: str, name: str) -> list[str | None]:
        return [attributes.get(name) for found, attributes in self.tags if found == tag]


def drawn(**given) -> Drawn:
    block = FENCE.fullmatch(ask("draw_chart", **given))
    assert block is not None
    return Drawn(block.group(2))


class Bars(unittest.TestCase):
    def test_each_number_is_a_bar_as_long_as_it_is_large_and_stands_beside_it_as_written(self):
        chart = drawn(table="word,times\nturn,12\nevent,9.0\nveto,0", title="Words", unit="x")
        self.assertEqual(chart.words, ["Words", "turn", "12 x", "event", "9.0 x", "veto", "0 x"])
        self.assertEqual(
            chart.attributes("u", "style"), ["left:0%;width:100%", "left:0%;width:75%", "left:0%;width:0%"]
        )

    def test_numbers_below_zero_go_the_other_way_from_one_zero(self):
        chart = drawn(table="a\tb\nup\t3\ndown\t-1")
        self.assertEqual(chart.attributes("u", "style"), ["left:25%;width:75%", "left:0%;width:25%"])

    def test_several_series_stand_in_groups_with_a_legend(self):
        chart = drawn(table="q,甲,乙\n一,1,2\n二,3,4")
        self.assertEqual(chart.words, ["甲", "乙", "一", "1", "2", "二", "3", "4"])
        self.assertEqual(chart.attributes("u", "class"), ["s0", "s1", "s0", "s1"])

    def test_numbers_that_are_all_zero_are_drawn(self):
        self.assertEqual(drawn(table="a,b\nx,0").attributes("u", "style"), ["left:0%;width:0%"])


class Lines(unittest.TestCase):
    def test_a_course_runs_from_the_first_step_to_the_last_between_lowest_and_highest(self):
        chart = drawn(table="day,n\nMon,0\nTue,5\nWed,10", kind="line", unit="ms")
        self.assertEqual(chart.attributes("path", "d"), ["M0 160L300 80L600 0"])
        self.assertEqual(chart.attributes("svg", "aria-label"), ["n"])
        self.assertEqual(chart.words, ["10 ms", "0 ms", "Mon", "Wed"])

    def test_one_step_is_a_line_across(self):
        self.assertEqual(drawn(table="d,n\nMon,5", kind="line").attributes("path", "d"), ["M0 0H600"])


class Labels(unittest.TestCase):
    def test_no_label_becomes_html_or_closes_the_block(self):
        evil = "<img src=x onerror=alert(1)>"
        for place in (f'"{evil}",n\nx,1', f'a,"{evil}"\nx,1', f'a,"{evil}",m\nx,1,2', f'a,n\n"{evil}",1'):
            for kind in ("bar", "line"):
                with self.subTest(f"{kind} {place}"):
                    tags = {tag for tag, _ in drawn(table=place, kind=kind, title=evil, unit="</p><b>").tags}
                    self.assertLessEqual(tags, {"style", "p", "div", "u", "span", "i", "svg", "path"})
        broken = ask("draw_chart", table="a,n\n```,1", title="```\n```")
        self.assertEqual(broken.count("```"), 2)
        self.assertEqual(len(broken.split("\n")), 3)

    def test_what_cannot_be_seen_is_left_out_and_what_is_long_is_cut(self):
        chart = drawn(table='a,n\n"x\u202ey\nz\u200b",1\n' + "w" * 99 + ",2")
        self.assertEqual(chart.words, ["xy z", "1", "w" * 23 + "…", "2"])

    def test_half_a_surrogate_pair_is_none(self):
        self.assertEqual(drawn(table="a,n\nx\ud800y,1").words, ["xy", "1"])


class Bounds(unittest.TestCase):
    def rows(self, count: int, series: int) -> str:
        names = ",".join(["l", *(f"s{index}" for index in range(series))])
        return "\n".join([names, *(",".join([f"r{row}", *["1"] * series]) for row in range(count))])

    def test_each_bound_at_itself_and_one_past_it(self):
        for kind, count, series, code in [
            ("bar", 24, 1, None), ("bar", 25, 1, "E_TOO_MANY_ROWS"),
            ("bar", 6, 4, None), ("bar", 7, 4, "E_TOO_MANY_ROWS"),
            ("line", 60, 4, None), ("line", 61, 1, "E_TOO_MANY_ROWS"),
            ("bar", 1, 5, "E_TOO_MANY_SERIES"),
        ]:  # fmt: skip
            with self.subTest(f"{kind} {count} x {series}"):
                text = ask("draw_chart", table=self.rows(count, series), kind=kind)
                self.assertEqual(text if text.startswith("E_") else None, code)

    def test_a_table_that_is_none_is_told_from_one_without_numbers(self):
        for table in ("a,b", "a\nx", "a,b\nx", "a,b\nx,1,2", 'a,b\n"x,1', "   "):
            with self.subTest(table):
                self.assertEqual(ask("draw_chart", table=table), "E_BAD_TABLE")
        for cell in ("", "x", "NaN", "Infinity", "1e16", "1" * 17, "5%", "１", "1_000 x"):
            with self.subTest(cell):
                self.assertEqual(ask("draw_chart", table=f"a,b\nx,{cell}"), "E_NOT_A_NUMBER")

    def test_the_longest_block_fits_into_what_the_agent_is_given(self):
        label = "&" * 24
        bar = "\n".join([",".join([label] * 5), *(",".join([label, *["-1.2345678901e9"] * 4]) for _ in range(6))])
        line = "\n".join([",".join([label] * 5), *(",".join(["&" * 3, *["1.23456e5", "-9.8e14"] * 2]) for _ in range(60))])
        for kind, table in (("bar", bar), ("line", line)):
            with self.subTest(kind):
                text = ask("draw_chart", table=table, kind=kind, title="`" * 80, unit="`" * 12)
                self.assertTrue(FENCE.fullmatch(text))
                self.assertLess(len(text), 7_900)

    def test_equal_input_gives_equal_output_in_a_run_of_its_own(self):
        given = {"table": "a,b\nx,1\ny,2", "kind": "line"}
        self.assertEqual({run("chart", "draw_chart.py", given) for _ in range(2)}, {(0, ask("draw_chart", **given) + "\n", "")})
