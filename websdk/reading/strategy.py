"""The readings of a page, one of which chooses its content."""

from __future__ import annotations

from enum import StrEnum


class Strategy(StrEnum):
    """Which reading chose the content of a document."""

    DOCUMENTATION = "documentation"
    """The content container of a documentation page, furniture taken out."""
    GUIDED = "guided"
    """Blocks that a general extractor chose, written from the page's own tree."""
    CONTAINER = "container"
    """The content container of a page that a general extractor made little of."""
    WHOLE = "whole"
    """Everything outside menus: the page is too short or too large to choose from."""
    FEED = "feed"
    """The entries of an RSS or Atom feed."""
    JSON = "json"
    """A JSON document, laid out."""
    MARKDOWN = "markdown"
    """Markdown as served."""
    TEXT = "text"
    """Text as served."""
    PDF = "pdf"
    """The text of a PDF file, page by page, by the extractor of the extra ``pdf``."""
