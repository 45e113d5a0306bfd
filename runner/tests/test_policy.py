"""The filter's program, run by a small interpreter of its own, answers every number of both machines as the lists say."""

import struct
import unittest

from xray_runner.sandbox import bpf, policy
from xray_runner.sandbox.numbers import AARCH64, X86_64

MACHINES = {"x86_64": X86_64, "aarch64": AARCH64}
ALLOW, DENY, KILL, ABSENT = policy.ALLOW, policy.DENY, policy.KILL, policy.ABSENT
PID = 4_321


class Machine:
    """Runs a program as the kernel does: one register, the call's number, architecture and six arguments as memory."""

    def __init__(self, name: str, egress: bool) -> None:
        self.name, self.numbers = name, MACHINES[name]
        code, holes = bpf.encode(policy.build(name, self.numbers, egress))
        for hole in holes:
            struct.pack_into("=I", code, hole, PID)
        self.program = [struct.unpack_from("=HBBI", code, at) for at in range(0, len(code), 8)]

    def ask(self, number: int, *arguments: int, architecture: int | None = None) -> int:
        wide = [argument & 0xFFFFFFFFFFFFFFFF for argument in (*arguments, *(0,) * (6 - len(arguments)))]
        data = struct.pack("=IIQ6Q", number & 0xFFFFFFFF, architecture or policy.ARCHITECTURES[self.name], 0, *wide)
        register, at = 0, 0
        while True:
            code, if_true, if_false, constant = self.program[at]
            at += 1
            if code == 0x20:
                (register,) = struct.unpack_from("=I", data, constant)
            elif code == 0x54:
                register &= constant
            elif code == 0x05:
                at += constant
            elif code in (0x15, 0x35):
                holds = register == constant if code == 0x15 else register >= constant
                at += if_true if holds else if_false
            elif code == 0x06:
                return constant
            else:
                raise AssertionError(f"instruction {code:#x}")

    def by_name(self, name: str, *arguments: int) -> int:
        return self.ask(self.numbers[name], *arguments)


