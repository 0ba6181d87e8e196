"""The local rung: this machine asks the page's origin, once."""

from __future__ import annotations

import attrs

from websdk.fetch.headers import page_headers
from websdk.fetch.options import FetchOptions
from websdk.fetch.outcome import untransported
from websdk.model.document import Via
from websdk.model.receipt import Attempt
from websdk.protocols.call import Call
from websdk.protocols.fetch import CheckedUrl, RawDocument
from websdk.protocols.transport import Limits, Transport, TransportFailure
from websdk.wire import HttpRequest
from websdk.wire.status import Meaning, meaning


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
        timeout_s = call.remaining_s()
        started = call.clock.monotonic()
        attempt = Attempt(recipient=str(self.via), host=f"{url.host}:{url.port}", outcome="ok")
        try:
            reply = await self.transport.send(request, limits=Limits(max_bytes=self.max_bytes, timeout_s=timeout_s))
        except TransportFailure as failure:
            elapsed_s = call.clock.monotonic() - started
            call.record(attrs.evolve(attempt, outcome=failure.kind.value, elapsed_s=elapsed_s))
            raise untransported(failure, url, timeout_s=timeout_s) from None
        found = meaning(reply.status, has_body=bool(reply.body))
        call.record(
            attrs.evolve(
                attempt,
                outcome="ok" if found in (Meaning.CONTENT, Meaning.PARTIAL) else found.value,
                status=reply.status,
                elapsed_s=call.clock.monotonic() - started,
                wire_bytes=reply.wire_bytes,
                proxied=reply.proxied,
            )
        )
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
