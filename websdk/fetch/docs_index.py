"""Whether the origin that served a page keeps an index for language models, remembered for a while."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

import attrs

from websdk.errors import EgressRefused
from websdk.fetch.headers import index_headers
from websdk.model.receipt import Attempt
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
RECIPIENT = "docs_index"
# The page is already there; a reader is not kept longer than this for a line beside it.
PROBE_S = 2.0
# Time of the call that a probe leaves untouched, so that a slow origin cannot turn a read into a late one.
MARGIN_S = 0.25
# Closing a connection takes no answer from anybody; a transport that will not let go is not waited for.
LEAVING_S = 0.1
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


@attrs.define(eq=False, kw_only=True)
class _Flight:
    """A probe under way: nobody's in particular, so that it outlives the read that began it while others wait.

    Attributes:
        task: What asks.
        call: Its own record.
        host: Whom it asks, for the record of a read that leaves before the answer.
        waiting: How many reads wait.
    """

    task: asyncio.Task[_Answer]
    call: Call
    host: str
    waiting: int = 0

    def attempts(self) -> tuple[Attempt, ...]:
        """Return what was sent, an answer that has not come included."""
        pending = Attempt(recipient=RECIPIENT, host=self.host, outcome="cancelled", elapsed_s=self.call.elapsed_s())
        return tuple(self.call.attempts) if self.task.done() else (pending,)


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
        self._flights: dict[str, _Flight] = {}

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
        """Wait for the probe of this origin as long as *call* may, and begin it where no read has.

        The last read that leaves ends it; the read that began it answers for what was sent.
        """
        wait_s = min(PROBE_S, call.remaining_s() - MARGIN_S)
        if wait_s <= 0:
            return _UNKNOWN
        flight = self._flights.get(index.origin)
        begins = flight is None or flight.task.get_loop() is not asyncio.get_running_loop()
        if flight is None or begins:
            flight = self._flights[index.origin] = self._begin(index, call)
        flight.waiting += 1
        try:
            await asyncio.wait({flight.task}, timeout=wait_s)
            return flight.task.result() if flight.task.done() else _UNKNOWN
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                self._forget(index.origin, flight.task)
                flight.task.cancel()
                await asyncio.wait({flight.task}, timeout=LEAVING_S)
            if begins:
                for attempt in flight.attempts():
                    call.record(attempt)

    def _begin(self, index: CheckedUrl, call: Call) -> _Flight:
        own = Call.start(id=call.id, operation=call.operation, clock=call.clock, deadline_s=PROBE_S)
        task = asyncio.create_task(self._run(index, own))
        task.add_done_callback(lambda done: self._forget(index.origin, done))
        return _Flight(task=task, call=own, host=f"{index.host}:{index.port}")

    async def _run(self, index: CheckedUrl, call: Call) -> _Answer:
        answer = await self._probe(index, call)
        if not isinstance(answer, _Unknown):
            self._remember(index.origin, answer, call.clock.monotonic())
        return answer

    def _forget(self, origin: str, task: asyncio.Task[_Answer]) -> None:
        flight = self._flights.get(origin)
        if flight is not None and flight.task is task:
            del self._flights[origin]

    def _remember(self, origin: str, answer: FoundIndex | None, now: float) -> None:
        self._known[origin] = (now + REMEMBERED_S, answer)
        self._known.move_to_end(origin)
        while len(self._known) > MAX_ORIGINS:
            self._known.popitem(last=False)

    async def _probe(self, index: CheckedUrl, call: Call) -> _Answer:
        request = HttpRequest(method="GET", url=index.href, headers=index_headers())
        limits = Limits(max_bytes=MAX_INDEX_BYTES, timeout_s=PROBE_S, connect_s=PROBE_S)
        try:
            async with asyncio.timeout(PROBE_S):
                reply = await send_recorded(self._transport, request, limits=limits, recipient=RECIPIENT, call=call)
        except TransportFailure as failure:
            # A file beyond the bound was there and is no index; anything else says nothing about the origin.
            return None if failure.kind is FailureKind.TOO_LARGE else _UNKNOWN
        except Exception:  # a probe never fails the read, whatever an embedder's resolver or connector raises
            return _UNKNOWN
        return _answer(index, reply)


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
