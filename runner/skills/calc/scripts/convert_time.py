"""What a clock in one time zone says when a clock in another says this. Summer time, its gaps and repeats included."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from skill_io import Refused, answer_with, compact

MAX_TARGETS = 12


def zone_named(name: str) -> ZoneInfo:
    """An IANA name as `Asia/Shanghai`, spelled as the IANA does. A machine without zones has a code of its own."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        try:
            ZoneInfo("Europe/London")
        except (ZoneInfoNotFoundError, OSError):
            raise Refused("E_NO_ZONE_DATA") from None
        raise Refused("E_UNKNOWN_ZONE") from None


def parse_time(text: str) -> datetime:
    """`2026-03-29T02:30`, a blank for the T, seconds if wished, and no zone: that is a field of its own."""
    for layout in ("%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"):
        try:
            return datetime.strptime(text.strip().replace(" ", "T", 1), layout)
        except ValueError:
            continue
    raise Refused("E_BAD_TIME")


def moments_of(local: datetime, zone: ZoneInfo) -> list[datetime]:
    """The moments at which a clock there shows this: one, two in a repeated hour, none in one left out."""
    found: list[datetime] = []
    for fold in (0, 1):
        moment = local.replace(tzinfo=zone, fold=fold).astimezone(UTC)
        if moment.astimezone(zone).replace(tzinfo=None) == local and moment not in found:
            found.append(moment)
    return found


def on_the_clock(moment: datetime, name: str) -> dict[str, Any]:
    there = moment.astimezone(zone_named(name))
    offset = there.utcoffset() or timedelta(0)
    minutes = int(offset.total_seconds()) // 60
    sign = "-" if minutes < 0 else "+"
    return {
        "zone": name,
        "time": padded(there).replace("T", " "),
        "weekday": there.strftime("%A"),
        "offset": f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}",
        "summerTime": bool(there.dst()),
    }


def described(moment: datetime, names: list[str]) -> dict[str, Any]:
    return {"utc": padded(moment) + "Z", "clocks": [on_the_clock(moment, name) for name in names]}


def padded(moment: datetime) -> str:
    """Years of four digits, which `strftime` leaves to the C library."""
    return moment.replace(tzinfo=None).isoformat(sep="T", timespec="seconds")


def answer(given: dict[str, Any]) -> str:
    source = given["from"].strip()
    names = [name.strip() for name in given["to"].split(",") if name.strip()]
    if not 1 <= len(names) <= MAX_TARGETS:
        raise Refused("E_BAD_TARGETS")
    local, zone = parse_time(given["time"]), zone_named(source)
    result: dict[str, Any] = {}
    try:
        moments = moments_of(local, zone)
        result["moments"] = [described(moment, [source, *names]) for moment in moments]
    except OverflowError:
        raise Refused("E_OUT_OF_RANGE") from None
    if len(moments) != 1:
        result["note"] = "this time is shown twice there" if moments else "clocks there leave this time out"
    return compact(result)


if __name__ == "__main__":
    answer_with(answer)
