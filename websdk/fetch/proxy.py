"""The proxy rung: a named vendor fetches the page."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import attrs

from websdk.credentials import Secret
from websdk.errors import FetchError, InvalidRequest, ProviderError, TooLarge
from websdk.fetch.options import FetchOptions
from websdk.model.document import Via
from websdk.protocols.call import Call
from websdk.protocols.fetch import CheckedUrl, FetchRung, RawDocument, ReaderCodec
from websdk.transport.vendor import VendorCaller
from websdk.wire import HttpResponse

# A page inside JSON: letters beyond ASCII take three times their bytes as escapes, and facts stand around it.
_ESCAPED = 3
_ENVELOPE_BYTES = 64 * 1024


def reply_ceiling(page_bytes: int) -> int:
    """Return the bytes that a vendor's reply may have, on the wire and decoded, around a page of *page_bytes*."""
    return _ESCAPED * page_bytes + _ENVELOPE_BYTES


@attrs.define(kw_only=True)
class HttpReader:
    """A reader vendor: a codec (what to send, how to read it) and a way to call its vendor.

    Attributes:
        codec: The pure half.
        caller: Transport, credential and bounds; its ceiling holds for the reply with all that stands around the page.
        max_bytes: Ceiling for the page's bytes.
    """

    codec: ReaderCodec
    caller: VendorCaller
    max_bytes: int = FetchOptions().max_response_bytes

    @property
    def id(self) -> str:
        """Id by which calls name the reader."""
        return self.codec.id

    @property
    def via(self) -> Via:
        """Which rung it serves."""
        return Via.PROXY

    async def read(self, url: CheckedUrl, *, call: Call) -> RawDocument:
        """Have the vendor fetch the page, within the deadline of *call*.

        Raises:
            TooLarge: The reply, or the page in it, passes its ceiling.
            FetchError: The vendor says that the page did not come.
            ProviderError: The vendor, the connection or the credential failed.
            DeadlineExceeded: The call's time ran out.
        """
        secret = await self.caller.secret(call)
        exchange = self.codec.exchange(url, for_evidence=call.for_evidence)
        raw = await self.caller.drive(exchange, self._classify, secret, call)
        if len(raw.body) > self.max_bytes:
            raise TooLarge(
                f"the page that {self.id} brought is larger than {self.max_bytes:,} bytes", limit_bytes=self.max_bytes
            )
        if secret is not None:
            raw = _without(secret, raw)
        return attrs.evolve(raw, reader=self.id)

    def _classify(self, response: HttpResponse, now: datetime) -> ProviderError | FetchError | None:
        return self.codec.classify(response, now=now)


@attrs.define(kw_only=True)
class ProxyRung:
    """The readers that exist here, and the one that serves a call which names none.

    Attributes:
        readers: Readers by id.
        configured: Id that settings name; blank for none.
    """

    readers: Mapping[str, FetchRung]
    configured: str = ""

    @property
    def via(self) -> Via:
        """Which rung it is."""
        return Via.PROXY

    @property
    def has_default(self) -> bool:
        """Whether a call that names no reader is served."""
        return self.configured in self.readers

    def choose(self, provider: str | None) -> FetchRung:
        """Return the reader that a call names, else the one that settings name.

        Raises:
            InvalidRequest: There is none of that name, or none is named anywhere; the message lists those that exist.
        """
        name = provider or self.configured
        if name in self.readers:
            return self.readers[name]
        known = ", ".join(sorted(self.readers)) or "none"
        if not name:
            raise InvalidRequest(
                f"no reader is named for via=proxy: name one as provider, or set fetch.proxy ({known})"
            )
        raise InvalidRequest(f"there is no reader of that name for via=proxy; there are: {known}")

    async def read(self, url: CheckedUrl, *, call: Call) -> RawDocument:
        """Read with the reader that settings name."""
        return await self.choose(None).read(url, call=call)


def _without(secret: Secret, raw: RawDocument) -> RawDocument:
    """Return *raw* with every spelling of *secret* masked, because vendors echo what they were sent."""
    mask = secret.masked_in
    body = raw.body
    if any(spelling.encode() in body for spelling in secret.spellings()):
        body = mask(body.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    return attrs.evolve(
        raw,
        body=body,
        title=None if raw.title is None else mask(raw.title),
        served_url=None if raw.served_url is None else mask(raw.served_url),
        notices=tuple(map(mask, raw.notices)),
        said_by_vendor=tuple(map(mask, raw.said_by_vendor)),
    )
