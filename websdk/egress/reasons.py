"""Every word that a verdict may give as its reason, with what it means. Data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from websdk.egress.addresses import CARRIERS, PUBLIC, table

ALLOWED = "allowed"

_OF_URLS = {
    PUBLIC: "Allowed: every address is on the public internet.",
    ALLOWED: "Allowed: an entry of egress.allow opens this host, and every address lies inside its networks.",
    "no_scheme": "The text does not begin with a scheme, so it is no absolute address.",
    "scheme": "The scheme is neither http nor https.",
    "too_long": "The address is longer than 8,192 characters.",
    "control_character": "A control character, or a blank before or after the address.",
    "empty_host": "The address names no host.",
    "host_spelling": "Programs read this spelling as different hosts: backslashes, missing slashes, a trailing dot, "
    "percent-encoding in the host, or an IPv4 address that is not four decimal numbers.",
    "unparsable_host": "The host is neither a host name nor an address.",
    "zone_id": "An IPv6 address with a zone, which means something on one machine only.",
    "credentials": "A user name or password stands in the address.",
    "bad_port": "The port is not a number from 1 to 65,535, written once in ASCII digits.",
    "blocked_port": "The port belongs to another protocol (the list of the Fetch standard).",
    "local_name": "The name means this machine or a cloud platform's metadata service, whatever it resolves to.",
    "resolution_failed": "The host has no address.",
    "not_an_address": "The resolver answered with something that is no address.",
    "outside_allowed_networks": "An entry of egress.allow opens this host for other networks only.",
}
_OF_BLOCKS = {
    "6to4": "2002::/16, which carries an IPv4 address.",
    "6to4_relay": "192.88.99.0/24, the withdrawn 6to4 relays.",
    "benchmarking": "A block for measuring network devices.",
    "broadcast": "255.255.255.255.",
    "discard_only": "100::/64, whose packets are thrown away.",
    "documentation": "A block for examples.",
    "dummy_prefix": "100:0:0:1::/64.",
    "ietf_protocol": "A block for protocols between network devices.",
    "ipv4_compatible": "::/96, which carries an IPv4 address.",
    "ipv4_translated": "::ffff:0:0:0/96, which carries an IPv4 address.",
    "link_local": "The local link, where cloud platforms keep credentials.",
    "loopback": "This machine.",
    "metadata": "A cloud platform's metadata service.",
    "multicast": "Many receivers at once.",
    "nat64_local": "64:ff9b:1::/48, which carries an IPv4 address.",
    "not_global_unicast": "IPv6 outside 2000::/3.",
    "orchid": "Identifiers that look like addresses.",
    "private": "A private network (RFC 1918).",
    "reserved": "240.0.0.0/4.",
    "shared_address_space": "A provider's inner network (100.64.0.0/10).",
    "site_local": "fec0::/10, withdrawn.",
    "srv6_sid": "Identifiers of routing segments.",
    "teredo": "2001::/32, which carries an IPv4 address.",
    "this_network": "0.0.0.0/8, which many systems take for this machine.",
    "unique_local": "A private network (fc00::/7).",
    "unspecified": "The address ::.",
}


def reasons() -> Mapping[str, str]:
    """Return every reason word with its meaning: of addresses as text, of blocks, and of carried IPv4 addresses."""
    inner = [word for block, word in table() if block.version == 4 and word != PUBLIC]
    carriers = {
        f"{carrier}:{word}": f"Carried inside an IPv6 address: {_OF_BLOCKS[word]}"
        for carrier in CARRIERS
        for word in inner
    }
    return MappingProxyType({**_OF_URLS, **_OF_BLOCKS, **dict(sorted(carriers.items()))})
