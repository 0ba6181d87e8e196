"""What a plugin's factories are handed when a client is put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from websdk.model.connection import Connection
from websdk.protocols.call import Clock
from websdk.protocols.fetch import CheckedUrl
from websdk.protocols.search import AuthScheme, CredentialSource, SearchCodec, WebSearchProvider
from websdk.protocols.transport import ByteStream, Transport


class Guard(Protocol):
    """The egress guard as a rung sees it: it judges, and it opens what it judged."""

    def judge(self, url: str) -> CheckedUrl:
        """Return *url* as an address that a page read may reach, before any name is looked up.

        Raises:
            EgressRefused: A rule forbids it.
        """
        ...

    async def open(self, scheme: str, host: str, port: int, *, timeout_s: float) -> ByteStream:
        """Open a TCP connection to an address of *host* that was judged, and to no other.

        Args:
            scheme: ``http`` or ``https``: what will be spoken. No TLS is begun; the caller does that.
            host: Host name or literal address.
            port: Port, 1 to 65535.
            timeout_s: Seconds for the look-up and the connecting together.

        Raises:
            EgressRefused: A rule forbids the host, the port or every address of it.
            OSError: The name does not resolve, or no address takes the connection.
        """
        ...


class Assembly(Protocol):
    """The client under construction: what settings and arguments say, for the one who asks by name.

    A factory takes from it what its providers and rungs need and keeps that; it sends nothing while it runs.
    """

    @property
    def clock(self) -> Clock:
        """Where time comes from."""
        ...

    @property
    def guard(self) -> Guard:
        """What judges addresses of pages."""
        ...

    @property
    def max_page_bytes(self) -> int:
        """Ceiling for the bytes of a page, on every rung."""
        ...

    def connection(self, name: str) -> Connection:
        """Return the network identity of that name: what settings say, else one with nothing but the name."""
        ...

    def options(self, plugin: str) -> Mapping[str, Any]:
        """Return the settings table ``[plugin.<name>]``; empty where the operator wrote none."""
        ...

    def credential(self, connection: Connection) -> CredentialSource | None:
        """Return where the credential of *connection* comes from; ``None`` where none is configured.

        Raises:
            ConfigurationError: The connection names a credential that nothing offers.
        """
        ...

    def transport(self, connection: Connection) -> Transport:
        """Return the transport for calls to the vendor of *connection*; it never serves page reads."""
        ...

    def http_provider(
        self,
        codec: SearchCodec,
        *,
        connection: Connection,
        auth: AuthScheme | None = None,
        origins: frozenset[str] = frozenset(),
        credential: CredentialSource | None = None,
    ) -> WebSearchProvider:
        """Return a provider that drives *codec* with the client's own deadline, bounds, receipts and error mapping.

        Args:
            codec: What to send and how to read it.
            connection: Where the vendor is and how to talk to it.
            auth: Writes the credential into each request; ``None`` where the vendor takes none.
            origins: ``https://host[:port]`` that the credential may go to; it goes nowhere else.
            credential: Where the credential comes from; by default :meth:`credential` of *connection*.
        """
        ...
