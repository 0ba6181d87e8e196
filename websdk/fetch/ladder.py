"""The order of a page read, in one place. Nothing climbs: the rung that a call names serves it, or it fails."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import attrs

from websdk.errors import (
    AskAgain,
    ConfigurationError,
    DeadlineExceeded,
    FetchError,
    InvalidRequest,
    TooLarge,
    Unreadable,
    WebSdkError,
)
from websdk.fetch.docs_index import DocsIndexes
from websdk.fetch.options import FetchOptions
from websdk.fetch.outcome import failure_of, received, unread
from websdk.fetch.proxy import ProxyRung
from websdk.model.document import Document, FetchRequest, Via
from websdk.model.urls import parse, without_credentials
from websdk.protocols.assembly import Guard
from websdk.protocols.call import Call
from websdk.protocols.fetch import CheckedUrl, ClosableRung, FetchRung, RawDocument
from websdk.reading import ReadingOptions

_VENDOR_MARKDOWN = "text/markdown; charset=utf-8"


class PageExtractor(Protocol):
    """Makes documents of bytes within a deadline, off the event loop."""

    async def extract(
        self,
        body: bytes,
        *,
        url: str,
        content_type: str | None = None,
        options: ReadingOptions | None = None,
        deadline_s: float,
    ) -> Document:
        """Return the document; see :meth:`websdk.workers.ExtractionPool.extract`."""
        ...


class Ladder:
    """Reads pages over the rungs that exist here.

    Args:
        rungs: The rungs, each ``via`` at most once.
        pool: Makes documents of bytes.
        guard: Judges every address, whichever rung would go there.
        options: What the operator says about reading pages.
        docs_indexes: Finds the index of an origin; ``None`` for no such probe.
        reading: Choices and bounds of the reading; its length is set by each read.

    Raises:
        ConfigurationError: Two rungs claim one ``via``.
    """

    def __init__(
        self,
        rungs: Iterable[FetchRung],
        *,
        pool: PageExtractor,
        guard: Guard,
        options: FetchOptions | None = None,
        docs_indexes: DocsIndexes | None = None,
        reading: ReadingOptions | None = None,
    ) -> None:
        self._rungs: dict[Via, FetchRung] = {}
        for rung in rungs:
            if rung.via in self._rungs:
                raise ConfigurationError(f"two rungs want to serve via={rung.via}")
            self._rungs[rung.via] = rung
        self._pool = pool
        self._guard = guard
        self._options = options or FetchOptions()
        self._docs_indexes = docs_indexes if self._options.docs_index_discovery else None
        self._reading = reading or ReadingOptions()

    @property
    def rungs(self) -> tuple[Via, ...]:
        """The rungs that a call can name without naming a reader too, in the order local, proxy, render."""
        return tuple(via for via in Via if self._serves(via))

    @property
    def probes_origins(self) -> bool:
        """Whether this machine asks the origin of each page for an index, whichever rung read the page."""
        return self._docs_indexes is not None

    async def aclose(self) -> None:
        """End the reads under way on rungs that keep something running for them, such as a browser."""
        for rung in self._rungs.values():
            if isinstance(rung, ClosableRung):
                await rung.aclose()

    async def read(self, request: FetchRequest, *, call: Call) -> Document:
        """Read one page.

        Args:
            request: The page, and the rung that serves.
            call: Deadline and record of the read.

        Raises:
            ConfigurationError: Reading pages is switched off.
            InvalidRequest: The rung or the reader does not exist here; the message names those that do.
            EgressRefused: The guard refused the address; nothing was sent.
            FetchError: The page did not come, or holds nothing to read.
            ProviderError: The reader vendor failed.
            DeadlineExceeded: The time ran out; the work was stopped.
        """
        try:
            rung = self._rung(request)
            url = self._guard.judge(request.url)
            async with call.within_deadline():
                return await self._read(request, rung, url, call)
        except DeadlineExceeded as error:
            raise self._late(error, request.via, call) from None
        except WebSdkError as error:
            self._complete(error, request.via, call)
            raise

    async def _read(self, request: FetchRequest, rung: FetchRung, url: CheckedUrl, call: Call) -> Document:
        raw = received(await _brought(rung, url, call))
        if len(raw.body) > self._options.max_response_bytes:
            raise _too_large(request.via, url, self._options.max_response_bytes)
        failure = failure_of(raw, url, now=call.clock.now())
        if failure is not None:
            raise failure
        try:
            document = await self._pool.extract(
                raw.body,
                url=raw.served_url or url.href,
                content_type=_VENDOR_MARKDOWN if raw.is_markdown else raw.content_type,
                options=attrs.evolve(self._reading, max_characters=self._ceiling(request)),
                deadline_s=call.remaining_s(),
            )
        except Unreadable as error:
            raise unread(error, raw, url) from error.__cause__
        document = self._described(document, request, raw, url)
        document = await self._with_index(document, url, call)
        document = attrs.evolve(document, receipt=call.receipt(raw.reader or str(request.via)))
        self._tell(document, raw, call)
        return document

    def _rung(self, request: FetchRequest) -> FetchRung:
        if not self._options.enabled:
            raise ConfigurationError("reading pages is switched off (fetch.enabled)")
        rung = self._rungs.get(request.via)
        if isinstance(rung, ProxyRung):
            return rung.choose(request.provider)
        if request.provider is not None and request.via is not Via.PROXY:
            raise InvalidRequest("provider names a reader and goes with via=proxy only")
        if rung is None:
            there = ", ".join(self.rungs) or "none"
            raise InvalidRequest(f"there is no rung {request.via} here; there are: {there}")
        return rung

    def _serves(self, via: Via) -> bool:
        rung = self._rungs.get(via)
        return rung.has_default if isinstance(rung, ProxyRung) else rung is not None

    def _others(self, via: Via) -> tuple[Via, ...]:
        return tuple(other for other in self.rungs if other is not via)

    def _ceiling(self, request: FetchRequest) -> int:
        return self._options.max_characters if request.max_characters is None else request.max_characters

    def _described(self, document: Document, request: FetchRequest, raw: RawDocument, url: CheckedUrl) -> Document:
        """Return *document* with what is known about its way here."""
        return attrs.evolve(
            document,
            url=without_credentials(request.url) or url.href,
            served_url=raw.served_url,
            title=raw.title or document.title,
            published=raw.published or document.published,
            via=request.via,
            reader=raw.reader,
            extracted_by=(raw.reader or document.extracted_by) if raw.is_markdown else document.extracted_by,
            remaining_rungs=self._others(request.via),
            truncated_upstream=document.truncated_upstream or raw.truncated_upstream,
            incomplete=document.incomplete or raw.incomplete,
            notices=document.notices + raw.notices + _notices(raw),
            said_by_vendor=raw.said_by_vendor,
        )

    async def _with_index(self, document: Document, url: CheckedUrl, call: Call) -> Document:
        if self._docs_indexes is None:
            return document
        found = await self._docs_indexes.find(document.served_url or url.href, call=call)
        if found is None:
            return document
        notices = document.notices
        if found.full_url is not None:
            notices += (f"The whole documentation of this site as one text: {found.full_url}",)
        return attrs.evolve(document, docs_index=found.url, notices=notices)

    def _tell(self, document: Document, raw: RawDocument, call: Call) -> None:
        if document.hidden_content_detected:
            _tell_hidden(document.served_url or document.url, document.hidden_counts, call)
        call.emit(
            "fetch.finished",
            via=str(document.via),
            reader=document.reader,
            status=raw.status,
            bytes=len(raw.body),
            characters=len(document.markdown),
            truncated=document.truncated,
            strategy=document.strategy,
            elapsed_s=call.elapsed_s(),
        )

    def _complete(self, error: WebSdkError, via: Via, call: Call) -> None:
        """Add to *error* what only the ladder knows."""
        error.call_id = error.call_id or call.id
        if isinstance(error, Unreadable):
            error.rung = str(via)
            error.remaining_rungs = tuple(map(str, self._others(via)))
            left = ", ".join(error.remaining_rungs) or "none"
            error.args = (f"{error} (read over {via}; rungs left: {left})",)
            if error.hidden_content_detected:
                _tell_hidden(None, {}, call)

    def _late(self, error: DeadlineExceeded, via: Via, call: Call) -> DeadlineExceeded:
        return DeadlineExceeded(
            f"the read over {via} took longer than its deadline of {call.deadline_s:g} s",
            deadline_s=call.deadline_s,
            sent=bool(call.attempts) or error.sent,
            call_id=call.id,
        )


async def _brought(rung: FetchRung, url: CheckedUrl, call: Call) -> RawDocument:
    """Return what *rung*, which may be an embedder's, brings back.

    Raises:
        FetchError: It failed, whatever it raised, or brought nothing of the kind.
    """
    try:
        raw: object = await rung.read(url, call=call)
    except WebSdkError:
        raise
    except Exception as exc:
        # What it says may hold the address or the page, so that only its kind is told; the cause tells the rest.
        words = f"the rung {rung.via} raised {type(exc).__name__} at {url.host}"
        if isinstance(exc, (ConnectionError, TimeoutError)):
            raise AskAgain(f"{words}; the same read may work later") from exc
        raise FetchError(words) from exc
    if not isinstance(raw, RawDocument):
        raise FetchError(f"the rung {rung.via} returned no RawDocument")
    return raw


def _too_large(via: Via, url: CheckedUrl, limit: int) -> TooLarge:
    return TooLarge(f"the page of {url.host} over {via} is larger than {limit:,} bytes", limit_bytes=limit)


def _notices(raw: RawDocument) -> tuple[str, ...]:
    notices = []
    if raw.incomplete:
        notices.append("The reply ended before the page did; its end is missing.")
    if raw.truncated_upstream:
        notices.append("The page was cut before it was read here; its end is missing.")
    if raw.served_url is None:
        notices.append(f"{raw.reader or 'The rung'} does not say which address served the page; it may be another one.")
    if raw.proxied:
        notices.append("A configured proxy resolved the host and carried the page.")
    return tuple(notices)


def _tell_hidden(url: str | None, counts: dict[str, int], call: Call) -> None:
    page = None if url is None else parse(url)
    call.emit("fetch.hidden_content", host=None if page is None else page.host, **counts)
