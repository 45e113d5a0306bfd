"""Which IP addresses may be connected to (§14.1 point 2): ordinary global unicast, and nothing that embeds another.

The ranges are code. Nothing outside can add to them or take from them.
"""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from skill_io import Refused

NOT_PUBLIC_V4 = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 "
        "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"
    ).split()
)

GLOBAL_V6 = ip_network("2000::/3")
"""Everything else is loopback, private, link-local, multicast, mapped, translated or not given out."""

NOT_PUBLIC_V6 = tuple(ip_network(text) for text in "2001::/23 2001:db8::/32 2002::/16 3fff::/20".split())
"""Of the global range: protocol assignments with Teredo and ORCHID, documentation twice, 6to4."""

ISATAP = (0x0000_5EFE, 0x0200_5EFE)
"""In the upper half of an interface id: an IPv4 address follows."""


def is_public(text: str) -> bool:
    """Whether this text is the one spelling of an address on the public internet. Anything else is not."""
    if "%" in text:
        return False
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv4Address):
        return not any(address in network for network in NOT_PUBLIC_V4)
    return is_public_v6(address)


def is_public_v6(address: IPv6Address) -> bool:
    embeds_v4 = (int(address) >> 32) & 0xFFFF_FFFF in ISATAP
    return address in GLOBAL_V6 and not embeds_v4 and not any(address in network for network in NOT_PUBLIC_V6)


def checked_addresses(answers: list[str]) -> list[str]:
    """The answers, if there is one and all are public. One that is not refuses the name: there is no picking."""
    if not answers or not all(is_public(answer) for answer in answers):
        raise Refused("E_UNFETCHABLE")
    return answers
