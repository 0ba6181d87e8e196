"""The page reader of an `add`: many pages at once, on every processor there is."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self

from websdk.model import Document
from websdk.reading import ReadingOptions
from websdk.workers import ExtractionPool, WorkerOptions
from websdk_index.bounds import IN_PROCESS_BYTES, IN_PROCESS_PAGES, READ_DEADLINE_S

_WHOLE = ReadingOptions(max_characters=None, max_links=0)  # the links stand in the text as well


class PageReader:
    """Reads HTML in child processes that can be killed, and everything else where it is.

    The first pages are read in this process, so that a small folder starts no child.
    """

    def __init__(self) -> None:
        options = WorkerOptions(in_process_bytes=0)
        self._children = ExtractionPool(options)
        self._here = ExtractionPool(WorkerOptions(isolate=False))
        # Not more than there are children, so that a page's time is its own and not spent behind a slow one.
        self._turn = asyncio.Semaphore(options.children)
        self._left = IN_PROCESS_PAGES

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._here.aclose()
        await self._children.aclose()

    async def __call__(self, body: bytes, *, url: str, content_type: str) -> Document:
        """Return the whole document; see :class:`websdk_index.page.ReadPage`."""
        is_text = content_type in ("text/markdown", "text/plain")
        if is_text or (self._left > 0 and len(body) < IN_PROCESS_BYTES):
            self._left -= not is_text
            return await self._read(self._here, body, url, content_type)
        async with self._turn:
            return await self._read(self._children, body, url, content_type)

    async def _read(self, pool: ExtractionPool, body: bytes, url: str, content_type: str) -> Document:
        return await pool.extract(body, url=url, content_type=content_type, options=_WHOLE, deadline_s=READ_DEADLINE_S)
