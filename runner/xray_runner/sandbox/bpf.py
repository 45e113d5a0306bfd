"""Writes the classic BPF program that seccomp runs on every system call: a balanced tree over the numbers.

An instruction is (code, jump if true, jump if false, constant) as in the kernel's sock_filter.
"""

import struct
from collections.abc import Mapping, Sequence

Instruction = tuple[int, int, int, int]

# Stands for the process's own id until a process writes it in. No real id is as large.
OWN_PID = 0x7FFFFFF1

_LOAD, _AND, _JUMP, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x54, 0x05, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_LONGEST_JUMP = 255
# Jump targets of a test that are known only when the whole leaf is put together.
_NO = -1


def _low(argument: int) -> Instruction:
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * argument)


def _high(argument: int) -> Instruction:
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * argument + 4)


Test = tuple[Instruction, ...]
Leaf = tuple[Instruction, ...]


def one_of(argument: int, *values: int) -> Test:
    """The low half of the argument is one of the values. For arguments that the kernel reads as 32 bits."""
    last = len(values) - 1
    checks = [(_IF_EQUAL, last - at, 0 if at < last else _NO, value) for at, value in enumerate(values)]
    return (_low(argument), *checks)


def masked(argument: int, mask: int, value: int) -> Test:
    """The bits of the mask are exactly `value`."""
    return (_low(argument), (_AND, 0, 0, mask), (_IF_EQUAL, 0, _NO, value))


def masked_not(argument: int, mask: int, *values: int) -> Test:
    """The bits of the mask are none of the values."""
    return (_low(argument), (_AND, 0, 0, mask), *((_IF_EQUAL, _NO, 0, value) for value in values))


def null(argument: int) -> Test:
    """All 64 bits are zero."""
    return (_low(argument), (_IF_EQUAL, 0, _NO, 0), _high(argument), (_IF_EQUAL, 0, _NO, 0))


def answer(action: int) -> Leaf:
    """A leaf that looks at no argument."""
    return ((_RETURN, 0, 0, action),)


def decide(yes: int, no: int, *ways: Sequence[Test]) -> Leaf:
    """A leaf: `yes` if every test of one of the ways holds, else `no`."""
    leaf: list[Instruction] = []
    for way in ways:
        body = [instruction for test in way for instruction in test] + [(_RETURN, 0, 0, yes)]
        for at, (code, if_true, if_false, constant) in enumerate(body):
            to_next_way = len(body) - at - 1
            jumps = [to_next_way if jump == _NO else jump for jump in (if_true, if_false)]
            leaf.append((code, jumps[0], jumps[1], constant))
    return (*leaf, (_RETURN, 0, 0, no))


def program(
    architecture: int, leaves: Mapping[int, Leaf], unknown: int, foreign: int, foreign_from: int | None
) -> list[Instruction]:
    """The whole program: a leaf per number from 0 on and `unknown` for the numbers between.

    `foreign` answers another architecture, and every number from `foreign_from` on where that is given.
    """
    starts = _ranges(leaves, answer(unknown))
    if foreign_from is not None:
        starts.append((foreign_from, answer(foreign)))
    return [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_IF_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, foreign),
        (_LOAD, 0, 0, _NUMBER),
        *_tree(starts),
    ]


def _ranges(leaves: Mapping[int, Leaf], unknown: Leaf) -> list[tuple[int, Leaf]]:
    """The first number of each stretch that has one leaf, with that leaf."""
    starts = [(0, leaves.get(0, unknown))]
    for number in sorted({edge for known in leaves for edge in (known, known + 1)}):
        leaf = leaves.get(number, unknown)
        if leaf != starts[-1][1]:
            starts.append((number, leaf))
    return starts


def _tree(starts: Sequence[tuple[int, Leaf]]) -> list[Instruction]:
    if len(starts) == 1:
        return list(starts[0][1])
    middle = len(starts) // 2
    below, above = _tree(starts[:middle]), _tree(starts[middle:])
    border = starts[middle][0]
    if len(below) <= _LONGEST_JUMP:
        return [(_IF_AT_LEAST, len(below), 0, border), *below, *above]
    return [(_IF_AT_LEAST, 0, 1, border), (_JUMP, 0, 0, len(below)), *below, *above]


def encode(instructions: Sequence[Instruction]) -> tuple[bytearray, tuple[int, ...]]:
    """The bytes that the kernel takes, and the offsets of the constants that stand for the own process id."""
    for code, if_true, if_false, _ in instructions:
        if not (0 <= if_true <= _LONGEST_JUMP and 0 <= if_false <= _LONGEST_JUMP):
            raise ValueError(f"a jump of instruction {code:#x} is too long")
    code = bytearray().join(struct.pack("=HBBI", *instruction) for instruction in instructions)
    holes = tuple(8 * at + 4 for at, (_, _, _, constant) in enumerate(instructions) if constant == OWN_PID)
    return code, holes
