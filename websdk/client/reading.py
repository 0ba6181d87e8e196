"""What a client reads pages with: the rungs, the workers that extract, and what it remembers of origins."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from websdk.client.parts import Parts, Readers
from websdk.client.runtime import PAGES, LoopTransport
from websdk.protocols.fetch import FetchRung

if TYPE_CHECKING:
    from websdk.fetch import DocsIndexes, Ladder
    from websdk.workers import ExtractionPool


class PageReading:
    """Makes the ladders of one client, which share its rungs of plugins, its workers and its memory of origins.

    Args:
        parts: The client's parts.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._made: Ladder | None = None

    @cached_property
    def ladder(self) -> Ladder:
        """The client's own ladder."""
        return self._make(self._parts)

    def ladder_of(self, parts: Parts) -> Ladder:
        """Return the ladder whose readers are those of *parts*: the client's own, or one for a tenant."""
        return self.ladder if parts is self._parts else self._make(parts)

    def _make(self, parts: Parts) -> Ladder:
        from websdk.fetch import Ladder, LocalRung, ProxyRung

        options = self._parts.settings.fetch
        rungs: list[FetchRung] = [
            LocalRung(transport=self._pages(), max_bytes=options.max_response_bytes),
            ProxyRung(readers=Readers(parts), configured=options.proxy),
        ]
        if options.render:
            rungs.extend(self._parts.rungs.values())
        self._made = Ladder(
            rungs, pool=self._pool, guard=self._parts.guard, options=options, docs_indexes=self._docs_indexes
        )
        return self._made

    async def aclose_rungs(self) -> None:
        """End the reads under way on rungs that keep something running, whichever ladder they came over."""
        if self._made is not None:  # any ladder does, because all of them hold the same rungs of plugins
            await self._made.aclose()

    async def aclose_workers(self) -> None:
        """End every worker of the running loop."""
        if "_pool" in self.__dict__:
            await self._pool.aclose()

    def _pages(self) -> LoopTransport:
        return LoopTransport(self._parts.runtimes, self._parts.connection(PAGES))

    @cached_property
    def _pool(self) -> ExtractionPool:
        from websdk.workers import ExtractionPool

        return ExtractionPool(extractors=tuple(self._parts.host.extractors().values()))

    @cached_property
    def _docs_indexes(self) -> DocsIndexes:
        from websdk.fetch import DocsIndexes

        return DocsIndexes(transport=self._pages(), guard=self._parts.guard)
