"""Sums with calendar days (proleptic Gregorian). No clock is read: there is no today in here."""

import calendar
from datetime import date, timedelta
from typing import Any

from skill_io import Refused, answer_with, compact

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WEEKDAYS_ZH = ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日")


def parse_date(text: str) -> date:
    """`YYYY-MM-DD` from year 1 to 9999."""
    if len(text) != 10 or not text.isascii() or text[4] + text[7] != "--":
        raise Refused("E_BAD_DATE")
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused("E_BAD_DATE") from None


def moved(start: date, years: int, months: int, days: int) -> date:
    """Years and months first; a day that the month lacks becomes its last. Then days."""
    months_on = start.year * 12 + start.month - 1 + years * 12 + months
    year, month = divmod(months_on, 12)
    if not 1 <= year <= 9999:
        raise Refused("E_OUT_OF_RANGE")
    day = min(start.day, calendar.monthrange(year, month + 1)[1])
    try:
        return date(year, month + 1, day) + timedelta(days=days)
    except OverflowError:
        raise Refused("E_OUT_OF_RANGE") from None


def described(day: date) -> dict[str, Any]:
    iso = day.isocalendar()
    return {
        "date": day.isoformat(),
        "weekday": WEEKDAYS[day.weekday()],
        "weekdayZh": WEEKDAYS_ZH[day.weekday()],
        "isoWeek": f"{iso.year:04}-W{iso.week:02}",
        "dayOfYear": day.timetuple().tm_yday,
        "daysInMonth": calendar.monthrange(day.year, day.month)[1],
        "leapYear": calendar.isleap(day.year),
    }


def between(start: date, end: date) -> dict[str, Any]:
    """What lies from `start` to `end`, the first not counted and the last counted; negative when `end` is earlier."""
    sign = 1 if end >= start else -1
    early, late = min(start, end), max(start, end)
    months = (late.year - early.year) * 12 + late.month - early.month
    if moved(early, 0, months, 0) > late:
        months -= 1
    rest = (late - moved(early, 0, months, 0)).days
    days = (late - early).days
    weeks, over = divmod(days, 7)
    working = weeks * 5 + sum((early.weekday() + offset) % 7 < 5 for offset in range(1, over + 1))
    return {
        "days": sign * days,
        "weeks": sign * weeks,
        "daysOver": sign * over,
        "years": sign * (months // 12),
        "months": sign * (months % 12),
        "daysRest": sign * rest,
        "mondaysToFridays": sign * working,
    }


def answer(given: dict[str, Any]) -> str:
    """With `until` the difference, else the date moved and described."""
    start = parse_date(given["date"])
    steps = [given.get(step, 0) for step in ("years", "months", "days")]
    if "until" in given:
        if any(steps):
            raise Refused("E_ONE_OR_THE_OTHER")
        return compact(between(start, parse_date(given["until"])))
    return compact(described(moved(start, *steps)))


if __name__ == "__main__":
    answer_with(answer)
