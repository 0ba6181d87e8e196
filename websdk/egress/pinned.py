"""The verdict bound to the connection: one look-up, every answer judged, the socket opened to a judged address.

The backends have the shape that httpcore asks for: TLS is begun afterwards, with the host name of the URL, so the
address appears neither in the certificate check nor in the ``Host`` field.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Any, Protocol

import attrs
import httpcore

from websdk.egress.addresses import PUBLIC, SITE_WORDS, parse_address, word_for
from websdk.egress.judge import judge_host, judge_url, refusal
from websdk.egress.policy import AllowEntry, EgressOptions
from websdk.protocols.transport import ByteStream, Connector, FailureKind, Resolver, TransportFailure

# Addresses of one host that are tried, the families taking turns, so that a dead first answer or a dead family does not
# end the read. Each gets an even share of the time that is left, at least 2.5 s of the usual 10.
MAX_DIALLED = 4
CONNECT_S = 10.0  # where the caller names no time: as long as the limits of an exchange give by default


class BackendStream(httpcore.AsyncNetworkStream):
    """A connector's stream in the shape of httpcore, with its exceptions."""

    def __init__(self, stream: ByteStream) -> None:
        self.stream = stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Return at least one byte, or none at the end."""
        try:
            return await self.stream.read(max_bytes, timeout)
        except TimeoutError:
            raise httpcore.ReadTimeout("nothing arrived in time") from None
        except OSError:
            raise httpcore.ReadError("the connection broke off") from None

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write all of *buffer*."""
        if not buffer:
            return
        try:
            await self.stream.write(buffer, timeout)
        except TimeoutError:
            raise httpcore.WriteTimeout("nothing was taken in time") from None
        except OSError:
            raise httpcore.WriteError("the connection broke off") from None

    async def aclose(self) -> None:
        """Close the connection."""
        await self.stream.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> BackendStream:
        """Return the stream that speaks TLS with *server_hostname*.

        Raises:
            TransportFailure: The handshake failed or did not end in time; the connection is closed.
        """
        try:
            return BackendStream(await self.stream.start_tls(ssl_context, server_hostname or "", timeout))
        except TimeoutError:
            failure = TransportFailure(FailureKind.TIMEOUT, "the TLS handshake did not end in time", sent=False)
        except ssl.SSLCertVerificationError as exc:
            failure = TransportFailure(
                FailureKind.TLS, f"the certificate is not valid for the host: {exc.verify_message}", sent=False
            )
        except OSError:
            failure = TransportFailure(FailureKind.TLS, "the TLS handshake failed", sent=False)
        await self.aclose()
        raise failure

    def get_extra_info(self, info: str) -> Any:
        """Return whether the stream is readable for ``is_readable``; ``None`` for anything else."""
        return self.stream.is_readable() if info == "is_readable" else None


class Gate(Protocol):
    """Which hosts and addresses a backend may dial."""

    def judge_name(self, host: str, port: int) -> None:
        """Judge what will be looked up.

        Raises:
            EgressRefused: A rule forbids it.
        """
        ...

    def judge_answers(self, host: str, port: int, addresses: Sequence[str]) -> None:
        """Judge every address of *host*.

        Raises:
            EgressRefused: A rule forbids one of them.
        """
        ...


