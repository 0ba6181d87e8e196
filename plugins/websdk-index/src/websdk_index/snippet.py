"""Cut the passage of a page that says most about a query. Pure."""

from __future__ import annotations

import re
from collections import Counter

from websdk_index.bounds import SNIPPET_CHARACTERS

_LINK = re.compile(r"!?\[([^\]\[]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_LINK_END = re.compile(r"\]\([^()\s]*\)")  # of a link in which the passage begins
_MARKS = re.compile(r"^\s{0,3}(?:#{1,6}\s+|>\s?|[-*+]\s+|```.*$|\|?[-:| ]{4,}$)|[*`]{1,3}|\s\|\s", re.M)
_BLANKS = re.compile(r"\s+")
_WORD = re.compile(r"\w+")
_HITS = 200  # places of one word that are looked at; a passage as good as any later one is among the first
_STEM = 4  # letters that an inflected form keeps at least
_SPAN = SNIPPET_CHARACTERS * 3 // 4  # within which words count as standing together
_LEAD = SNIPPET_CHARACTERS // 8  # characters shown before the first of them
_MARKUP = 4  # times the length of its plain text that a passage of Markdown may have


def make_snippet(markdown: str, words: tuple[str, ...]) -> str:
    """Return the passage of *markdown* with the most different *words*, as plain text.

    Args:
        markdown: The text of a page.
        words: The words of the query.

    Returns:
        At most 320 characters, with an ellipsis where text was left out.
    """
    start = _word_start(markdown, _best_start(markdown, words) - _LEAD)
    passage = markdown[start : start + _MARKUP * SNIPPET_CHARACTERS]
    text = _plain(passage)
    room = SNIPPET_CHARACTERS - 2
    whole = len(text) <= room and start + len(passage) >= len(markdown)
    if len(text) > room:
        text = text[: max(text.rfind(" ", 0, room), room // 2)]
    return ("…" if start else "") + text.strip() + ("" if whole else "…")


def _plain(markdown: str) -> str:
    text = _LINK_END.sub("", _LINK.sub(r"\1", markdown))
    return _BLANKS.sub(" ", _MARKS.sub(" ", text)).strip()


def _best_start(text: str, words: tuple[str, ...]) -> int:
    """Return where the span with the most different words begins."""
    hits = _hits(text.lower(), words)
    held: Counter[str] = Counter()
    best, most, first = 0, 0, 0
    for position, stem in hits:
        held[stem] += 1
        while position - hits[first][0] > _SPAN:
            held[hits[first][1]] -= 1
            first += 1
        different = sum(1 for number in held.values() if number)
        if different > most:
            best, most = hits[first][0], different
    return best


def _hits(lowered: str, words: tuple[str, ...]) -> list[tuple[int, str]]:
    stems = {_stem(part) for word in words for part in _WORD.findall(word.lower())}
    hits = []
    for stem in stems:
        position = lowered.find(stem)
        for _ in range(_HITS):
            if position < 0:
                break
            # Scripts beyond ASCII may be written without spaces; elsewhere a word begins after none of its letters.
            if not stem.isascii() or position == 0 or not lowered[position - 1].isalnum():
                hits.append((position, stem))
            position = lowered.find(stem, position + 1)
    return sorted(hits)


def _stem(word: str) -> str:
    return word[: max(_STEM, len(word) - 3)]


def _word_start(text: str, position: int) -> int:
    if position <= 0:
        return 0
    space = text.find(" ", position, position + _LEAD)
    return position if space == -1 else space + 1
