from __future__ import annotations

import asyncio

import pytest
from websdk_index import reader
from websdk_index.reader import PageReader

from websdk.errors import Unreadable
from websdk.model import Document

PAGE = "<title>Gears</title><main><h1>Gears</h1><p>The gears of the old mill turn slowly in the morning.</p></main>"


def read_all(*pages: tuple[bytes, str]) -> list[Document]:
    async def work() -> list[Document]:
        async with PageReader() as read:
            reading = [read(body, url="https://x.example/a", content_type=kind) for body, kind in pages]
            return list(await asyncio.gather(*reading))

    return asyncio.run(work())


def test_every_kind_of_page_is_read_whole_here_or_in_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    long = ("gears turn " * 10 + "\n\n") * 1_000
    for pages_here in (0, 32):
        monkeypatch.setattr(reader, "IN_PROCESS_PAGES", pages_here)
        html, markdown, text = read_all(
            (PAGE.encode(), "text/html"), (long.encode(), "text/markdown"), (long.encode(), "text/plain")
        )

        assert "turn slowly" in html.markdown
        assert "Gears" == html.title
        assert not markdown.truncated
        assert len(text.markdown) >= len(long.strip())


@pytest.mark.parametrize("kind", ["text/html", "text/markdown", "text/plain"])
def test_what_holds_nothing_to_read_is_unreadable(kind: str) -> None:
    with pytest.raises(Unreadable):
        read_all((b"  \n", kind))
    with pytest.raises(Unreadable):
        read_all((b"%PDF-1.7", kind))
