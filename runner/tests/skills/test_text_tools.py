"""Counting, laying out JSON, comparing texts, trying expressions."""

import unittest

from kit import ask, ask_json, run


class WordFrequency(unittest.TestCase):
    def test_words_are_counted_in_lower_case_most_frequent_first_then_by_code_point(self):
        self.assertEqual(
            ask_json("word_frequency", text="To be, or NOT to be: that's to-do.", top=4),
            {"wordsTotal": 8, "wordsDistinct": 6, "words": [["be", 2], ["to", 2], ["not", 1], ["or", 1]]},
        )

    def test_chinese_is_counted_by_characters_and_neighbouring_pairs(self):
        counted = ask_json("word_frequency", text="云计算，计算云。", top=2)
        self.assertEqual(
            counted,
            {
                "wordsTotal": 0, "wordsDistinct": 0, "words": [], "charactersTotal": 6,
                "characters": [["云", 2], ["算", 2]], "pairs": [["计算", 2], ["云计", 1]],
            },
        )  # fmt: skip

    def test_no_pair_reaches_over_a_stop_or_into_latin_text(self):
        pairs = ask_json("word_frequency", text="甲，乙 abc丙 丁x戊")["pairs"]
        self.assertEqual(pairs, [])

    def test_mixed_text_gives_words_and_characters_and_wide_forms_are_the_plain_ones(self):
        counted = ask_json("word_frequency", text="ＧＰＵ和GPU 日本語のテスト 第３章 3")
        self.assertEqual(counted["words"], [["3", 2], ["gpu", 2]])
        self.assertIn(["テス", 1], counted["pairs"])

    def test_words_of_scripts_with_marks_stay_whole(self):
        self.assertEqual(ask_json("word_frequency", text="नमस्ते नमस्ते café")["words"], [["नमस्ते", 2], ["café", 1]])

    def test_common_words_and_characters_are_left_out_on_demand(self):
        counted = ask_json("word_frequency", text="The sea and the 海的颜色", skip_common=True)
        self.assertEqual([counted["words"], counted["pairs"]], [[["sea", 1]], [["颜色", 1]]])
        self.assertEqual(counted["wordsTotal"], 4)

    def test_text_without_a_word_is_counted_too(self):
        self.assertEqual(ask_json("word_frequency", text="!?  …"), {"wordsTotal": 0, "wordsDistinct": 0, "words": []})


class FormatJson(unittest.TestCase):
    def test_numbers_keep_every_digit_and_keys_that_repeat_stay(self):
        text = '{"id":12345678901234567890.10,"big":1E400,"id":-0,"名":"\\u4e2d\\/","a":[],"o":{}}'
        self.assertEqual(
            ask("format_json", json=text, indent=0),
            '{"id":12345678901234567890.10,"big":1E400,"id":-0,"名":"中/","a":[],"o":{}}',
        )

    def test_it_is_laid_out_and_ordered_as_asked(self):
        self.assertEqual(
            ask("format_json", json='{"b":[1,{"d":null}],"a":true}', sort_keys=True, indent=1),
            '{\n "a": true,\n "b": [\n  1,\n  {\n   "d": null\n  }\n ]\n}',
        )
        self.assertEqual(ask("format_json", json="[1]"), "[\n  1\n]")
        self.assertEqual(ask("format_json", json=" 1.50 "), "1.50")

    def test_text_that_is_none_is_told_where(self):
        self.assertEqual(
            ask_json("format_json", json='{\n "a": }'),
            {"valid": False, "line": 2, "column": 7, "problem": "Expecting value"},
        )
        for text in ("NaN", "[Infinity]", "'a'", "{a:1}", "01", "1 2", "", '"\n"'):
            with self.subTest(text):
                self.assertEqual(ask_json("format_json", json=text)["valid"], False)

    def test_depth_is_bounded_and_nothing_recurses_past_it(self):
        for depth, refused in ((100, False), (102, True), (1900, True)):
            self.assertEqual(ask("format_json", json="[" * depth + "]" * depth, indent=0) == "E_TOO_DEEP", refused)