class _Backend(httpcore.AsyncNetworkBackend):
    """Looks up once, has name and answers judged, and dials literal addresses in turn."""

    def __init__(self, gate: Gate, *, resolver: Resolver, connector: Connector) -> None:
        self._gate = gate
        self._resolver = resolver
        self._connector = connector

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> BackendStream:
        """Open a connection to *host* within *timeout* seconds, look-up included.

        Raises:
            EgressRefused: A rule forbids the host, the port or an address.
            TransportFailure: The name does not resolve, or no address takes the connection.
        """
        return BackendStream(await self.open(host, port, timeout_s=CONNECT_S if timeout is None else timeout))

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None
    ) -> BackendStream:
        """Refuse: no address of a page or vendor is a socket of this machine.

        Raises:
            EgressRefused: Always.
        """
        raise refusal("scheme")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)

    async def open(self, host: str, port: int, *, timeout_s: float) -> ByteStream:
        """Open a connection as :meth:`connect_tcp` does, and return the connector's own stream."""
        until = time.monotonic() + timeout_s
        self._gate.judge_name(host, port)
        addresses = await self._look_up(host, port, timeout_s)
        self._gate.judge_answers(host, port, addresses)
        return await self._dial(host, port, addresses, until)

    async def _look_up(self, host: str, port: int, timeout_s: float) -> Sequence[str]:
        if parse_address(host) is not None:
            return (host,)
        try:
            async with asyncio.timeout(timeout_s):
                addresses = tuple(await self._resolver.resolve(host, port))
        except TimeoutError:
            failure = TransportFailure(FailureKind.RESOLVE, f"the look-up of {host} did not end in time", sent=False)
        except OSError:
            failure = TransportFailure(FailureKind.RESOLVE, f"{host} does not resolve", sent=False)
        else:
            if addresses:
                return addresses
            failure = TransportFailure(FailureKind.RESOLVE, f"{host} has no address", sent=False)
        raise failure

    async def _dial(self, host: str, port: int, addresses: Sequence[str], until: float) -> ByteStream:
        turns = list(_in_turn(addresses))
        for position, address in enumerate(turns):
            share = (until - time.monotonic()) / (len(turns) - position)
            try:
                return await self._connector.connect(address, port, timeout=max(share, 0.0))
            except OSError:  # a time-out among it; the next address may answer
                continue
        raise TransportFailure(FailureKind.CONNECT, f"no address of {host} takes a connection", sent=False)


def _in_turn(addresses: Sequence[str]) -> Iterator[str]:
    """Yield the addresses to dial: in the resolver's order, but the families taking turns."""
    first = addresses[0]
    own = [address for address in dict.fromkeys(addresses) if (":" in address) == (":" in first)]
    other = [address for address in dict.fromkeys(addresses) if (":" in address) != (":" in first)]
    mixed = chain.from_iterable(zip_longest(own, other))
    yield from [address for address in mixed if address is not None][:MAX_DIALLED]


@attrs.frozen
class _PageGate:
    """The egress guard, with what the operator opened."""

    allow: tuple[AllowEntry, ...]

    def judge_name(self, host: str, port: int) -> None:
        shown = f"[{host}]" if ":" in host else host
        judge_url(f"http://{shown}:{port}/", allow=self.allow)

    def judge_answers(self, host: str, port: int, addresses: Sequence[str]) -> None:
        verdict = judge_host(host, port, addresses, self.allow)
        if not verdict.allowed:
            raise refusal(verdict.reason, host)


@attrs.frozen
class _EndpointGate:
    """Any host that an operator wrote, but no address that is never opened."""

    def judge_name(self, host: str, port: int) -> None:
        return None

    def judge_answers(self, host: str, port: int, addresses: Sequence[str]) -> None:
        for answer in addresses:
            address = parse_address(answer)
            word = "not_an_address" if address is None else word_for(address)
            if word not in (PUBLIC, "loopback", *SITE_WORDS):
                raise refusal(word, host)


class PinnedBackend(_Backend):
    """Dials for page reads: the guard judges host, port and every address before a socket opens.

    Args:
        resolver: Turns names into addresses; asked once a connection.
        connector: Opens connections to literal addresses.
        options: What the operator opened.
    """

    def __init__(self, *, resolver: Resolver, connector: Connector, options: EgressOptions | None = None) -> None:
        allow = (options or EgressOptions()).allow
        super().__init__(_PageGate(allow), resolver=resolver, connector=connector)


class DirectBackend(_Backend):
    """Dials for what an operator configured: vendors' base addresses and proxies, private networks and loopback too.

    Link-local and metadata addresses stay closed here as well. It never serves a page read.

    Args:
        resolver: Turns names into addresses; asked once a connection.
        connector: Opens connections to literal addresses.
    """

    def __init__(self, *, resolver: Resolver, connector: Connector) -> None:
        super().__init__(_EndpointGate(), resolver=resolver, connector=connector)
