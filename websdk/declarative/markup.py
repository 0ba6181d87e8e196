"""Text out of fields that a preset declares as HTML: tags go, entities are decoded once."""

from __future__ import annotations

import html
import re

# A tag begins with a letter, so that "3 < 4" stays; it holds no further angle bracket, so that each match is short.
_TAG = re.compile(r"<(?:/?([A-Za-z][A-Za-z0-9:]*)(?:[\s/][^<>]*)?|!--[^<>]*--)>")
_BLANKS = re.compile(r"\s+")
# Tags between which a reader sees a gap; the last part of a prefixed name counts (`jats:p`).
_BLOCKS = frozenset("p br div li ul ol td th tr table h1 h2 h3 h4 h5 h6 title sec blockquote pre hr".split())


def plain_text(text: str) -> str:
    """Return the text of an HTML fragment: tags removed, entities decoded once, blanks folded."""
    bare = _TAG.sub(_gap, text)
    return _BLANKS.sub(" ", html.unescape(bare)).strip()


def _gap(match: re.Match[str]) -> str:
    name = (match[1] or "").rsplit(":", 1)[-1].lower()
    return " " if name in _BLOCKS else ""
