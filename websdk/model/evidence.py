"""Stored evidence as its readers see it: refs, origins and pages of a reading."""

from __future__ import annotations

import re
from enum import StrEnum

import attrs

from websdk.errors import RefUnknown

_REF = re.compile(r"([0-9a-z]{1,32})(?::([1-9][0-9]{0,5}))?", re.ASCII)


class PassageOrigin(StrEnum):
    """Where the text of a stored passage comes from. Continuation and ``find`` claim no more than this."""

    EXCERPT = "vendor_excerpt"
    """An excerpt that a search vendor chose."""
    VENDOR_PAGE = "vendor_page"
    """Text of a page as a vendor read it."""
    PAGE = "page_read_here"
    """Text of a page that this machine read."""


@attrs.frozen(kw_only=True)
class Ref:
    """The name of stored evidence: ``h`` is an entry, ``h:3`` its third result.

    Attributes:
        handle: Name of the entry within its session.
        number: Which result of it, from 1; ``None`` for the whole entry.
    """

    handle: str
    number: int | None = None

    @classmethod
    def parse(cls, text: str) -> Ref:
        """Return the ref that *text* spells.

        Raises:
            RefUnknown: It has another shape.
        """
        match = _REF.fullmatch(text.strip())
        if match is None:
            raise RefUnknown("this is no ref: a ref is copied from an answer and looks like h or h:3")
        return cls(handle=match[1], number=int(match[2]) if match[2] else None)

    def of(self, number: int) -> Ref:
        """Return the ref of result *number* of the same entry."""
        return Ref(handle=self.handle, number=number)

    def __str__(self) -> str:
        return self.handle if self.number is None else f"{self.handle}:{self.number}"


@attrs.frozen(kw_only=True)
class EvidencePage:
    """One reading of a stored passage.

    Attributes:
        ref: The passage that was read.
        url: Its address.
        title: Its title.
        text: The piece of it, exactly as stored.
        start: Where the piece begins, in code points from 0.
        length: Length of the whole stored passage, in code points.
        origin: Where the text comes from; nothing is claimed beyond it.
        asked_characters: Length that was asked of whoever made the text; ``None`` where none was stated.
        stored_clipped: Whether the passage was longer than what is kept here.
        matches: How often the text that was looked for stands in the passage; ``None`` outside a search for a text.
        more: Whether the passage goes on behind the piece.
        cursor: Where a continuation goes on.
        next_call: The exact next call that goes on, ready to copy.
        notices: Plain sentences a reader should know.
    """

    ref: str
    url: str
    title: str
    text: str
    start: int
    length: int
    origin: PassageOrigin
    asked_characters: int | None = None
    stored_clipped: bool = False
    matches: int | None = None
    more: bool = False
    cursor: str | None = None
    next_call: str | None = None
    notices: tuple[str, ...] = ()