class DiffTexts(unittest.TestCase):
    def test_it_is_a_unified_diff_with_its_missing_newline(self):
        self.assertEqual(
            ask("diff_texts", before="甲\n乙\n丙\n", after="甲\n丁\n丙", context=1),
            "--- before\n+++ after\n@@ -1,3 +1,3 @@\n 甲\n-乙\n-丙\n+丁\n+丙\n\\ No newline at end of file",
        )

    def test_a_carriage_return_is_a_difference_that_can_be_seen(self):
        self.assertEqual(ask("diff_texts", before="a\r\n", after="a\n").split("\n")[-2:], ["-a␍", "+a"])

    def test_equal_texts_are_said_to_be(self):
        for text in ("", "a", "a\n\n"):
            self.assertEqual(ask("diff_texts", before=text, after=text), "The texts are equal.")

    def test_only_line_feeds_end_lines(self):
        self.assertEqual(ask("diff_texts", before="a\u2028b", after="a\u2028c").count("\n-"), 1)


class TryRegex(unittest.TestCase):
    def test_matches_come_with_offsets_and_groups(self):
        self.assertEqual(
            ask_json("try_regex", pattern=r"(\d{4})-(?P<m>\d\d)?", text="从 2025- 到 2026-01"),
            {
                "valid": True,
                "count": 2,
                "matches": [
                    {"start": 2, "end": 7, "text": "2025-", "groups": ["2025", None], "named": {"m": None}},
                    {"start": 10, "end": 17, "text": "2026-01", "groups": ["2026", "01"], "named": {"m": "01"}},
                ],
            },
        )

    def test_flags_do_what_they_say(self):
        given = {"pattern": "^a.b$", "text": "x\nA\nb"}
        self.assertEqual(ask_json("try_regex", **given)["count"], 0)
        self.assertEqual(ask_json("try_regex", **given, ignore_case=True, multiline=True, dot_all=True)["count"], 1)

    def test_fifty_matches_are_shown_and_all_are_counted(self):
        found = ask_json("try_regex", pattern="", text="a" * 99)
        self.assertEqual((found["count"], len(found["matches"])), (100, 50))

    def test_a_pattern_that_is_none_is_told_why(self):
        self.assertEqual(
            ask_json("try_regex", pattern="a(", text=""),
            {"valid": False, "problem": "missing ), unterminated subpattern", "position": 1},
        )
        for pattern in ("(" * 500, "a{99999999999999999999}", "(?P<x>", "*", "[z-a]", "(?<=a+)b"):
            with self.subTest(pattern):
                self.assertEqual(ask_json("try_regex", pattern=pattern, text="")["valid"], False)

    def test_an_endless_pattern_is_really_stopped(self):
        """The loop would run for hours: 2 to the 45th steps."""
        status, out, error = run("text-tools", "try_regex.py", {"pattern": "(a+)+$", "text": "a" * 45 + "b"})
        self.assertEqual((status, out, error), (2, "E_TOO_SLOW\n", ""))


class Ends(unittest.TestCase):
    def test_a_result_leaves_as_utf8_and_half_a_surrogate_pair_as_json_escapes_it(self):
        given = '"中\\ud800\\udc00 \\ud800"'
        self.assertEqual(run("text-tools", "format_json.py", {"json": given}), (0, '"中\U00010000 \\ud800"\n', ""))

    def test_a_code_leaves_with_status_two_and_alone(self):
        self.assertEqual(run("text-tools", "format_json.py", {"json": "[" * 300 + "]" * 300}), (2, "E_TOO_DEEP\n", ""))

    def test_a_fault_leaves_no_code(self):
        status, out, _ = run("text-tools", "format_json.py", {})
        self.assertEqual((status, out), (1, ""))

    def test_equal_input_gives_equal_output_under_any_hash_seed(self):
        given = {"text": "b a c 云 计 b a c", "top": 3}
        self.assertEqual(len({run("text-tools", "word_frequency.py", given) for _ in range(3)}), 1)
