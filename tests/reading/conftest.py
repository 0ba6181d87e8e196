"""A short way to read markup, and the cases that come with the repository."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from websdk.model.document import Document
from websdk.reading import ReadingOptions, read_page

PAGE = "https://docs.example/guide/intro.html"


@pytest.fixture(scope="session")
def read() -> Callable[..., Document]:
    """Reads the inside of a body as a page at :data:`PAGE`."""

    def reader(inside: str, *, head: str = "", options: ReadingOptions | None = None, url: str = PAGE) -> Document:
        body = f"<!doctype html><html><head>{head}</head><body>{inside}</body></html>".encode()
        return read_page(body, url=url, content_type="text/html; charset=utf-8", options=options or ReadingOptions())

    return reader
