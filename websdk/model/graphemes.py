"""Where a text may be cut: never inside what a reader sees as one character, as far as that fits."""

from __future__ import annotations


def cut(text: str, start: int, limit: int) -> int:
    """Return the end of the longest piece of *text* from *start* that has at most *limit* code points.

    A grapheme cluster (Unicode annex 29) is never split, unless it alone is longer than *limit*: then it is cut at the
    limit, so that going on from the returned place always makes progress.

    Args:
        text: Any text.
        start: Where the piece begins, in code points.
        limit: Most code points of the piece, from 1.
    """
    boundary = whole(text, start, limit)
    return boundary if boundary > start else min(start + limit, len(text))


def whole(text: str, start: int, limit: int) -> int:
    """Return the end of the longest piece of whole grapheme clusters; *start* where not even the first one fits.

    Args:
        text: Any text.
        start: Where the piece begins, in code points.
        limit: Most code points of the piece, from 1.
    """
    end = start + limit
    if end >= len(text):
        return len(text)
    if _is_plain_boundary(text[end - 1], text[end]):
        return end
    return _last_boundary(text, start, end)


def _is_plain_boundary(before: str, after: str) -> bool:
    # Between two ASCII characters there is always a boundary, but for CR LF (rules GB3 to GB5 and GB999).
    return before.isascii() and after.isascii() and not (before == "\r" and after == "\n")


def _last_boundary(text: str, start: int, end: int) -> int:
    import regex

    anchor = end - 1
    while anchor > start and not _is_plain_boundary(text[anchor - 1], text[anchor]):
        anchor -= 1
    boundary = anchor
    # A cluster is judged by what comes after it too, hence the text is not cut at `end` for the match.
    for match in regex.compile(r"\X").finditer(text, anchor):
        if match.end() > end:
            break
        boundary = match.end()
    return boundary
