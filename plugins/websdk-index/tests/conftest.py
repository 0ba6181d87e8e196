"""An index in a folder of its own, and plain ways to fill and ask it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
import pytest
from websdk_index import AddOptions, IndexProvider, Report, add_path

from websdk.errors import Unreadable
from websdk.model import Document, Filters, SearchAnswer, SearchRequest
from websdk.protocols import Call

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


@attrs.frozen
class FixedClock:
    """Time that stands still."""

    def now(self) -> datetime:
        return NOW

    def monotonic(self) -> float:
        return 0.0


async def read_as_it_is(body: bytes, *, url: str, content_type: str) -> Document:
    """Take bytes for the text of a page; what a page reader does to them is tested elsewhere."""
    text = body.decode("utf-8", "replace")
    if not text.strip():
        raise Unreadable("the page is empty", seen="empty")
    return Document(url=url, title="", markdown=text)


def a_call(**changes: Any) -> Call:
    given: dict[str, Any] = {"id": "c1", "operation": "search", "clock": FixedClock(), "deadline_s": 30.0}
    return Call.start(**{**given, **changes})


@attrs.define
class Desk:
    """A folder of pages and its index."""

    index: Path
    folder: Path
    reader: Any = read_as_it_is

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def add(
        self, target: Path | None = None, *, base_url: str | None = "https://docs.example.com/", **more: Any
    ) -> Report:
        options = AddOptions(**more)
        target = self.folder if target is None else target
        return asyncio.run(add_path(self.index, target, base_url=base_url, read=self.reader, options=options))

    def answer(self, query: str, *, max_results: int = 10, page: int = 1, **filters: Any) -> SearchAnswer:
        request = SearchRequest(query=query, max_results=max_results, page=page, filters=Filters(**filters))
        return asyncio.run(IndexProvider(self.index).search(request, call=a_call()))

    def urls(self, query: str, **more: Any) -> list[str]:
        return [row.url for row in self.answer(query, **more).results]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    folder = tmp_path / "site"
    folder.mkdir()
    return Desk(index=tmp_path / "data" / "index.sqlite3", folder=folder)


@pytest.fixture(scope="session")
def new_desk(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Desk]:
    def make() -> Desk:
        room = tmp_path_factory.mktemp("desk")
        (room / "site").mkdir()
        return Desk(index=room / "index.sqlite3", folder=room / "site")

    return make


@pytest.fixture
def call() -> Callable[..., Call]:
    return a_call
