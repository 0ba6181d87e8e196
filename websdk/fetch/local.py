"""The local rung: this machine asks the page's origin, once."""

from __future__ import annotations

import attrs

from websdk.fetch.headers import page_headers
from websdk.fetch.options import FetchOptions
from websdk.fetch.outcome import untransported
from websdk.model.document import Via
from websdk.protocols.call import Call
from websdk.protocols.fetch import CheckedUrl, RawDocument
from websdk.protocols.transport import Limits, Transport, TransportFailure
from websdk.transport.sending import send_recorded
from websdk.wire import HttpRequest


@attrs.define(kw_only=True)
class LocalRung:
    """Reads a page over a transport whose every connection is judged and pinned.

    Attributes:
        transport: The transport of page reads, never one of a vendor.
        max_bytes: Ceiling for the page's bytes.
    """

    transport: Transport
    max_bytes: int = FetchOptions().max_response_bytes

    @property
    def via(self) -> Via:
        """Which rung it is."""
        return Via.LOCAL

    async def read(self, url: CheckedUrl, *, call: Call) -> RawDocument:
        """Ask for the page; redirects are not followed and nothing is asked twice.

        Raises:
            AskAgain: No reply came, or it broke off before it could be used.
            TooLarge: The page passes the ceiling.
            Unreadable: No trusted connection, or a content coding that is not read here.
            EgressRefused: An address that the host resolves to is not one a page read may reach.
        """
        request = HttpRequest(method="GET", url=url.href, headers=page_headers())
        limits = Limits(max_bytes=self.max_bytes, timeout_s=call.remaining_s())
        try:
            reply = await send_recorded(self.transport, request, limits=limits, recipient=str(self.via), call=call)
        except TransportFailure as failure:
            raise untransported(failure, url, timeout_s=limits.timeout_s) from None
        return RawDocument(
            body=reply.body,
            content_type=reply.header("content-type"),
            status=reply.status,
            location=reply.header("location"),
            retry_after=reply.header("retry-after"),
            served_url=url.href,
            incomplete=reply.incomplete,
            proxied=reply.proxied,
        )
