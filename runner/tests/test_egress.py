"""The egress tier: one port by TCP, names by descriptor 3, and every other way to the network closed as in the other tier."""

import json
import socket
import threading
import unittest
from pathlib import Path

from tests.support.site import Site
from tests.support.world import World
from tests.test_attacks import REFUSALS, modules

SCRIPTS = {
    "e/connect.py": """
import json, socket, sys
given = json.load(sys.stdin)
try:
    with socket.create_connection((given["host"], given["port"]), timeout=5) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(b"hello")
        print(connection.recv(100).decode(), connection.getpeername()[0])
except OSError as error:
    print(type(error).__name__)
""",
    "e/names.py": """
import json, os, sys
def ask(name):
    os.write(3, name.encode() + b"\\n")
    answer = b""
    while not answer.endswith(b"\\n"):
        answer += os.read(3, 4096)
    return json.loads(answer)
print(json.dumps([ask(name) for name in json.load(sys.stdin)["names"]]))
""",
    "e/socket_names.py": """
import socket
asked = socket.socket(fileno=3)
asked.sendall(b"local.example\\n")
print(asked.recv(100).decode(), end="")
""",
    "e/babble.py": """
import os, sys
os.write(3, b"x" * 400)
print(os.read(3, 100))
""",
    "e/secure.py": "import ssl; context = ssl.create_default_context(); print(context.verify_mode == ssl.CERT_REQUIRED)",
    "e/fine.py": "print('fine')",
}


class Egress(unittest.TestCase):
    site: Site

    @classmethod
    def setUpClass(cls) -> None:
        cls.listener = socket.create_server(("127.0.0.1", 0))
        cls.addClassCleanup(cls.listener.close)
        cls.port = cls.listener.getsockname()[1]
        attacks = {f"e/{name}": text for name, text in modules().items()}
        cls.site = Site(SCRIPTS | attacks, egress=True, concurrency=1, ports=(cls.port,), stub_names=True)
        cls.addClassCleanup(cls.site.close)

    def said(self, script: str, value: object = None) -> str:
        answer = self.site.run(script, value)
        self.assertEqual(answer.said, "ok", answer.body)
        return answer.body["stdout"]

    def test_the_allowed_port_answers_and_another_does_not(self) -> None:
        def answer() -> None:
            connection, _ = self.listener.accept()
            connection.sendall(connection.recv(100).upper())
            connection.close()

        threading.Thread(target=answer).start()
        self.assertEqual(self.said("e/connect.py", {"host": "127.0.0.1", "port": self.port}), "HELLO 127.0.0.1\n")
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            with socket.create_connection(("127.0.0.1", port)):
                other.accept()[0].close()
            self.assertEqual(self.said("e/connect.py", {"host": "127.0.0.1", "port": port}), "PermissionError\n")

    def test_names_are_answered_with_every_address_and_none_is_picked(self) -> None:
        names = ["both.example", "nobody.example", "", "a b", "x" * 254, "x" * 253, "both.example"]
        self.assertEqual(
            json.loads(self.said("e/names.py", {"names": names})),
            [
                {"addresses": ["2001:db8::1", "192.0.2.1"]},
                {"error": "not_found"},
                {"error": "bad_name"},
                {"error": "bad_name"},
                {"error": "bad_name"},
                {"error": "not_found"},
                {"addresses": ["2001:db8::1", "192.0.2.1"]},
            ],
        )

    def test_no_more_names_than_agreed(self) -> None:
        answers = json.loads(self.said("e/names.py", {"names": ["both.example"] * 18}))
        self.assertEqual(["error" in answer for answer in answers], [False] * 16 + [True] * 2)
        self.assertEqual(answers[17], {"error": "too_many"})

    def test_a_socket_made_of_the_descriptor_works_too(self) -> None:
        self.assertEqual(json.loads(self.said("e/socket_names.py")), {"addresses": ["127.0.0.1"]})

    def test_who_sends_no_line_gets_no_answer_and_harms_nobody(self) -> None:
        self.assertEqual(self.site.run("e/babble.py", timeout_ms=500).said, "timeout")
        self.assertEqual(self.said("e/fine.py"), "fine\n")

    def test_certificates_are_readable(self) -> None:
        if not Path("/etc/ssl/certs").exists():
            self.skipTest("this machine has no folder of certificates")
        self.assertEqual(self.said("e/secure.py"), "True\n")

    def test_the_attacks_on_the_network_fail_here_too(self) -> None:
        world = World()
        try:
            listed = json.loads(self.said("e/network.py", {"list": True}))
            # TCP by version 6 is one of the other families, and belongs to this tier.
            only = [name for name in listed if name != "open a socket of some other family"]
            answer = self.said("e/network.py", {"bare": False, "only": only, "world": world.told()})
            found = json.loads(answer)
            self.assertEqual({name: said for name, said in found.items() if said not in REFUSALS}, {})
            self.assertEqual(world.touched(), [])
        finally:
            world.close()

    def test_a_skill_of_the_other_tier_is_refused(self) -> None:
        for egress, network in ((True, "none"), (False, "egress")):
            with Site({"n/x.py": "print(1)"}, egress=egress, network=network) as site:
                answer = site.run("n/x.py")
                self.assertEqual((answer.status, answer.said), (403, "network_mismatch"))
                self.assertEqual(site.health()["skills"], [])
