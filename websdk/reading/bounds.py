"""Keep markup that is built to be slow from costing more than ordinary markup."""

from __future__ import annotations

import re

import attrs

from websdk.reading.options import ReadingOptions

_NAME = rb"<[a-zA-Z][^\s/>]*+"
# One attribute, as a browser's tokeniser takes it: no blank is needed after a quoted value or a slash, and a sign of
# equality begins a name where none stands before it.
_ATTRIBUTE = rb"""(?:[\s/]*+[^\s>/][^\s=>/]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+)"""
# Bytes that an attribute takes, with what parts it from the next.
_SHORTEST = 2


@attrs.frozen(kw_only=True)
class Bounded:
    """Markup within the bounds.

    Attributes:
        markup: The markup.
        cut: Whether attributes were left out.
        elements: How many tags open in it, at most.
    """

    markup: bytes
    cut: bool
    elements: int


def bound(markup: bytes, options: ReadingOptions) -> Bounded:
    """Cut attributes beyond the bound off every tag, before a parser sees them.

    Args:
        markup: The text of a page, in UTF-8.
        options: The bounds.

    Returns:
        The markup, whether anything was cut, and an upper bound on its elements.
    """
    limit = options.max_attributes
    crowded = re.compile(rb"(%b%b{%d}+)%b++" % (_NAME, _ATTRIBUTE, limit, _ATTRIBUTE))
    elements = markup.count(b"<") - markup.count(b"</")
    if len(markup) < _SHORTEST * limit:
        return Bounded(markup=markup, cut=False, elements=elements)
    shorter, cuts = crowded.subn(rb"\1", markup)
    return Bounded(markup=shorter, cut=cuts > 0, elements=elements)
