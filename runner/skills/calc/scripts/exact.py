"""Exact numbers for every script here: how they are read, bounded and shown. Nothing passes through a float."""

import re
from decimal import Context, Decimal
from fractions import Fraction

from skill_io import Refused

MAX_BITS = 14_000
"""Of a numerator or denominator: a little under the digits that Python is willing to print."""

MAX_EXPONENT = 4_000
SHOWN_DIGITS = 30

NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d+))?")


def parse_number(text: str) -> Fraction:
    """`12`, `0.5`, `.5`, `1e-3`, exactly. Refuses what is no number and what would take a page to write."""
    match = NUMBER.fullmatch(text)
    if match is None or not text.isascii():
        raise Refused("E_BAD_NUMBER")
    if match[1] is not None and abs(int(match[1])) > MAX_EXPONENT:
        raise Refused("E_TOO_LARGE")
    return bounded(Fraction(text))


def bounded(value: Fraction) -> Fraction:
    """The value, unless it has grown beyond what may be computed with."""
    if value.numerator.bit_length() > MAX_BITS or value.denominator.bit_length() > MAX_BITS:
        raise Refused("E_TOO_LARGE")
    return value


def shown(value: Fraction, digits: int = SHOWN_DIGITS) -> str:
    """All its digits when they end and are few, else rounded to `digits` significant ones, halves to even.

    A short number is written out, a very long or very small one with an exponent.
    """
    if value.denominator == 1 and len(str(abs(value.numerator))) <= digits:
        return str(value.numerator)
    context = Context(prec=digits, Emax=999_999, Emin=-999_999)
    rounded = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    plain = rounded.normalize(context)
    return format(plain, "f") if -12 <= plain.adjusted() <= digits else str(plain)


def is_finite_decimal(value: Fraction, digits: int = SHOWN_DIGITS) -> bool:
    """Whether `shown` tells the whole truth."""
    return Fraction(shown(value, digits)) == value
