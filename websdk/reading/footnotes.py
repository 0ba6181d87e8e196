"""Tie the notes of a page to the marks in its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websdk.reading.tree import classes, is_element

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_MARK = re.compile(r"\[?\(?\s*([0-9]{1,3}|[a-z]|[*\u2020\u2021]{1,3}|[ivx]{1,5})\s*\)?\]?\Z", re.I)
_MARK_WORDS = re.compile(r"footnote|noteref|note-ref|fn-?ref|reference-?note|\bfn\b")
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
        self._ways_back: frozenset[str] = frozenset()
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
                elif note.tag == "dt" and (below := note.getnext()) is not None and below.tag == "dd":
                    note = below
                self._marks[link] = self._notes.setdefault(note, label)
        self._ways_back = frozenset(f"#{name}" for link in self._marks for name in _names_of(link))
        for link in self._marks:
            _drop_brackets(link)

    def leads_back(self, link: HtmlElement) -> bool:
        """Whether *link* leads from a note to its mark."""
        return link.get("href") in self._ways_back and any(above in self._notes for above in link.iterancestors())

    def mark_of(self, link: HtmlElement) -> str | None:
        """The label of the note that *link* leads to, or ``None`` where it is an ordinary link."""
        return self._marks.get(link)

    def label_of(self, note: HtmlElement | None) -> str | None:
        """The label of *note*, or ``None`` where it is no note."""
        return None if note is None else self._notes.get(note)

    @staticmethod
    def _candidate(link: HtmlElement) -> re.Match[str] | None:
        href = link.get("href") or ""
        if not href.startswith("#") or len(href) < 2:
            return None
        match = _MARK.match("".join(link.itertext()).strip())
        if match is None:
            return None
        parent = link.getparent()
        inside = parent is not None and parent.tag == "sup"
        words = " ".join((*classes(link), *(classes(parent) if inside else ())))
        words += " " + (link.get("role") or "") + " " + (link.get("rel") or "")
        raised = inside or next(link.iter("sup"), None) is not None
        if raised or _MARK_WORDS.search(words) or "doc-noteref" in words:
            return match if _NOTE_ID.search(href[1:]) or _MARK_WORDS.search(words) else None
        return None

    @staticmethod
    def _holder(note: HtmlElement) -> HtmlElement:
        for above in note.iterancestors():
            if above.tag in ("li", "tr", "aside", "p", "div"):
                return above
        return note


def _names_of(mark: HtmlElement) -> list[str]:
    """What a way back may call a mark: its own name, or that of what raises it."""
    return [name for node in (mark, mark.getparent()) for name in (node.get("id"), node.get("name")) if name]


def _drop_brackets(mark: HtmlElement) -> None:
    """Take away the brackets that a page sets around a mark; Markdown brings its own."""
    before, parent = mark.getprevious(), mark.getparent()
    text = (parent.text if before is None else before.tail) or ""
    if not text.endswith("[") or not (mark.tail or "").startswith("]"):
        return
    mark.tail = mark.tail[1:]
    if before is None:
        parent.text = text[:-1]
    else:
        before.tail = text[:-1]
