"""Write running text: emphasis, code, links, maths, footnote marks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websdk.model.document import Link
from websdk.reading import escape
from websdk.reading.code import spanned
from websdk.reading.maths import formula
from websdk.reading.tree import HEADINGS, INLINE_CODE, SILENT, classes, is_element

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from websdk.reading.footnotes import Footnotes
    from websdk.reading.links import LinkBase

BREAK = "\x1e"
"""Stands for a line break until a paragraph is put together; pages cannot hold it, decoding removed controls."""
_BLANKS = re.compile(r"[ \t\n\f\u00a0]+")
_UNEVEN = re.compile(r"[\t\n\f\u00a0]|  ")
_INVISIBLE = re.compile("(?<![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])[\u200b\u00ad\ufeff]|\u00ad")
_SPACES = re.compile(r" {2,}")
_STRONG = frozenset(("strong", "b"))
_EMPHASIS = frozenset(("em", "i", "cite", "dfn", "var"))
_STRUCK = frozenset(("del", "s", "strike"))
_ORDINAL = re.compile(r"(?:st|nd|rd|th|er|e|o|a|tm|sm|r|\u2122|\u00ae|\u00a9)\.?\Z", re.I)
_PERMALINK_WORDS = re.compile(
    r"headerlink|permalink|anchor(?:-?link|js)?$|hash-?link|header-?anchor|heading-?anchor|id_link|selflink|self-link|"
    r"autolink|direct-link|section-?link|link-icon|^mark$|^anchor$|^octicon"
)
_PERMALINK_TEXT = frozenset(
    ("", "\u00b6", "#", "\u00a7", "\U0001f517", "\uf0c1", "\u2693", "link", "permalink", "\u200b", "¶", "anchor")
)
_BADGES = frozenset(("stab", "badge"))
# Groups of links and buttons about a heading, not of it.
_CONTROLS = frozenset(("mw-editsection", "out-of-band"))
# Pages that load images late set an inlined blank in place of the first.
_IMAGE_ADDRESSES = ("src", "data-src", "data-lazy-src", "data-original")
# What a permalink says to those who hear the page.
_PERMALINK_STARTS = ("section titled ", "permalink to ", "permanent link to", "direct link to ", "link to this ")
_PERMALINK_TITLES = ("permalink", "permanent link", "direct link", "link to this")
_SOURCE_WORDS = re.compile(r"viewcode|^src-?link$|^source-?link$|^src$|^view-?source|^reference external source$")
_SOURCE_TEXT = frozenset(("source", "src", "[source]", "[src]", "view source"))
_SOURCE_HREF = re.compile(r"src|source|_modules|/blob/", re.I)
_BACKLINK = re.compile(r"(?<!toc-)backref|backlink|reversefootnote|fn-?back|footnote-?back|data-footnote-backref")


class Inline:
    """Collects the running text of one paragraph.

    Args:
        base: Resolves links.
        footnotes: Knows the notes of the page.
        images: Whether images are written.
        max_depth: Levels below which markup is read as plain text.
    """

    def __init__(self, base: LinkBase, footnotes: Footnotes, *, images: bool, max_depth: int) -> None:
        self._base = base
        self._footnotes = footnotes
        self._images = images
        self._max_depth = max_depth
        self._parts: list[str] = []
        self._strong = self._emphasis = self._struck = self._linked = False
        self._links: list[Link] = []

    def text(self, text: str | None) -> None:
        """Add text of the page."""
        if text:
            if _UNEVEN.search(text):
                text = _BLANKS.sub(" ", text)
            if not text.isascii():
                text = _INVISIBLE.sub("", text)
            self._parts.append(escape.prose(text) if not text.isalnum() else text)

    def element(self, node: HtmlElement, depth: int = 0) -> None:
        """Add an element that holds no block; the text after it is the caller's."""
        tag = node.tag
        if tag in INLINE_CODE:
            self._code(node)
        elif tag == "br":
            self._parts.append(BREAK)
        elif tag == "a":
            self._link(node, depth)
        elif tag == "img":
            self._image(node)
        elif (maths := formula(node)) is not None:
            self._parts.append(maths)
        elif tag in SILENT:
            self._parts.append("[x] " if _ticked(node) else "[ ] " if _box(node) else "")
        elif depth > self._max_depth:
            self.text("".join(node.itertext()))
        elif tag in _STRONG and not self._strong:
            self._strong = True
            self._wrap(node, "**", depth)
            self._strong = False
        elif tag in _EMPHASIS and not self._emphasis:
            self._emphasis = True
            self._wrap(node, "*", depth)
            self._emphasis = False
            if tag == "cite" and (node.tail or "")[:1].isalnum():
                # Who is quoted has a line of its own, or there would be a blank.
                self._parts.append(BREAK)
        elif tag in _STRUCK and not self._struck:
            self._struck = True
            self._wrap(node, "~~", depth)
            self._struck = False
        elif tag in ("sup", "sub"):
            self._raised(node, depth)
        elif tag == "span" and not _CONTROLS.isdisjoint(classes(node)):
            pass
        elif tag == "label" or (tag == "span" and not _BADGES.isdisjoint(classes(node))):
            # Badges and labels stand apart by their margin alone.
            if self._last().strip():
                self._parts.append(" ")
            self._children(node, depth)
        elif tag == "q":
            self._parts.append("\u201c")
            self._children(node, depth)
            self._parts.append("\u201d")
        else:
            self._children(node, depth)

    def finish(self) -> tuple[str, list[Link]]:
        """Put the paragraph together.

        Returns:
            Its Markdown, lines separated by :data:`BREAK`, blanks folded, and the links in it.
        """
        whole = "".join(self._parts)
        if "  " in whole:
            whole = _SPACES.sub(" ", whole)
        lines = [line.strip(" ") for line in whole.split(BREAK)]
        while lines and not lines[0]:
            lines.pop(0)
        while lines and not lines[-1]:
            lines.pop()
        return BREAK.join(lines), self._links

    def _children(self, node: HtmlElement, depth: int) -> None:
        self.text(node.text)
        for child in node:
            if is_element(child):
                self.element(child, depth + 1)
            self.text(child.tail)

    def _inner(self, node: HtmlElement, depth: int) -> str:
        """The Markdown of the children alone."""
        outer, self._parts = self._parts, []
        self._children(node, depth)
        inner, self._parts = "".join(self._parts), outer
        return inner

    def _wrap(self, node: HtmlElement, mark: str, depth: int) -> None:
        inner = self._inner(node, depth)
        bare = _closed(inner.strip())
        if not bare:
            self._parts.append(inner)
            return
        lead, trail = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
        before = self._last()
        glued = (
            (before.isalnum() and not bare[0].isalnum())
            or before in ("*", "_", "~")
            or bare[0] in "*~"
            or bare[-1] in "*~"
        )
        following = (node.tail or "")[:1]
        glued = glued or (following.isalnum() and not bare[-1].isalnum())
        if glued or BREAK + BREAK in bare or (mark == "*" and bare.startswith("`") and bare.endswith("`")):
            self._parts.append(inner)
            return
        if BREAK in bare:
            bare = BREAK.join(f"{mark}{line.strip()}{mark}" if line.strip() else "" for line in bare.split(BREAK))
            self._parts.append(lead + bare + trail)
            return
        self._parts.append(f"{lead}{mark}{bare}{mark}{trail}")

    def _last(self) -> str:
        for part in reversed(self._parts):
            if part:
                return part[-1]
        return ""

    def _code(self, node: HtmlElement) -> None:
        raw = "".join(_seen_text(node))
        text = " ".join(raw.replace("\u200b", "").replace("\u00ad", "").split())
        if not text:
            self.text(raw)
            return
        if self._last() == "`":
            self._parts.append(" ")
        lead = " " if raw[:1].isspace() else ""
        trail = " " if raw[-1:].isspace() else ""
        span = spanned(text)
        targets = [] if self._linked else [url for url in (self._target(a) for a in node.iter("a")) if url is not None]
        if len(set(targets)) == 1:
            self._links.append(Link(text=text, url=targets[0]))
            span = self._linked_text(span, targets[0])
        elif targets:
            self._links.extend(
                Link(text=" ".join("".join(a.itertext()).split()), url=url)
                for a in node.iter("a")
                if (url := self._target(a))
            )
        self._parts.append(f"{lead}{span}{trail}")

    def _target(self, node: HtmlElement) -> str | None:
        href = node.get("href")
        return None if href is None else self._base.resolve(href)

    def _link(self, node: HtmlElement, depth: int) -> None:
        if is_machinery(node) or self._footnotes.leads_back(node):
            self._parted()
            return
        note = self._footnotes.mark_of(node)
        if note is not None:
            self._parts.append(f"[^{note}]")
            return
        url = None if self._linked or _leads_to_itself(node) else self._target(node)
        outer, self._linked = self._linked, self._linked or url is not None
        inner = self._inner(node, depth)
        self._linked = outer
        bare = inner.strip()
        if url is None or not bare.replace(BREAK, ""):
            self._parts.append(inner)
            return
        self._links.append(Link(text=" ".join("".join(_seen_text(node)).split()), url=url))
        lead, trail = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
        self._parts.append(lead + self._linked_text(bare.replace(BREAK, " "), url) + trail)

    def _parted(self) -> None:
        """Take back the dot that parted what stood before from a link that is not written."""
        if self._parts and self._parts[-1].rstrip().endswith("\u00b7"):
            self._parts[-1] = self._parts[-1].rstrip()[:-1]

    def _linked_text(self, label: str, url: str) -> str:
        if label == url and escape.prose(url) == url:
            return f"<{url}>"
        before = self._last()
        if before == "!":
            self._parts.append("\x1d")
        return f"[{_balanced(label)}]({escape.target(url)})"

    def _image(self, node: HtmlElement) -> None:
        source = formula(node)
        if source is not None:
            self._parts.append(source)
            return
        if not self._images:
            return
        stated = (node.get(name) or "" for name in _IMAGE_ADDRESSES)
        url = next((url for address in stated if address and (url := self._base.resolve(address))), None)
        alt = " ".join((node.get("alt") or "").split())
        if url is not None:
            self._parts.append(f"![{_balanced(escape.prose(alt))}]({escape.target(url)})")

    def _raised(self, node: HtmlElement, depth: int) -> None:
        inner = self._inner(node, depth)
        bare = inner.strip()
        last = self._last()
        belongs = last != "" and not last.isspace()
        if not bare or len(bare) > 12 or not belongs or "[" in bare or "`" in bare or _ORDINAL.match(bare):
            self._parts.append(inner)
            return
        self._parts.append(f"<{node.tag}>{bare}</{node.tag}>")


