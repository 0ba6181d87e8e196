"""Whether the origin that served a page keeps an index for language models, remembered for a while."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

import attrs

from websdk.errors import EgressRefused
from websdk.fetch.headers import index_headers
from websdk.model.urls import parse
from websdk.protocols.assembly import Guard
from websdk.protocols.call import Call
from websdk.protocols.fetch import CheckedUrl
from websdk.protocols.transport import FailureKind, Limits, Transport, TransportFailure
from websdk.reading import read_llms_txt
from websdk.transport.sending import send_recorded
from websdk.wire import HttpRequest, HttpResponse
from websdk.wire.status import Meaning, meaning

INDEX_PATH = "/llms.txt"
# The page is already there; a reader is not kept longer than this for a line beside it.
PROBE_S = 2.0
# Time of the call that a probe leaves untouched, so that a slow origin cannot turn a read into a late one.
MARGIN_S = 0.25
# Index files of large sites run to a few hundred kilobytes; what is larger is a book, not an index.
MAX_INDEX_BYTES = 256 * 1024
REMEMBERED_S = 15 * 60.0
MAX_ORIGINS = 256  # a session of reading meets a few dozen
_MAX_ADDRESS = 2_048


@attrs.frozen(kw_only=True)
class FoundIndex:
    """An index that an origin keeps.

    Attributes:
        url: Its address.
        full_url: Address of the whole text at the same host, where the index lists one.
    """

    url: str
    full_url: str | None = None


class _Unknown:
    """No answer came; nothing is remembered."""


_UNKNOWN: Final = _Unknown()
_Answer = FoundIndex | None | _Unknown


class DocsIndexes:
    """Asks each origin once, and keeps its answer, an absence too, for a quarter of an hour.

    Nothing here fails or delays a read beyond its own bound.

    Args:
        transport: The transport of page reads.
        guard: Judges the address of the index like that of a page.
    """

    def __init__(self, *, transport: Transport, guard: Guard) -> None:
        self._transport = transport
        self._guard = guard
        self._known: OrderedDict[str, tuple[float, FoundIndex | None]] = OrderedDict()
        self._flights: dict[str, asyncio.Future[_Answer]] = {}

    async def find(self, served_url: str, *, call: Call) -> FoundIndex | None:
        """Return the index of the origin that served a page.

        Args:
            served_url: Address of the page.
            call: The read that the answer is for.

        Returns:
            The index; ``None`` where there is none, where none is known yet, or where the address has no origin that a
            page read may reach.
        """
        page = parse(served_url)
        if page is None:
            return None
        try:
            index = self._guard.judge(page.origin + INDEX_PATH)
        except EgressRefused:
            return None
        now = call.clock.monotonic()
        if index.origin in self._known:
            expires, known = self._known[index.origin]
            if now < expires:
                return known
            del self._known[index.origin]
        answer = await self._shared(index, call)
        return None if isinstance(answer, _Unknown) else answer

    async def _shared(self, index: CheckedUrl, call: Call) -> _Answer:
        """Probe, or wait for the probe that another read of this origin has begun."""
        loop = asyncio.get_running_loop()
        flight = self._flights.get(index.origin)
        if flight is not None and flight.get_loop() is loop:
            await asyncio.wait({flight}, timeout=_time_for(call))
            return flight.result() if flight.done() else _UNKNOWN
        flight = self._flights[index.origin] = loop.create_future()
        answer: _Answer = _UNKNOWN
        try:
            answer = await self._probe(index, call)
        finally:
            flight.set_result(answer)
            if self._flights.get(index.origin) is flight:
                del self._flights[index.origin]
        if not isinstance(answer, _Unknown):
            self._remember(index.origin, answer, call.clock.monotonic())
        return answer

    def _remember(self, origin: str, answer: FoundIndex | None, now: float) -> None:
        self._known[origin] = (now + REMEMBERED_S, answer)
        self._known.move_to_end(origin)
        while len(self._known) > MAX_ORIGINS:
            self._known.popitem(last=False)

    async def _probe(self, index: CheckedUrl, call: Call) -> _Answer:
        timeout_s = _time_for(call)
        if timeout_s <= 0:
            return _UNKNOWN
        request = HttpRequest(method="GET", url=index.href, headers=index_headers())
        limits = Limits(max_bytes=MAX_INDEX_BYTES, timeout_s=timeout_s, connect_s=timeout_s)
        try:
            async with asyncio.timeout(timeout_s):
                reply = await send_recorded(self._transport, request, limits=limits, recipient="docs_index", call=call)
        except TransportFailure as failure:
            # A file beyond the bound was there and is no index; anything else says nothing about the origin.
            return None if failure.kind is FailureKind.TOO_LARGE else _UNKNOWN
        except (TimeoutError, EgressRefused):
            return _UNKNOWN
        return _answer(index, reply)


def _time_for(call: Call) -> float:
    return min(PROBE_S, call.remaining_s() - MARGIN_S)


def _answer(index: CheckedUrl, reply: HttpResponse) -> _Answer:
    found = meaning(reply.status, has_body=bool(reply.body))
    if found in (Meaning.ASK_AGAIN, Meaning.UNEXPECTED):
        return _UNKNOWN
    if found is not Meaning.CONTENT:
        return None
    listing = read_llms_txt(reply.body, reply.header("content-type"))
    if listing is None:
        return _UNKNOWN if reply.incomplete else None
    return FoundIndex(url=index.href, full_url=_full_url(index, listing.full))


def _full_url(index: CheckedUrl, listed: str | None) -> str | None:
    """Return the address of the whole text, where it lies at the host that was asked."""
    joined = None if listed is None else parse(listed, index.href)
    if joined is None or joined.has_credentials or joined.host != index.host or len(joined.href) > _MAX_ADDRESS:
        return None
    return joined.href
