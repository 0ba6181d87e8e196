"""The guard of page reads as the client hands it to its rungs."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from websdk.egress import EgressOptions, judge_url
from websdk.protocols.fetch import CheckedUrl
from websdk.protocols.transport import ByteStream, Connector, Resolver, TransportFailure

if TYPE_CHECKING:
    from websdk.egress import DirectBackend, PinnedBackend


class PageGuard:
    """Judges addresses of pages, and opens connections to what it judged.

    Args:
        options: What the operator opened beside the public internet.
        resolver: Turns host names into addresses; ``None`` for the system's.
        connector: Opens connections to judged addresses; ``None`` for the system's.
    """

    def __init__(
        self, options: EgressOptions, *, resolver: Resolver | None = None, connector: Connector | None = None
    ) -> None:
        self.options = options
        self._given = resolver, connector

    @cached_property
    def _dialling(self) -> tuple[Resolver, Connector]:
        from websdk.egress import SystemConnector, SystemResolver

        resolver, connector = self._given
        return resolver or SystemResolver(), connector or SystemConnector()

    @cached_property
    def backend(self) -> PinnedBackend:
        """What dials pages: to judged addresses only."""
        from websdk.egress import PinnedBackend

        resolver, connector = self._dialling
        return PinnedBackend(resolver=resolver, connector=connector, options=self.options)

    def direct(self) -> DirectBackend:
        """Return what dials vendors: an operator wrote their addresses, so private networks are open to them."""
        from websdk.egress import DirectBackend

        resolver, connector = self._dialling
        return DirectBackend(resolver=resolver, connector=connector)

    def judge(self, url: str) -> CheckedUrl:
        """Return *url* as an address that a page read may reach, before any name is looked up.

        Raises:
            EgressRefused: A rule forbids it.
        """
        return judge_url(url, allow=self.options.allow)

    async def open(self, scheme: str, host: str, port: int, *, timeout_s: float) -> ByteStream:
        """Open a TCP connection to an address of *host* that was judged, and to no other.

        Raises:
            EgressRefused: A rule forbids the host, the port or every address of it.
            OSError: The name does not resolve, or no address takes the connection.
        """
        try:
            return await self.backend.open(host, port, timeout_s=timeout_s)
        except TransportFailure as failure:
            raise OSError(str(failure)) from None
