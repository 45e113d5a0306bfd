"""Sums, units, dates and clocks."""

import unittest
from unittest import mock

from kit import ask, ask_json, module


def value(expression: str, **more: int) -> str:
    found = ask_json("evaluate", expression=expression, **more)
    return found if isinstance(found, str) else found["value"]


class Evaluate(unittest.TestCase):
    def test_results_are_exact(self):
        for expression, expected in {
            "0.1+0.2": "0.3",
            "(1234.56 × 1.13) ÷ 3": "465.0176",
            "1/3+1/6": "0.5",
            "2^64": "18446744073709551616",
            "2**-2": "0.25",
            "-2^2": "-4",
            "(-2)^2": "4",
            "2^3^2": "512",
            "4^1.5": "8",
            "8^(1/3)": "2",
            "cbrt(-27)": "-3",
            "sqrt(0.0225)": "0.15",
            "10!/8!": "90",
            "3!!": "720",
            "15% * 80": "12",
            "50%%": "0.005",
            "7 mod 3": "1",
            "-7 mod 3": "2",
            "7.5 mod 2": "1.5",
            "round(2.675, 2)": "2.68",
            "round(-0.5)": "-1",
            "floor(-0.5) + ceil(0.5)": "0",
            "gcd(12, 18, 27) + lcm(4, 6)": "15",
            "max(1, 2/3, 1.5) - min(3, abs(-2))": "-0.5",
            "log10(1000)": "3",
            "exp(0)": "1",
            "１＋２，": "E_BAD_EXPRESSION",
            "１＋２": "3",
            "３²": "9",
            "-3² + 10⁻¹": "-8.9",
            "2¹⁰": "1024",
            "sqrt(π²) - pi": "0",
            "2₃": "E_BAD_EXPRESSION",
            "①+1": "E_BAD_EXPRESSION",
            ".5 + 5.": "5.5",
            "1e3": "1000",
            "--+-1": "-1",
        }.items():
            with self.subTest(expression):
                self.assertEqual(value(expression), expected)

    def test_a_value_that_does_not_end_comes_with_its_fraction(self):
        self.assertEqual(
            ask_json("evaluate", expression="2/3", digits=5), {"value": "0.66667", "exactly": "2/3", "exact": True}
        )
        self.assertEqual(ask_json("evaluate", expression="10^30+1", digits=5)["exactly"], str(10**30 + 1))

    def test_what_was_approximated_says_so_and_has_all_digits_right(self):
        self.assertEqual(
            ask_json("evaluate", expression="sqrt(2)"), {"value": "1.41421356237309504880168872421", "exact": False}
        )
        self.assertEqual(value("pi", digits=40), "3.141592653589793238462643383279502884197")
        self.assertEqual(value("e", digits=20), "2.7182818284590452354")
        self.assertEqual(ask_json("evaluate", expression="sqrt(2)^2"), {"value": "2", "exact": False})

    def test_what_has_no_value_is_a_code(self):
        for expression, code in {
            "1/0": "E_DIVISION_BY_ZERO",
            "0^-1": "E_DIVISION_BY_ZERO",
            "5 mod 0": "E_DIVISION_BY_ZERO",
            "sqrt(-1)": "E_NOT_REAL",
            "(-8)^(1/3)": "E_NOT_REAL",
            "ln(0)": "E_NOT_REAL",
            "2.5!": "E_BAD_ARGUMENT",
            "1001!": "E_BAD_ARGUMENT",
            "gcd(1.5, 2)": "E_BAD_ARGUMENT",
            "sqrt(1, 2)": "E_BAD_ARGUMENT",
            "": "E_BAD_EXPRESSION",
            "1 2": "E_BAD_EXPRESSION",
            "1 +": "E_BAD_EXPRESSION",
            "(1": "E_BAD_EXPRESSION",
            "√2": "E_BAD_EXPRESSION",
            "sqrt 2": "E_BAD_EXPRESSION",
            "x": "E_BAD_EXPRESSION",
            "__import__('os')": "E_BAD_EXPRESSION",
            "(lambda: 1)()": "E_BAD_EXPRESSION",
            "1;2": "E_BAD_EXPRESSION",
        }.items():
            with self.subTest(expression):
                self.assertEqual(value(expression), code)

    def test_nothing_grows_beyond_its_bound(self):
        for expression in (
            "9^9^9",
            "1e4000*1e4000",
            "1e999999999",
            "exp(9001)",
            "2^14001",
            "(1/3)^9000",
            "1000!*1000!",
        ):
            with self.subTest(expression):
                self.assertEqual(value(expression), "E_TOO_LARGE")
        for expression in ("(" * 900 + "1" + ")" * 900, "2^" * 900 + "2", "sqrt(" * 300):
            self.assertEqual(value(expression), "E_TOO_DEEP")
        self.assertEqual(value("1^999999999999"), "1")
        self.assertEqual(value("-" * 1999 + "1"), "-1")


