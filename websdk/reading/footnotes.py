"""Tie the notes of a page to the marks in its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websdk.reading.tree import classes, is_element

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_MARK = re.compile(r"\[?\(?\s*([0-9]{1,3}|[a-z]|[*\u2020\u2021]{1,3}|[ivx]{1,5})\s*\)?\]?\Z", re.I)
_MARK_WORDS = re.compile(r"footnote|noteref|note-ref|fn-?ref|reference-?note")
_NOTE_ID = re.compile(r"(?:^|[-_:.])(?:fn|footnote|note|endnote|cite_note|sdfootnote)[-_:.]?\w{0,12}", re.I)
_NOTE_TAGS = frozenset(("li", "aside", "div", "p", "dd", "dt", "tr", "td", "table", "span", "section"))
_SYMBOLS = {"*": "star", "\u2020": "dagger", "\u2021": "double-dagger"}


class Footnotes:
    """The notes of one page.

    Args:
        root: The content that will be written; notes outside of it do not count.
    """

    def __init__(self, root: HtmlElement) -> None:
        self._marks: dict[HtmlElement, str] = {}
        self._notes: dict[HtmlElement, str] = {}
        candidates = [(a, match.group(1)) for a in root.iter("a") if (match := self._candidate(a))]
        if not candidates:
            return
        by_id = {node.get("id"): node for node in root.iter() if is_element(node) and node.get("id")}
        for link, text in candidates:
            note = by_id.get((link.get("href") or "")[1:])
            if note is not None and note.tag in _NOTE_TAGS and not any(above is note for above in link.iterancestors()):
                label = "".join(_SYMBOLS.get(char, char) for char in text)
                if note.tag in ("span", "td") and note.getparent() is not None:
                    note = self._holder(note)
                self._marks[link] = self._notes.setdefault(note, label)

    def mark_of(self, link: HtmlElement) -> str | None:
        """The label of the note that *link* leads to, or ``None`` where it is an ordinary link."""
        return self._marks.get(link)

    def label_of(self, note: HtmlElement) -> str | None:
        """The label of *note*, or ``None`` where it is no note."""
        return self._notes.get(note)

    @staticmethod
    def _candidate(link: HtmlElement) -> re.Match[str] | None:
        href = link.get("href") or ""
        if not href.startswith("#") or len(href) < 2:
            return None
        match = _MARK.match("".join(link.itertext()).strip())
        if match is None:
            return None
        parent = link.getparent()
        words = " ".join(classes(link)) + " " + (link.get("role") or "") + " " + (link.get("rel") or "")
        raised = (parent is not None and parent.tag == "sup") or next(link.iter("sup"), None) is not None
        if raised or _MARK_WORDS.search(words) or "doc-noteref" in words:
            return match if _NOTE_ID.search(href[1:]) or _MARK_WORDS.search(words) else None
        return None

    @staticmethod
    def _holder(note: HtmlElement) -> HtmlElement:
        for above in note.iterancestors():
            if above.tag in ("li", "tr", "aside", "p", "div"):
                return above
        return note