class Policy(unittest.TestCase):
    def each(self):
        for name in MACHINES:
            for egress in (False, True):
                yield name, egress, Machine(name, egress)

    def test_every_number_is_answered_as_its_list_says(self) -> None:
        for name, egress, machine in self.each():
            wanted = dict.fromkeys(machine.numbers, DENY)
            for names, action in (
                (policy.ALLOWED, ALLOW),
                (policy.PRETENDED, policy.PRETEND),
                (policy.ABSENT_CALLS, ABSENT),
                (policy.UNSUPPORTED, policy.NOT_SUPPORTED),
                (policy.CRITICAL, KILL),
            ):
                wanted |= dict.fromkeys(names.split(), action)
            by_number = {machine.numbers[call]: action for call, action in wanted.items() if call in machine.numbers}
            looked_at = {machine.numbers[call] for call in policy.by_argument(egress) if call in machine.numbers}
            for number in range(1_200):
                if number not in looked_at:
                    self.assertEqual(machine.ask(number), by_number.get(number, ABSENT), (name, egress, number))

    def test_lists_do_not_overlap_and_name_only_what_exists(self) -> None:
        lists = [policy.ALLOWED, policy.PRETENDED, policy.ABSENT_CALLS, policy.UNSUPPORTED, policy.CRITICAL]
        names = [name for text in lists for name in text.split()] + list(policy.by_argument(egress=False))
        self.assertEqual(sorted(names), sorted(set(names)))
        self.assertEqual([name for name in names if name not in X86_64 and name not in AARCH64], [])

    def test_another_architecture_and_the_other_interface_of_this_one_end_the_process(self) -> None:
        for name, _, machine in self.each():
            for other in (0x40000003, 0x40000028, *policy.ARCHITECTURES.values()):
                if other != policy.ARCHITECTURES[name]:
                    self.assertEqual(machine.ask(machine.numbers["read"], architecture=other), KILL)
            high = KILL if name == "x86_64" else ABSENT
            for number in (0x40000000, 0x40000001, 0x7FFFFFFF, 0xFFFFFFFF):
                self.assertEqual(machine.ask(number), high)
            self.assertEqual(machine.ask(0x3FFFFFFF), ABSENT)

    def test_arguments_decide(self) -> None:
        thread = 0x3D0F00
        same = {
            ("clone", thread): ALLOW,
            ("clone", thread | 0x1000000): ALLOW,
            ("clone", 17): DENY,
            ("clone", 0x10F00 & ~0x100): DENY,
            ("clone", thread | 0x10000000): DENY,
            ("clone", thread | 0x2000): DENY,
            ("clone", thread | 0x4000): DENY,
            ("clone", thread | 17): DENY,
            ("kill", PID, 9): ALLOW,
            ("kill", PID + 1, 9): DENY,
            ("kill", 0, 9): DENY,
            ("kill", -1, 9): DENY,
            ("kill", -PID, 9): DENY,
            ("tgkill", PID, 1, 6): ALLOW,
            ("tgkill", 1, PID, 6): DENY,
            ("openat", -100, 1, 0): ALLOW,
            ("openat", -100, 1, 0o1001): ALLOW,
            ("openat", -100, 1, 0o1002): ALLOW,
            ("openat", -100, 1, 0o1000): DENY,
            ("openat", -100, 1, 0o1003): DENY,
            ("openat", -100, 1, 0o3001000): DENY,
            ("prlimit64", 0, 7, 0, 1): ALLOW,
            ("prlimit64", 0, 7, 1 << 32, 1): DENY,
            ("prlimit64", 0, 7, 8, 1): DENY,
            ("prlimit64", 5, 7, 0, 1): DENY,
            ("setrlimit", 0, 1): ALLOW,
            ("setrlimit", 9, 1): DENY,
            ("prctl", 15, 1): ALLOW,
            ("prctl", 1, 0): DENY,
            ("ioctl", 0, 0x5421): ALLOW,
            ("ioctl", 0, 0x5412): DENY,
            ("fcntl", 0, 4): ALLOW,
            ("fcntl", 0, 8): DENY,
            ("fcntl", 0, 1031): DENY,
            ("personality", 0xFFFFFFFF): ALLOW,
            ("personality", 0): DENY,
            ("socketpair", 1, 1 | 0o2004000, 0): ALLOW,
            ("socketpair", 1, 2, 0): DENY,
            ("socketpair", 2, 1, 0): DENY,
            ("sendto", 3, 1, 1, 0, 0, 0): ALLOW,
            ("sendto", 3, 1, 1, 0, 1 << 40, 16): DENY,
            ("sendto", 3, 1, 1, 0, 1, 16): DENY,
            ("sendto", 3, 1, 1, 0x4040, 0, 0): ALLOW,
            ("sendto", 3, 1, 1, 0x1, 0, 0): DENY,
            ("sendto", 3, 1, 1, 0x20000000, 0, 0): DENY,
            ("recvfrom", 3, 1, 1, 0x2, 0, 0): ALLOW,
            ("recvfrom", 3, 1, 1, 0x1, 0, 0): DENY,
            ("recvfrom", 3, 1, 1, 0x2000, 0, 0): DENY,
            ("getsockopt", 3, 1, 4, 1, 1): ALLOW,
            ("getsockopt", 3, 6, 1, 1, 1): ALLOW,
            ("getsockopt", 3, 1, 17, 1, 1): DENY,
            ("getsockopt", 3, 1, 77, 1, 1): DENY,
            ("getsockopt", 3, 6, 35, 1, 1): DENY,
            ("getsockopt", 3, 0, 4, 1, 1): DENY,
            ("renameat2", -100, 1, -100, 1, 1): ALLOW,
            ("renameat2", -100, 1, -100, 1, 2): ALLOW,
            ("renameat2", -100, 1, -100, 1, 4): DENY,
            ("sendmsg", 3, 1, 0): DENY,
            ("bind", 3, 1, 16): DENY,
            ("listen", 3, 1): DENY,
        }
        tiers = {
            ("socket", 2, 1 | 0o2000000, 0): (DENY, ALLOW),
            ("socket", 10, 1, 6): (DENY, ALLOW),
            ("socket", 2, 1, 262): (DENY, DENY),
            ("socket", 2, 2, 0): (DENY, DENY),
            ("socket", 2, 3, 1): (DENY, DENY),
            ("socket", 1, 1, 0): (DENY, DENY),
            ("socket", 16, 3, 0): (DENY, DENY),
            ("connect", 3, 1, 16): (DENY, ALLOW),
            ("setsockopt", 3, 6, 1, 1, 4): (DENY, ALLOW),
            ("setsockopt", 3, 6, 30, 1, 4): (DENY, DENY),
            ("setsockopt", 3, 1, 9, 1, 4): (DENY, ALLOW),
            ("setsockopt", 3, 1, 26, 1, 4): (DENY, DENY),
            ("setsockopt", 3, 0, 1, 1, 4): (DENY, DENY),
        }
        for name, egress, machine in self.each():
            for (call, *arguments), wanted in (same | {key: pair[egress] for key, pair in tiers.items()}).items():
                self.assertEqual(machine.by_name(call, *arguments), wanted, (name, egress, call, arguments))