class ConvertUnits(unittest.TestCase):
    def convert(self, given: str, source: str, target: str) -> str:
        found = ask_json("convert_units", **{"value": given, "from": source, "to": target})
        return found if isinstance(found, str) else found["value"]

    def test_units_of_every_kind_convert_by_definition(self):
        for given, source, target, expected in [
            ("1", "mi", "km", "1.609344"),
            ("5", "斤", "kg", "2.5"),
            ("3.6", "亩", "平方米", "2400"),
            ("3", "尺", "cm", "100"),
            ("1", "acre", "ha", "0.40468564224"),
            ("1", "gal", "ml", "3785.411784"),
            ("1", "h", "刻", "4"),
            ("90", "km/h", "m/s", "25"),
            ("1", "GiB", "MB", "1073.741824"),
            ("100", "Mbit", "MB", "12.5"),
            ("1", "kWh", "MJ", "3.6"),
            ("1", "度", "kcal", "860.420650095602"),
            ("1", "hp", "W", "745.69987158227"),
            ("1", "atm", "mbar", "1013.25"),
            ("1", "turn", "°", "360"),
            ("37.5", "℃", "F", "99.5"),
            ("-40", "°F", "摄氏度", "-40"),
            ("0", "K", "C", "-273.15"),
            ("−1", "km", "m", "-1000"),
        ]:
            with self.subTest(f"{given} {source}"):
                self.assertEqual(self.convert(given, source, target), expected)

    def test_there_and_back_is_the_same_for_every_unit(self):
        tables = module("convert_units").TABLES
        converted = module("convert_units").converted
        for table in tables.values():
            first = next(iter(table))
            for name in table:
                with self.subTest(name):
                    there = converted(module("exact").parse_number("1.7"), name, first)[1]
                    self.assertEqual(converted(there, first, name)[1], module("exact").parse_number("1.7"))

    def test_case_is_forgiven_only_where_it_cannot_mislead(self):
        self.assertEqual(self.convert("1", "KM", "M"), "1000")
        self.assertEqual(self.convert("1", "MB", "Mb"), "8")
        for unit in ("mb", "gb", "mw", "Mg", "Mm"):
            with self.subTest(unit):
                self.assertEqual(self.convert("1", unit, unit), "E_UNKNOWN_UNIT")

    def test_what_cannot_be_converted_is_a_code(self):
        self.assertEqual(self.convert("1", "kg", "m"), "E_DIFFERENT_KINDS")
        self.assertEqual(self.convert("1", "C", "m"), "E_DIFFERENT_KINDS")
        self.assertEqual(self.convert("1", "C", "nothing"), "E_UNKNOWN_UNIT")
        self.assertEqual(self.convert("-300", "C", "K"), "E_BELOW_ZERO")
        for text in ("", "x", "1,5", "--1", "１", "1/2", "inf", "nan", "0x10", "1_0"):
            with self.subTest(text):
                self.assertEqual(self.convert(text, "m", "km"), "E_BAD_NUMBER")


