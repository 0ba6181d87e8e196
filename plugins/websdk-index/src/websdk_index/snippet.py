"""Cut the passage of a page that says most about a query. Pure."""

from __future__ import annotations

import re
from collections import Counter, deque

from websdk_index.bounds import SNIPPET_CHARACTERS

_LINK = re.compile(r"!?\[([^\]\[]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_MARKS = re.compile(r"^\s{0,3}(?:#{1,6}\s+|>\s?|[-*+]\s+|```.*$|\|?[-:| ]{4,}$)|[*`]{1,3}|\s\|\s", re.M)
_BLANKS = re.compile(r"\s+")
_MAX_HITS = 2_000  # places looked at; a passage as good as any later one is among the first
_STEM = 4  # letters that an inflected form keeps at least


def make_snippet(markdown: str, words: tuple[str, ...]) -> str:
    """Return the passage of *markdown* with the most different *words*, as plain text.

    Args:
        markdown: The text of a page.
        words: The words of the query.

    Returns:
        At most 320 characters, with an ellipsis where text was left out.
    """
    text = _plain(markdown)
    start = _best_start(text, words)
    end = min(len(text), start + SNIPPET_CHARACTERS - 2)
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + SNIPPET_CHARACTERS // 2)
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")


def _plain(markdown: str) -> str:
    return _BLANKS.sub(" ", _MARKS.sub(" ", _LINK.sub(r"\1", markdown))).strip()


def _best_start(text: str, words: tuple[str, ...]) -> int:
    stems = [stem for word in words for stem in re.findall(r"\w+", word)]
    if not stems:
        return 0
    pattern = re.compile(r"\b(" + "|".join(re.escape(_stem(stem)) for stem in stems) + ")", re.I)
    if not text.isascii():  # unspaced scripts have no word boundary to look for
        pattern = re.compile(pattern.pattern.removeprefix(r"\b"), re.I)
    best, most = 0, 0
    window: deque[tuple[int, str]] = deque()
    held: Counter[str] = Counter()
    for count, hit in enumerate(pattern.finditer(text)):
        window.append((hit.start(), hit[1].casefold()))
        held[hit[1].casefold()] += 1
        while hit.end() - window[0][0] > SNIPPET_CHARACTERS * 3 // 4:
            held[window.popleft()[1]] -= 1
        different = sum(1 for number in held.values() if number)
        if different > most:
            best, most = window[0][0], different
        if count == _MAX_HITS:
            break
    return _word_start(text, best - SNIPPET_CHARACTERS // 8)


def _stem(word: str) -> str:
    return word[: max(_STEM, len(word) - 3)]


def _word_start(text: str, position: int) -> int:
    if position <= 0:
        return 0
    space = text.find(" ", position, position + SNIPPET_CHARACTERS // 8)
    return position if space == -1 else space + 1