def is_machinery(node: HtmlElement) -> bool:
    """Whether a link is a permalink, a way to the source or a way back from a note."""
    words = classes(node)
    label = "".join(node.itertext()).strip().lower()
    href = node.get("href") or ""
    if href.startswith("#") and label.startswith(_PERMALINK_STARTS):
        return True
    if label in _PERMALINK_TEXT:
        return (
            href.startswith("#")
            or any(_PERMALINK_WORDS.search(word) for word in words)
            or (node.get("title") or "").lower().startswith(_PERMALINK_TITLES)
            or (not label and not len(node))
        )
    if any(_SOURCE_WORDS.search(word) for word in words) and len(label) < 12:
        return True
    if label in ("[source]", "[src]", "[view source]") or (
        any(_PERMALINK_WORDS.search(w) for w in words if w != "anchor") and len(label) < 3
    ):
        return True
    if label in _SOURCE_TEXT and _SOURCE_HREF.search(href):
        return True
    back = node.get("role") == "doc-backlink" or any(_BACKLINK.search(word) for word in words)
    return (back and not label.strip("[]()").isalnum()) or (
        label in ("\u21a9", "\u21a9\ufe0e", "\u21a9\ufe0f", "^") and href.startswith("#")
    )


def _leads_to_itself(node: HtmlElement) -> bool:
    """Whether a link is the text of a heading or term and leads to where it stands."""
    href, parent = node.get("href") or "", node.getparent()
    if not href.startswith("#") or parent is None or (parent.tag not in HEADINGS and parent.tag != "dt"):
        return False
    name = href[1:]
    return name == node.get("name") or name == node.get("id") or any(name == a.get("id") for a in node.iterancestors())


