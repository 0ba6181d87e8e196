"""Foreign text inside our Markdown: it can be read, and it cannot become structure."""

from __future__ import annotations

import re

from websdk.model.graphemes import cut
from websdk.model.urls import host_of, serialise

# Line and paragraph separators fold to a blank; the rest of these are never seen, or turn the order of what is seen.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_BLANKS = re.compile(r"\s+")
# A backslash is only one before punctuation and at an end; an ampersand only begins something before an entity.
_STRUCTURE = re.compile(r"\\(?=[!-/:-@\[-`{-~]|$)|[`\[\]<>|]|&(?=#?\w+;)")
_TARGET_STRUCTURE = re.compile(r"\\(?=[!-/:-@\[-`{-~]|$)|[<>]|&(?=#?\w+;)")
_UNSENDABLE = re.compile(r"[\x00-\x20\x7f]|[^\x00-\x7f]")

OUR_WORDS = (
    "Adjusted",
    "Failed",
    "Filters",
    "Found",
    "Generated",
    "Mark",
    "Next",
    "Note",
    "Passage",
    "Results",
    "Stored",
)
"""Every line of ours in an answer begins with one of these and a colon."""
# Signs nobody sees (joiners, marks of direction, variation selectors) do not hide a word that they stand in.
_GHOSTS = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]*"
)
_SPELT = "|".join(_GHOSTS.join(word) for word in OUR_WORDS)
# Whatever stands around the word and is no letter or digit (quotes, bullets, emphasis) does not hide it either.
_COLONS = ":\u2236\ua789\ufe13\ufe55\uff1a"
_LIKE_OURS = re.compile(rf"^((?:[^\w\n]|_)*)(?=(?:{_SPELT})(?:[^\w\n{_COLONS}]|_)*[{_COLONS}])", re.I | re.M)


def one_line(text: str) -> str:
    """Return *text* on one line, without controls and characters that reorder what is seen."""
    return _BLANKS.sub(" ", _UNSEEN.sub("", text)).strip()


def inline(text: str) -> str:
    """Return *text* as inline Markdown that holds no link, code, HTML, entity or table cell of its own."""
    return _STRUCTURE.sub(r"\\\g<0>", one_line(text))


def link(title: str, url: str) -> str:
    """Return one Markdown link to *url*; the host stands for an empty title."""
    address = serialise(url) or url
    label = inline(title) or inline(host_of(address) or "untitled")
    return f"[{label}](<{_target(address)}>)"


def excerpt(text: str, limit: int) -> str:
    """Return the beginning of *text* on one line, at most *limit* code points, with a mark where it was cut."""
    line = one_line(text)
    if len(line) <= limit:
        return line
    end = cut(line, 0, max(1, limit - 1))
    blank = line.rfind(" ", 0, end + 1)
    # A word is kept whole where that costs little.
    return line[: blank if blank > end * 4 // 5 else end].rstrip() + "…"


def escape_lines(text: str) -> str:
    """Return *text* with a backslash in each line that begins like one of ours."""
    return _LIKE_OURS.sub(r"\1\\", text)


def _target(address: str) -> str:
    ascii_only = _UNSENDABLE.sub(lambda match: _percent(match[0]), address)
    return _TARGET_STRUCTURE.sub(r"\\\g<0>", ascii_only)


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "replace"))
