"""Which addresses are on the public internet: a table of this project's own. Pure.

The standard library's ``is_global`` answers another question and answers it differently from release to release, so
nothing here asks it. Sources: the IANA IPv4 and IPv6 special-purpose address registries and multicast registries as of
2026-11, RFC 4291, RFC 6052, RFC 8215, RFC 9602, RFC 9637, and the published metadata addresses of cloud platforms.
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

TABLE_DATE = "2026-11"
PUBLIC = "public"

# Blocks that are one site's own. An operator may open them to page reads and may place a vendor in them.
SITE_WORDS = frozenset({"private", "unique_local", "shared_address_space", "benchmarking"})

# Prefixes whose last 32 bits are an IPv4 address, which is what gets judged. NAT64 must not be refused as a whole: on
# an IPv6-only network it is how every IPv4-only site is reached.
CARRIERS = {"ipv4_mapped": "::ffff:0:0/96", "nat64": "64:ff9b::/96"}

_BLOCKS: tuple[tuple[str, str], ...] = (
    ("0.0.0.0/0", PUBLIC),
    ("0.0.0.0/8", "this_network"),
    ("10.0.0.0/8", "private"),
    ("100.64.0.0/10", "shared_address_space"),
    ("100.100.100.200/32", "metadata"),  # Alibaba Cloud
    ("127.0.0.0/8", "loopback"),
    ("168.63.129.16/32", "metadata"),  # Azure: a public address that is answered by the host below
    ("169.254.0.0/16", "link_local"),
    ("172.16.0.0/12", "private"),
    ("192.0.0.0/24", "ietf_protocol"),
    ("192.0.2.0/24", "documentation"),
    ("192.88.99.0/24", "6to4_relay"),
    ("192.168.0.0/16", "private"),
    ("198.18.0.0/15", "benchmarking"),
    ("198.51.100.0/24", "documentation"),
    ("203.0.113.0/24", "documentation"),
    ("224.0.0.0/4", "multicast"),
    ("240.0.0.0/4", "reserved"),
    ("255.255.255.255/32", "broadcast"),
    ("::/0", "not_global_unicast"),
    ("::/96", "ipv4_compatible"),
    ("::/128", "unspecified"),
    ("::1/128", "loopback"),
    ("::ffff:0:0:0/96", "ipv4_translated"),
    ("64:ff9b:1::/48", "nat64_local"),  # keeps the address around bits 64 to 71, so its end says nothing
    ("100::/64", "discard_only"),
    ("100:0:0:1::/64", "dummy_prefix"),
    ("2000::/3", PUBLIC),
    ("2001::/23", "ietf_protocol"),
    ("2001::/32", "teredo"),
    ("2001:2::/48", "benchmarking"),
    ("2001:10::/28", "orchid"),
    ("2001:20::/28", "orchid"),
    ("2001:db8::/32", "documentation"),
    ("2002::/16", "6to4"),
    ("3fff::/20", "documentation"),
    ("5f00::/16", "srv6_sid"),
    ("fc00::/7", "unique_local"),
    ("fd00:ec2::/32", "metadata"),  # Amazon Web Services: metadata, clock and resolver
    ("fd20:ce::254/128", "metadata"),  # Google Cloud
    ("fe80::/10", "link_local"),
    ("fec0::/10", "site_local"),
    ("ff00::/8", "multicast"),
)


@lru_cache(maxsize=1)
def table() -> tuple[tuple[Network, str], ...]:
    """Return the blocks with their words, longest prefix first; the first one that holds an address decides."""
    blocks = [(ip_network(block), word) for block, word in _BLOCKS]
    return tuple(sorted(blocks, key=lambda entry: entry[0].prefixlen, reverse=True))


@lru_cache(maxsize=1)
def _carriers() -> tuple[tuple[Network, str], ...]:
    return tuple((ip_network(block), word) for word, block in CARRIERS.items())


def parse_address(text: str) -> Address | None:
    """Return the address that *text* spells in its canonical form or any IPv6 form, without a zone; else ``None``."""
    try:
        return ip_address(text.partition("%")[0])
    except ValueError:
        return None


def carried(address: Address) -> tuple[str, IPv4Address] | None:
    """Return the carrier and the IPv4 address that *address* carries; ``None`` where it carries none."""
    for block, word in _carriers():
        if address in block:
            return word, IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def word_for(address: Address) -> str:
    """Return ``public`` or the word of the block that holds *address*; ``carrier:word`` for what it carries."""
    inner = carried(address)
    if inner is not None:
        carrier, passenger = inner
        word = word_for(passenger)
        return word if word == PUBLIC else f"{carrier}:{word}"
    return next(word for block, word in table() if address in block)
