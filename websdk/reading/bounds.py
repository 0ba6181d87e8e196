"""Keep markup that is built to be slow from costing more than ordinary markup."""

from __future__ import annotations

import re

import attrs

from websdk.reading.options import ReadingOptions

_NAME = rb"<[a-zA-Z][^\s/>]*+"
_ATTRIBUTE = rb"""(?:[\s/]++[^\s=>/][^\s=>/]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+)"""


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
    # A tag with too many attributes is at least this long, so a page of short tags is passed at the speed of a count.
    crowded = re.compile(rb"(%b%b{%d}+)%b++" % (_NAME, _ATTRIBUTE, limit, _ATTRIBUTE))
    elements = markup.count(b"<") - markup.count(b"</")
    if markup.count(b"=") + markup.count(b" ") < limit:
        return Bounded(markup=markup, cut=False, elements=elements)
    shorter, cuts = crowded.subn(rb"\1", markup)
    return Bounded(markup=shorter, cut=cuts > 0, elements=elements)
