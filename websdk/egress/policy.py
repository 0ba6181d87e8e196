"""What an operator opens to page reads beyond the public internet. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import ip_network

import attrs

from websdk.egress.addresses import PUBLIC, SITE_WORDS, Address, Network, carried, parse_address, table, word_for
from websdk.egress.ports import BAD_PORTS
from websdk.errors import SettingsError
from websdk.model.domains import bare_host, is_public_suffix, is_within
from websdk.model.urls import parse

# RFC 1918 and unique local addresses: what "our intranet" means where nothing narrower is named.
DEFAULT_NETWORKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")


@lru_cache(maxsize=256)
def _network(text: str) -> Network:
    return ip_network(text)


def _problem_of_network(text: str) -> str | None:
    try:
        network = _network(text)
    except ValueError:
        return "a network is written as 10.20.0.0/16, without host bits"
    blocks = [(block, word) for block, word in table() if block.version == network.version]
    around = next((block, word) for block, word in blocks if network.subnet_of(block))  # type: ignore[arg-type]
    # Metadata addresses lie inside blocks that may be opened; they are refused one by one, whatever the network.
    within = [(block, word) for block, word in blocks if word != "metadata" and block.subnet_of(network)]  # type: ignore[arg-type]
    for block, word in (around, *within):
        if word != PUBLIC and word not in SITE_WORDS:
            return f"{text} reaches into {block} ({word}), which is never opened"
    return None


@attrs.frozen(kw_only=True)
class AllowEntry:
    """One host, or one family of hosts, that page reads may reach on a private network.

    The host may then resolve *only* inside ``networks``: an answer outside, a public one included, is refused.
    Link-local and metadata addresses stay closed whatever stands here. Loopback opens only where its literal address is
    the origin.

    Attributes:
        origin: ``scheme://host[:port]``; opens that host at that port.
        host_suffix: Host name that opens itself and its subdomains at every port that is not blocked.
        networks: Networks in which the host may live.

    Raises:
        SettingsError: Not exactly one of ``origin`` and ``host_suffix``, or one of the values cannot be used.
    """

    origin: str | None = None
    host_suffix: str | None = None
    networks: tuple[str, ...] = attrs.field(default=DEFAULT_NETWORKS, converter=tuple)

    def __attrs_post_init__(self) -> None:
        problems = [*self._problems()]
        if problems:
            raise SettingsError("egress.allow: an entry cannot be used", problems=problems)

    def _problems(self) -> Iterable[str]:
        if (self.origin is None) == (self.host_suffix is None):
            yield "give either origin or host_suffix"
        if self.origin is not None:
            yield from _problems_of_origin(self.origin)
        if self.host_suffix is not None:
            yield from _problems_of_suffix(self.host_suffix)
        if not self.networks:
            yield "networks: name at least one"
        for text in self.networks:
            problem = _problem_of_network(text)
            if problem is not None:
                yield f"networks: {problem}"

    def covers(self, host: str, port: int) -> bool:
        """Tell whether the entry is about *host* (lower-case A-labels, or a literal without brackets) at *port*."""
        if self.host_suffix is not None:
            return is_within(host, self.host_suffix.lower().removesuffix("."))
        parsed = parse(self.origin or "")
        return parsed is not None and (host, port) == (parsed.host.strip("[]"), parsed.port)

    def admits(self, address: Address) -> bool:
        """Tell whether a host of the entry may live at *address*."""
        inner = carried(address)
        if inner is not None and inner[0] == "ipv4_mapped":  # the same machine, as a socket of both families names it
            address = inner[1]
        word = word_for(address)
        if word == "loopback":
            return self._literal() == address
        if word != PUBLIC and word not in SITE_WORDS:
            return False
        return any(address in _network(text) for text in self.networks)

    def _literal(self) -> Address | None:
        parsed = parse(self.origin or "")
        return None if parsed is None else parse_address(parsed.host.strip("[]"))


def _problems_of_origin(origin: str) -> Iterable[str]:
    parsed = parse(origin)
    if parsed is None or parsed.has_credentials or parsed.href != f"{parsed.origin}/":
        yield "origin is scheme://host[:port] with http or https, and nothing behind it"
    elif parsed.port in BAD_PORTS:
        yield f"origin: port {parsed.port} belongs to another protocol and stays blocked"


def _problems_of_suffix(suffix: str) -> Iterable[str]:
    host = bare_host(suffix)
    if host is None:
        yield "host_suffix is a bare host name (no scheme, port, wildcard, leading dot or address)"
    elif is_public_suffix(host):
        yield f"host_suffix: anybody may register under {host}; name a domain of your own"


def _entries(given: Iterable[AllowEntry]) -> tuple[AllowEntry, ...]:
    return tuple(given)


@attrs.frozen(kw_only=True)
class EgressOptions:
    """Where page reads may go beside the public internet.

    Attributes:
        allow: Hosts that are opened; see :class:`AllowEntry`.
    """

    allow: tuple[AllowEntry, ...] = attrs.field(default=(), converter=_entries)
