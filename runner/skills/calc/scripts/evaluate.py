"""Works out an arithmetic expression exactly, by a grammar of its own. No name in it means anything but what is listed.

    sum     = product { ("+" | "-") product }
    product = signed { ("*" | "/" | "mod") signed }
    signed  = { "-" | "+" } power
    power   = postfix [ "^" signed ]
    postfix = atom { "!" | "%" }
    atom    = number | constant | function "(" sum { "," sum } ")" | "(" sum ")"

A value knows whether it is exact: it is, until a root or a logarithm that has no fraction enters it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from math import ceil, factorial, floor, gcd, isqrt, lcm
from typing import Any

from exact import MAX_BITS, bounded, is_finite_decimal, parse_number, shown
from skill_io import Refused, answer_with, compact

MAX_DEPTH = 60
MAX_FACTORIAL = 1_000
WORKING = Context(prec=80, Emax=999_999, Emin=-999_999)
"""Of approximate steps; thirty digits are shown, so that the last of them is right."""

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([a-z]+(?:10)?)|([-+*/^()!%,]))")
FULL_WIDTH = {0xFF01 + at: 0x21 + at for at in range(94)} | {0x3000: " "}
PRINTED = {"×": "*", "⋅": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "π": "pi"}
SPELLINGS = FULL_WIDTH | str.maketrans(PRINTED)
RAISED = re.compile("⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@dataclass(frozen=True)
class Value:
    number: Fraction
    exact: bool = True


def approximate(number: Decimal) -> Value:
    return Value(bounded(Fraction(number)), exact=False)


def decimal_of(value: Value) -> Decimal:
    return WORKING.divide(Decimal(value.number.numerator), Decimal(value.number.denominator))


def is_whole(value: Value) -> bool:
    return value.number.denominator == 1


# What the operators and functions mean.


def divided(a: Value, b: Value) -> Value:
    if b.number == 0:
        raise Refused("E_DIVISION_BY_ZERO")
    return Value(bounded(a.number / b.number), a.exact and b.exact)


def remainder(a: Value, b: Value) -> Value:
    """Has the sign of `b`, so that days and clocks come out right."""
    if b.number == 0:
        raise Refused("E_DIVISION_BY_ZERO")
    return Value(a.number % b.number, a.exact and b.exact)


def root(value: Value, degree: int) -> Value:
    """Exact where numerator and denominator are powers. The root of a negative number is refused."""
    if value.number < 0:
        raise Refused("E_NOT_REAL")
    top, bottom = whole_root(value.number.numerator, degree), whole_root(value.number.denominator, degree)
    if top is not None and bottom is not None:
        return Value(Fraction(top, bottom), value.exact)
    if degree == 2:
        return approximate(WORKING.sqrt(decimal_of(value)))
    return approximate(WORKING.power(decimal_of(value), WORKING.divide(Decimal(1), Decimal(degree))))


def negated(value: Value) -> Value:
    return Value(-value.number, value.exact)


def whole_root(number: int, degree: int) -> int | None:
    if degree == 2:
        found = isqrt(number)
        return found if found * found == number else None
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle - 1)
    return low if low**degree == number else None


def power(base: Value, exponent: Value) -> Value:
    exact = base.exact and exponent.exact
    if base.number == 0 and exponent.number < 0:
        raise Refused("E_DIVISION_BY_ZERO")
    if is_whole(exponent):
        times = exponent.number.numerator
        widest = max(base.number.numerator.bit_length(), base.number.denominator.bit_length())
        if widest > 1 and abs(times) * (widest - 1) > MAX_BITS:
            raise Refused("E_TOO_LARGE")
        return Value(bounded(base.number**times), exact)
    if base.number < 0:
        raise Refused("E_NOT_REAL")
    if exact and exponent.number.denominator <= 64:
        return power(root(base, exponent.number.denominator), Value(Fraction(exponent.number.numerator)))
    if base.number == 0:
        return Value(Fraction(0), exact)
    log = WORKING.multiply(WORKING.ln(decimal_of(base)), decimal_of(exponent))
    return exponential(Value(Fraction(log)))


def exponential(value: Value) -> Value:
    if abs(value.number) > 9_000:
        raise Refused("E_TOO_LARGE")
    return Value(Fraction(1), value.exact) if value.number == 0 else approximate(WORKING.exp(decimal_of(value)))


def logarithm(value: Value, take: Callable[[Decimal], Decimal]) -> Value:
    if value.number <= 0:
        raise Refused("E_NOT_REAL")
    found = take(decimal_of(value))
    whole = found == found.to_integral_value() and value.exact
    return Value(Fraction(found)) if whole else approximate(found)


def factorial_of(value: Value) -> Value:
    if not is_whole(value) or not 0 <= value.number <= MAX_FACTORIAL:
        raise Refused("E_BAD_ARGUMENT")
    return Value(bounded(Fraction(factorial(value.number.numerator))), value.exact)


def rounded(value: Value, places: Value = Value(Fraction(0))) -> Value:
    """Halves go away from zero, as on paper."""
    if not is_whole(places) or abs(places.number) > 100:
        raise Refused("E_BAD_ARGUMENT")
    scale = Fraction(10) ** places.number.numerator
    away = floor(abs(value.number) * scale + Fraction(1, 2)) / scale
    return Value(away if value.number >= 0 else -away, value.exact)


def whole_arguments(values: tuple[Value, ...], combine: Callable[..., int]) -> Value:
    if not all(map(is_whole, values)):
        raise Refused("E_BAD_ARGUMENT")
    return Value(
        bounded(Fraction(combine(*(value.number.numerator for value in values)))), all(v.exact for v in values)
    )


def chosen(values: tuple[Value, ...], choose: Callable[..., Value]) -> Value:
    return Value(choose(values, key=lambda value: value.number).number, all(value.exact for value in values))


FUNCTIONS: dict[str, tuple[int, int, Callable[..., Value]]] = {
    "sqrt": (1, 1, lambda a: root(a, 2)),
    "cbrt": (1, 1, lambda a: negated(root(negated(a), 3)) if a.number < 0 else root(a, 3)),
    "abs": (1, 1, lambda a: Value(abs(a.number), a.exact)),
    "floor": (1, 1, lambda a: Value(Fraction(floor(a.number)), a.exact)),
    "ceil": (1, 1, lambda a: Value(Fraction(ceil(a.number)), a.exact)),
    "round": (1, 2, rounded),
    "exp": (1, 1, exponential),
    "ln": (1, 1, lambda a: logarithm(a, WORKING.ln)),
    "log10": (1, 1, lambda a: logarithm(a, WORKING.log10)),
    "min": (1, 50, lambda *all_of: chosen(all_of, min)),
    "max": (1, 50, lambda *all_of: chosen(all_of, max)),
    "gcd": (1, 50, lambda *all_of: whole_arguments(all_of, gcd)),
    "lcm": (1, 50, lambda *all_of: whole_arguments(all_of, lcm)),
}
"""Name to fewest and most arguments, and what it does."""

CONSTANTS = {
    "pi": approximate(Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")),
    "e": approximate(WORKING.exp(Decimal(1))),
}


class Parser:
    """Reads and works out in one pass, left to right. Every refusal is a code."""

    def __init__(self, text: str):
        self.tokens = tokens_of(text)
        self.at = 0
        self.depth = 0

    def result(self) -> Value:
        value = self.sum()
        if self.at != len(self.tokens):
            raise Refused("E_BAD_EXPRESSION")
        return value

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        """The next token if it is one of these, else an empty string."""
        token = self.peek()
        if token == "" or token not in wanted:
            return ""
        self.at += 1
        return token

    def need(self, token: str) -> None:
        if not self.take(token):
            raise Refused("E_BAD_EXPRESSION")

    def sum(self) -> Value:
        value = self.product()
        while operator := self.take("+", "-"):
            other = self.product()
            number = value.number + other.number if operator == "+" else value.number - other.number
            value = Value(bounded(number), value.exact and other.exact)
        return value

    def product(self) -> Value:
        value = self.signed()
        while operator := self.take("*", "/", "mod"):
            other = self.signed()
            if operator == "*":
                value = Value(bounded(value.number * other.number), value.exact and other.exact)
            else:
                value = divided(value, other) if operator == "/" else remainder(value, other)
        return value

    def signed(self) -> Value:
        """Every recursion passes here, so here its depth is counted."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Refused("E_TOO_DEEP")
        sign = 1
        while operator := self.take("-", "+"):
            sign = -sign if operator == "-" else sign
        value = self.power()
        self.depth -= 1
        return negated(value) if sign < 0 else value

    def power(self) -> Value:
        base = self.postfix()
        return power(base, self.signed()) if self.take("^") else base

    def postfix(self) -> Value:
        value = self.atom()
        while operator := self.take("!", "%"):
            value = factorial_of(value) if operator == "!" else divided(value, Value(Fraction(100)))
        return value

    def atom(self) -> Value:
        if self.take("("):
            value = self.sum()
            self.need(")")
            return value
        token = self.peek()
        self.at += 1
        if token in CONSTANTS:
            return CONSTANTS[token]
        if token in FUNCTIONS:
            return self.call(*FUNCTIONS[token])
        if token[:1].isdigit() or token[:1] == ".":
            return Value(parse_number(token))
        raise Refused("E_BAD_EXPRESSION")

    def call(self, fewest: int, most: int, function: Callable[..., Value]) -> Value:
        self.need("(")
        arguments = [self.sum()]
        while self.take(","):
            arguments.append(self.sum())
        self.need(")")
        if not fewest <= len(arguments) <= most:
            raise Refused("E_BAD_ARGUMENT")
        return function(*arguments)


def tokens_of(text: str) -> list[str]:
    """Signs as they are printed (×, ÷, −, π, ³, full-width) are the plain ones; `**` is `^`."""
    level = RAISED.sub(lambda raised: f"^({raised[0].translate(LOWERED)})", text)
    plain = level.translate(SPELLINGS).replace("**", "^").lower().strip()
    tokens: list[str] = []
    at = 0
    while at < len(plain):
        match = TOKEN.match(plain, at)
        if match is None:
            raise Refused("E_BAD_EXPRESSION")
        tokens.append(match[match.lastindex or 0])
        at = match.end()
    return tokens


def answer(given: dict[str, Any]) -> str:
    value = Parser(given["expression"]).result()
    digits = given.get("digits", 30)
    result: dict[str, Any] = {"value": shown(value.number, digits)}
    if value.exact and not is_finite_decimal(value.number, digits):
        fraction = f"{value.number.numerator}/{value.number.denominator}"
        result["exactly"] = fraction if value.number.denominator > 1 else str(value.number.numerator)
    result["exact"] = value.exact
    return compact(result)


if __name__ == "__main__":
    answer_with(answer)
