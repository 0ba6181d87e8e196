"""Bytes of a page to Markdown.

Bytes, their address and their label come in; a :class:`~websdk.model.document.Document` goes out, or
:class:`~websdk.errors.Unreadable`. Nothing here reads a clock, a file or a network.
"""

from __future__ import annotations

from websdk.reading.llms_txt import DocsIndex, read_llms_txt
from websdk.reading.options import ReadingOptions
from websdk.reading.page import read_page
from websdk.reading.seen import Seen
from websdk.reading.strategy import Strategy

__all__ = ["DocsIndex", "ReadingOptions", "Seen", "Strategy", "read_llms_txt", "read_page"]