def _seen_text(node: HtmlElement) -> list[str]:
    out = [node.text or ""]
    for child in node:
        if is_element(child):
            if child.tag == "br":
                out.append(" ")
            elif child.tag not in SILENT and not (child.tag == "a" and is_machinery(child)):
                out.extend(_seen_text(child) if len(child) < 1_000 else ["".join(child.itertext())])
        out.append(child.tail or "")
    return out


def _closed(text: str) -> str:
    """Text whose last backslash cannot undo the mark that follows it."""
    return text + "\\" if (len(text) - len(text.rstrip("\\"))) % 2 else text


def _balanced(label: str) -> str:
    """A link label whose brackets cannot end it early."""
    label = _closed(label)
    depth = 0
    plain = re.sub(r"\\.|`[^`]*`", "", label)
    for char in plain:
        depth += (char == "[") - (char == "]")
        if depth < 0:
            break
    if depth == 0:
        return label
    return re.sub(r"(?<!\\)[\[\]]", r"\\\g<0>", label)


def _box(node: HtmlElement) -> bool:
    parent = node.getparent()
    while parent is not None and parent.tag in ("p", "label", "span"):
        parent = parent.getparent()
    return (
        node.tag == "input"
        and (node.get("type") or "").lower() == "checkbox"
        and parent is not None
        and parent.tag == "li"
    )


def _ticked(node: HtmlElement) -> bool:
    return _box(node) and node.get("checked") is not None
