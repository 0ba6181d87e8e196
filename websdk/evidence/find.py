"""Find a text in a stored passage: literal, whatever the letter case, nothing fuzzy."""

from __future__ import annotations

import re

import attrs


@attrs.frozen(kw_only=True)
class Match:
    """The first place of a text in a passage.

    Attributes:
        start: Where it begins, in code points from 0.
        end: Where it ends.
        count: How often it stands in the whole passage, overlaps not counted twice.
    """

    start: int
    end: int
    count: int


def find(text: str, wanted: str) -> Match | None:
    """Return the first place of *wanted* in *text* and how often it occurs; ``None`` where it does not.

    Letter case is ignored character by character (Unicode simple case folding), so that positions stay exact.

    Args:
        text: A stored passage.
        wanted: What to look for; not empty, taken literally.
    """
    first: re.Match[str] | None = None
    count = 0
    for match in re.finditer(re.escape(wanted), text, re.IGNORECASE):
        first = first or match
        count += 1
    return None if first is None else Match(start=first.start(), end=first.end(), count=count)
