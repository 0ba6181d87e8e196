"""Reading bytes that are there already: what fails fails on this machine, and nothing was sent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from websdk.errors import WebSdkError
from websdk.model.document import Document
from websdk.reading import ReadingOptions, read_page


def read(body: bytes, *, url: str, content_type: str | None = None, options: ReadingOptions | None = None) -> Document:
    """Read the bytes of a page in this process, without a network.

    Args:
        body: The bytes as served, content codings already undone.
        url: The address they came from; relative links are joined to it.
        content_type: The label they came with; ``None`` where there was none.
        options: Length of the text, images, bounds.

    Returns:
        The main content as Markdown, with what the page says about itself.

    Raises:
        Unreadable: The bytes are of another kind than text, hold nothing a visitor could read, or are built so that
            reading them would cost too much. ``seen`` names which.
    """
    with unsent():
        return read_page(body, url=url, content_type=content_type, options=options or ReadingOptions())


@contextmanager
def unsent() -> Iterator[None]:
    """Say of a failure inside the block that nothing was sent; the readers themselves cannot know."""
    try:
        yield
    except WebSdkError as error:
        error.sent = False
        raise