class DateMath(unittest.TestCase):
    def test_a_day_is_described_in_both_languages(self):
        self.assertEqual(
            ask_json("date_math", date="2024-12-30"),
            {
                "date": "2024-12-30", "weekday": "Monday", "weekdayZh": "星期一", "isoWeek": "2025-W01",
                "dayOfYear": 365,
                "daysInMonth": 31, "leapYear": True,
            },
        )  # fmt: skip

    def test_a_day_that_the_month_lacks_becomes_its_last(self):
        moves = [
            ({"months": 1}, "2024-02-29"),
            ({"months": 1, "days": 1}, "2024-03-01"),
            ({"years": 1, "months": 1}, "2025-02-28"),
            ({"months": -2}, "2023-11-30"),
            ({"days": -31}, "2023-12-31"),
        ]
        for step, expected in moves:
            with self.subTest(step):
                self.assertEqual(ask_json("date_math", date="2024-01-31", **step)["date"], expected)

    def test_between_two_days_the_first_is_not_counted(self):
        self.assertEqual(
            ask_json("date_math", date="2026-01-31", until="2026-03-01"),
            {"days": 29, "weeks": 4, "daysOver": 1, "years": 0, "months": 1, "daysRest": 1, "mondaysToFridays": 20},
        )
        self.assertEqual(ask_json("date_math", date="2026-03-01", until="2026-01-31")["days"], -29)
        self.assertEqual(ask_json("date_math", date="2026-10-30", until="2026-11-02")["mondaysToFridays"], 1)
        self.assertEqual(ask_json("date_math", date="2026-05-05", until="2026-05-05")["days"], 0)

    def test_what_is_no_day_is_a_code(self):
        for text in (
            "2026-02-29",
            "2026-13-01",
            "0000-01-01",
            "2026/01/01",
            "20260101ab",
            "２０２６-01-01",
            "2026-W01-1",
        ):
            with self.subTest(text):
                self.assertEqual(ask("date_math", date=text), "E_BAD_DATE")
        self.assertEqual(ask("date_math", date="9999-12-31", days=1), "E_OUT_OF_RANGE")
        self.assertEqual(ask("date_math", date="0001-01-01", months=-1), "E_OUT_OF_RANGE")
        self.assertEqual(ask("date_math", date="2026-01-01", until="2026-01-02", days=1), "E_ONE_OR_THE_OTHER")


class ConvertTime(unittest.TestCase):
    def clocks(self, time: str, source: str, target: str) -> object:
        found = ask_json("convert_time", **{"time": time, "from": source, "to": target})
        if isinstance(found, str):
            return found
        return [
            [(clock["zone"], clock["time"], clock["offset"]) for clock in moment["clocks"]]
            for moment in found["moments"]
        ]

    def test_clocks_in_other_zones_are_told_with_their_offset(self):
        self.assertEqual(
            self.clocks("2026-07-01 09:00", "Asia/Shanghai", "Europe/Berlin, Asia/Kathmandu"),
            [
                [
                    ("Asia/Shanghai", "2026-07-01 09:00:00", "+08:00"),
                    ("Europe/Berlin", "2026-07-01 03:00:00", "+02:00"),
                    ("Asia/Kathmandu", "2026-07-01 06:45:00", "+05:45"),
                ]
            ],
        )

    def test_an_hour_shown_twice_has_two_moments_and_one_left_out_has_none(self):
        twice = ask_json("convert_time", **{"time": "2026-10-25T02:30", "from": "Europe/Berlin", "to": "UTC"})
        self.assertEqual(
            [moment["utc"] for moment in twice["moments"]], ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]
        )
        self.assertEqual(twice["note"], "this time is shown twice there")
        gap = ask_json("convert_time", **{"time": "2026-03-29 02:30", "from": "Europe/Berlin", "to": "UTC"})
        self.assertEqual(gap, {"moments": [], "note": "clocks there leave this time out"})

    def test_what_is_no_zone_or_no_time_is_a_code(self):
        for zone in ("Nowhere/City", "../../etc/passwd", "/etc/passwd", "", "Asia", "asia/shanghai x", "\x00"):
            with self.subTest(zone):
                self.assertEqual(self.clocks("2026-01-01 00:00", zone, "UTC"), "E_UNKNOWN_ZONE")
        for text in ("2026-02-30 00:00", "2026-01-01 24:00", "2026-01-01", "now", "2026-01-01 00:00Z"):
            with self.subTest(text):
                self.assertEqual(self.clocks(text, "UTC", "UTC"), "E_BAD_TIME")
        self.assertEqual(self.clocks("0001-01-01 00:00", "Asia/Shanghai", "UTC"), "E_OUT_OF_RANGE")
        self.assertEqual(self.clocks("2026-01-01 00:00", "UTC", ", ,"), "E_BAD_TARGETS")
        self.assertEqual(self.clocks("2026-01-01 00:00", "UTC", "UTC," * 13), "E_BAD_TARGETS")

    def test_a_machine_without_zones_says_that_and_not_that_the_zone_is_wrong(self):
        script = module("convert_time")
        with mock.patch.object(script, "ZoneInfo", side_effect=script.ZoneInfoNotFoundError("none")):
            self.assertEqual(self.clocks("2026-01-01 00:00", "Asia/Shanghai", "UTC"), "E_NO_ZONE_DATA")
