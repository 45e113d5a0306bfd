"""Converts a measure between units, exactly: every factor is a fraction by definition, none is a measurement.

A family is what converts into each other. Factors are those of the SI, of the international yard and pound agreement
of 1959, and of the market system (市制) as the mainland has used it since 1930.
"""

import re
from fractions import Fraction
from typing import Any

from exact import is_finite_decimal, parse_number, shown
from skill_io import Refused, answer_with, compact

# How much one unit is of the first of its family. A name may be followed by others for the same unit.
LENGTH = """m metre meter 米 公尺=1; km 公里 千米=1000; dm 分米=1/10; cm 厘米 公分=1/100; mm 毫米=1/1000; um µm 微米=1/1000000;
nm 纳米=1/1000000000; in inch 英寸=0.0254; ft foot feet 英尺=0.3048; yd yard 码=0.9144; mi mile 英里=1609.344; nmi 海里=1852;
au 天文单位=149597870700; ly 光年=9460730472580800; 里 市里=500; 丈=10/3; 尺 市尺=1/3; 寸 市寸=1/30"""
MASS = """kg 千克 公斤=1; g gram 克=1/1000; mg 毫克=1/1000000; ug µg 微克=1/1000000000; t tonne 吨=1000;
lb pound 磅=0.45359237; oz ounce 盎司=0.028349523125; st stone=6.35029318; ct carat 克拉=0.0002; 斤 市斤=1/2; 两 市两=1/20;
钱=1/200; 担=50"""
AREA = """m2 m² 平方米=1; km2 km² 平方公里 平方千米=1000000; cm2 cm² 平方厘米=1/10000; mm2 mm²=1/1000000; ha 公顷=10000; are 公亩=100;
in2 in²=0.00064516; ft2 ft² 平方英尺=0.09290304; yd2 yd²=0.83612736; mi2 mi² 平方英里=2589988.110336; acre 英亩=4046.8564224;
亩 市亩=2000/3; 顷=200000/3"""
VOLUME = """l litre liter 升=1; ml cc 毫升=1/1000; cl=1/100; dl=1/10; m3 m³ 立方米 方=1000; cm3 cm³ 立方厘米=1/1000;
gal 美制加仑=3.785411784; qt=0.946352946; pt=0.473176473; cup 美制杯=0.2365882365; floz=0.0295735295625;
tbsp 汤匙=0.01478676478125; tsp 茶匙=0.00492892159375; ukgal 英制加仑=4.54609; ukpt=0.56826125; in3 in³=0.016387064;
ft3 ft³=28.316846592"""
TIME = """s second 秒=1; ms 毫秒=1/1000; us µs 微秒=1/1000000; ns 纳秒=1/1000000000; min minute 分 分钟=60; h hour 小时 时=3600;
d day 天 日=86400; week 周 星期=604800; 刻=900; 时辰=7200"""
SPEED = "m/s 米每秒=1; km/h kmh 公里每小时=5/18; mph 英里每小时=0.44704; kn knot 节=463/900; ft/s=0.3048"
DATA = """B byte 字节=8; bit b 比特=1; kB=8000; MB=8000000; GB=8000000000; TB=8000000000000; PB=8000000000000000;
KiB=8192; MiB=8388608; GiB=8589934592; TiB=8796093022208; PiB=9007199254740992; kbit kb=1000; Mbit Mb=1000000;
Gbit Gb=1000000000"""
ENERGY = """J 焦耳=1; kJ 千焦=1000; MJ=1000000; cal 卡=4.184; kcal 大卡 千卡=4184; Wh 瓦时=3600; kWh 度 千瓦时=3600000;
eV 电子伏=1.602176634e-19; BTU=1055.05585262"""
POWER = "W 瓦=1; kW 千瓦=1000; MW 兆瓦=1000000; PS 公制马力=735.49875; hp 英制马力=745.69987158227022"
PRESSURE = """Pa 帕=1; hPa 百帕=100; kPa 千帕=1000; MPa 兆帕=1000000; bar 巴=100000; mbar=100; atm 标准大气压=101325;
torr=20265/152; psi=44482216152605/6451600000"""
ANGLE = "deg ° 度角=1; turn 圈=360; gon=9/10; arcmin 角分=1/60; arcsec 角秒=1/3600"

FAMILIES = {
    "length": LENGTH,
    "mass": MASS,
    "area": AREA,
    "volume": VOLUME,
    "time": TIME,
    "speed": SPEED,
    "data": DATA,
    "energy": ENERGY,
    "power": POWER,
    "pressure": PRESSURE,
    "angle": ANGLE,
}

TEMPERATURES = {
    "K": (Fraction(1), Fraction(0)),
    "C": (Fraction(1), Fraction("273.15")),
    "F": (Fraction(5, 9), Fraction("459.67") * Fraction(5, 9)),
}
"""A scale to the factor and the sum that make kelvins of it."""

TEMPERATURE_NAMES = {
    "k": "K", "kelvin": "K", "开尔文": "K", "开": "K",
    "c": "C", "°c": "C", "℃": "C", "celsius": "C", "摄氏度": "C",
    "f": "F", "°f": "F", "℉": "F", "fahrenheit": "F", "华氏度": "F",
}  # fmt: skip


def table_of(text: str) -> dict[str, Fraction]:
    factors: dict[str, Fraction] = {}
    for entry in text.split(";"):
        names, factor = entry.split("=")
        factors |= {name: Fraction(factor) for name in names.split()}
    return factors


TABLES = {family: table_of(text) for family, text in FAMILIES.items()}


CASE_MATTERS = {"data", "energy", "power", "pressure"}
"""Where another case is another unit: MB is no Mb, and mW no MW."""


def find(unit: str) -> tuple[str, Fraction]:
    """A unit's family and factor. Its exact spelling counts first, then another case where that cannot mislead."""
    for fold in (str, str.casefold):
        wanted = fold(unit)
        found = {
            (family, factor)
            for family, table in TABLES.items()
            for name, factor in table.items()
            if fold(name) == wanted and (name == unit or family not in CASE_MATTERS)
        }
        if fold is str.casefold and re.fullmatch("M[a-z]", unit):
            break  # A prefix that means a million, not a thousandth.
        if len(found) == 1:
            return found.pop()
    raise Refused("E_UNKNOWN_UNIT")


def converted(value: Fraction, source: str, target: str) -> tuple[str, Fraction]:
    from_scale, to_scale = (TEMPERATURE_NAMES.get(unit.casefold()) for unit in (source, target))
    if from_scale and to_scale:
        factor, offset = TEMPERATURES[from_scale]
        kelvins = value * factor + offset
        if kelvins < 0:
            raise Refused("E_BELOW_ZERO")
        factor, offset = TEMPERATURES[to_scale]
        return "temperature", (kelvins - offset) / factor
    if from_scale or to_scale:
        find(target if from_scale else source)
        raise Refused("E_DIFFERENT_KINDS")
    (family, from_factor), (other, to_factor) = find(source), find(target)
    if family != other:
        raise Refused("E_DIFFERENT_KINDS")
    return family, value * from_factor / to_factor


def answer(given: dict[str, Any]) -> str:
    text = given["value"].strip().replace("−", "-")
    value = parse_number(text.removeprefix("-"))
    family, result = converted(-value if text.startswith("-") else value, given["from"].strip(), given["to"].strip())
    digits = given.get("digits", 15)
    return compact(
        {
            "value": shown(result, digits),
            "unit": given["to"].strip(),
            "kind": family,
            "exact": is_finite_decimal(result, digits),
        }
    )


if __name__ == "__main__":
    answer_with(answer)
