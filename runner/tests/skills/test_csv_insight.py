"""Small tables as people paste them."""

import unittest

from kit import ask, ask_json, module

SALES = "部门,地区,金额\n甲,北,1.10\n乙,南,2\n甲,南,2.20\n丙,北,\n"


class ReadTable(unittest.TestCase):
    def read(self, text: str):
        return module("table").read_table(text)

    def test_the_separator_is_found_among_quoted_ones(self):
        for text, separator in [
            ("a,b\n1,2", ","),
            ("a;b\n1,5;2,5", ";"),
            ("a\tb\n1,2\t3", "\t"),
            ("a|b|c\n1|2|3", "|"),
            ('"x,y,z";b\n"1,2,3";4', ";"),
            ("name\nonly", ","),
        ]:
            with self.subTest(text):
                self.assertEqual(self.read(text).separator, separator)

    def test_quoted_fields_hold_separators_quotes_and_line_breaks(self):
        table = self.read('a,b\r\n"1,\r\n2","say ""hi"""\r\n\r\n" x ",2\r\n')
        self.assertEqual(table.rows, [["1,\n2", 'say "hi"'], ["x", "2"]])

    def test_ragged_rows_are_filled_or_cut_and_counted(self):
        table = self.read("a,b,c\n1\n1,2,3,4\n1,2,3")
        self.assertEqual((table.rows, table.ragged), ([["1", "", ""], ["1", "2", "3"], ["1", "2", "3"]], 2))

    def test_columns_get_a_name_of_their_own(self):
        self.assertEqual(self.read("\ufeffa,,a\n1,2,3").columns, ["a", "column 2", "a 3"])

    def test_what_is_no_table_is_a_code(self):
        for text, code in [
            ("a,b", "E_NO_ROWS"),
            ("\n\n", "E_NO_ROWS"),
            ('a,b\n"1,2', "E_BAD_CSV"),
            ('a,b\n"1"x,2', "E_BAD_CSV"),
            (",".join("x" * 61) + "\n1", "E_TOO_MANY_COLUMNS"),
        ]:
            with self.subTest(text):
                self.assertEqual(ask("summarize", csv=text), code)

    def test_numbers_are_read_as_they_are_written(self):
        def numbers(*cells: str) -> list[str | None]:
            return [None if one is None else str(one) for one in module("table").numbers_of(list(cells))]

        self.assertEqual(
            numbers("1,234.5", "-3", "¥12", "5 €", "12%", "1e3", ".5", "+7", "1,234,567", "n/a", "", "１", "(3)"),
            ["1234.5", "-3", "12", "5", "0.12", "1E+3", "0.5", "7", "1234567", None, None, None, None],
        )
        self.assertEqual(numbers("1,234", "5"), ["1234", "5"])
        self.assertEqual(numbers("1,234", "3,5", "1.000"), ["1.234", "3.5", "1000"])


class Summarize(unittest.TestCase):
    def test_each_column_is_told_by_its_kind(self):
        self.assertEqual(
            ask_json("summarize", csv=SALES),
            {
                "rows": 4,
                "separator": ",",
                "raggedRows": 0,
                "columns": [
                    {
                        "name": "部门", "filled": 4, "distinct": 3, "kind": "text",
                        "top": [["甲", 2], ["丙", 1], ["乙", 1]],
                    },
                    {"name": "地区", "filled": 4, "distinct": 2, "kind": "text", "top": [["北", 2], ["南", 2]]},
                    {
                        "name": "金额", "filled": 3, "distinct": 3, "kind": "number", "min": "1.1", "max": "2.2",
                        "sum": "5.3",
                        "mean": "1.76666666667", "median": "2",
                    },
                ],
            },
        )  # fmt: skip

    def test_a_column_with_one_cell_that_is_no_number_is_text(self):
        kinds = [column["kind"] for column in ask_json("summarize", csv="a,b,c\n1,x,\n2,3,")["columns"]]
        self.assertEqual(kinds, ["number", "text", "empty"])

    def test_huge_and_tiny_numbers_are_said_briefly(self):
        column = ask_json("summarize", csv="v\n1e999\n0.00000000001\n")["columns"][0]
        self.assertEqual((column["min"], column["max"]), ("1E-11", "1E+999"))


class GroupBy(unittest.TestCase):
    def test_groups_are_counted_or_measured_largest_first(self):
        self.assertEqual(
            ask_json("group_by", csv=SALES, by="部门"),
            {"columns": ["部门", "count"], "rows": [["甲", "2"], ["丙", "1"], ["乙", "1"]], "groups": 3, "skipped": 0},
        )
        self.assertEqual(
            ask_json("group_by", csv=SALES, by="部门", measure="sum", of="金额"),
            {"columns": ["部门", "sum 金额"], "rows": [["甲", "3.3"], ["乙", "2"]], "groups": 2, "skipped": 1},
        )
        for measure, expected in (("mean", "1.65"), ("min", "1.1"), ("max", "2.2")):
            rows = ask_json("group_by", csv=SALES, by="部门", measure=measure, of="金额", limit=2)["rows"]
            self.assertIn(["甲", expected], rows)

    def test_the_limit_cuts_rows_and_not_the_count_of_groups(self):
        found = ask_json("group_by", csv=SALES, by="部门", limit=1)
        self.assertEqual((len(found["rows"]), found["groups"]), (1, 3))

    def test_a_measure_and_its_column_belong_together(self):
        self.assertEqual(ask("group_by", csv=SALES, by="部门", measure="sum"), "E_MEASURE_NEEDS_COLUMN")
        self.assertEqual(ask("group_by", csv=SALES, by="部门", of="金额"), "E_MEASURE_NEEDS_COLUMN")
        self.assertEqual(ask("group_by", csv=SALES, by="部门", measure="sum", of="地区"), "E_NO_NUMBERS")
        self.assertEqual(ask("group_by", csv=SALES, by="nothing"), "E_NO_SUCH_COLUMN")


class SortRows(unittest.TestCase):
    def rows(self, **given: object) -> object:
        found = ask_json("sort_rows", **given)
        return found if isinstance(found, str) else found["rows"]

    def test_numbers_sort_by_value_texts_by_characters_empty_cells_last(self):
        text = "n,v\na,10\nb,9\nc,\nd,100\n"
        self.assertEqual(self.rows(csv=text, by="V", columns="n"), [["b"], ["a"], ["d"], ["c"]])
        self.assertEqual(self.rows(csv=text, by="v", columns="n", descending=True), [["d"], ["a"], ["b"], ["c"]])
        self.assertEqual(self.rows(csv="v\n10\n9\nx", by="v"), [["10"], ["9"], ["x"]])

    def test_equal_rows_keep_their_order_both_ways(self):
        text = "n,v\na,1\nb,1\nc,0\n"
        self.assertEqual(self.rows(csv=text, by="v", columns="n"), [["c"], ["a"], ["b"]])
        self.assertEqual(self.rows(csv=text, by="v", columns="n", descending=True), [["a"], ["b"], ["c"]])

    def test_columns_come_in_the_order_asked_for_and_rows_to_the_limit(self):
        self.assertEqual(
            ask_json("sort_rows", csv=SALES, by="金额", columns="金额, 部门", limit=1),
            {"columns": ["金额", "部门"], "rows": [["1.10", "甲"]], "of": 4},
        )
        self.assertEqual(self.rows(csv=SALES, by="金额", columns="部门,部门"), "E_COLUMN_TWICE")
