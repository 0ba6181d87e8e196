"""Write an RSS or Atom feed as a list of its entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from websdk.model.document import Link
from websdk.reading import escape
from websdk.reading.bounds import bound
from websdk.reading.characters import Cleaned, clean, clean_markup, without_controls
from websdk.reading.hidden import Hidden, strip_hidden
from websdk.reading.links import LinkBase
from websdk.reading.options import ReadingOptions

if TYPE_CHECKING:
    from lxml.etree import _Element

# Entries written of one feed, and characters of each summary: an index to choose from, not the articles themselves.
_MAX_ENTRIES = 500
_SUMMARY_CHARACTERS = 500
# Words spelt in invisible characters from which on they are prose.
_SPELLED_WORDS = 5


@attrs.frozen(kw_only=True)
class Feed:
    """A feed as text.

    Attributes:
        title: Its title; empty where it has none.
        markdown: Its entries as a list.
        links: The addresses of the entries.
        hidden: What was hidden in the markup of its texts.
        removed: How many invisible characters went.
    """

    title: str
    markdown: str
    links: tuple[Link, ...]
    hidden: Hidden
    removed: int


def read_feed(text: str, url: str, options: ReadingOptions) -> Feed | None:
    """Read a feed.

    No entity beyond those of XML is expanded and nothing outside is loaded.

    Args:
        text: The XML document.
        url: Its address.
        options: The bounds.

    Returns:
        The feed, or ``None`` where the document is no RSS or Atom.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, recover=True, huge_tree=False, remove_comments=True
    )
    # A reference to a character that XML has not would spoil every one after it.
    cleaned = clean_markup(text)
    text = cleaned.text
    start = text.find("?>") + 2 if text.lstrip().startswith("<?xml") else 0
    try:
        root = etree.fromstring(text[start:].lstrip().encode("utf-8", "replace"), parser=parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    if root is None or _name(root) not in ("rss", "feed", "RDF"):
        return None
    base = LinkBase(url, root.get("{http://www.w3.org/XML/1998/namespace}base"))
    channel = next((node for node in root if _name(node) == "channel"), root)
    texts = _Texts(options)
    texts.note(cleaned)
    title = texts.of(channel, "title")
    entries = [node for node in root.iter() if _name(node) in ("item", "entry")]
    lines: list[str] = []
    links: list[Link] = []
    for entry in entries[:_MAX_ENTRIES]:
        lines.append(_entry(entry, base, links, texts))
    heading = [f"# {escape.prose(title)}"] if title else []
    about = texts.of(channel, "description") or texts.of(channel, "subtitle")
    parts = [*heading, *([escape.line_start(escape.prose(about))] if about else []), "\n".join(lines)]
    if len(entries) > _MAX_ENTRIES:
        parts.append(f"*{len(entries) - _MAX_ENTRIES:,} more entries.*")
    return Feed(
        title=title,
        markdown="\n\n".join(part for part in parts if part),
        links=tuple(links[: options.max_links]),
        hidden=texts.hidden(),
        removed=texts.removed,
    )


def _entry(entry: _Element, base: LinkBase, links: list[Link], texts: _Texts) -> str:
    title = texts.of(entry, "title") or "(untitled)"
    address = base.resolve(_address(entry)) if _address(entry) else None
    shown = escape.prose(title)
    if address is not None:
        links.append(Link(text=title, url=address))
        shown = f"[{shown}]({escape.target(address)})"
    day = (
        texts.of(entry, "published")
        or texts.of(entry, "pubDate")
        or texts.of(entry, "updated")
        or texts.of(entry, "date")
    )
    summary = (
        texts.of(entry, "summary")
        or texts.of(entry, "description")
        or texts.of(entry, "content")
        or texts.of(entry, "encoded")
    )
    if len(summary) > _SUMMARY_CHARACTERS:
        summary = summary[:_SUMMARY_CHARACTERS].rsplit(" ", 1)[0] + " \u2026"
    line = f"- {shown}" + (f" ({escape.prose(day)})" if day else "")
    return f"{line}\n  {escape.line_start(escape.prose(summary))}" if summary and summary != title else line


def _address(entry: _Element) -> str:
    for node in entry:
        if _name(node) == "link":
            href = node.get("href")
            if href and (node.get("rel") or "alternate") == "alternate":
                return href
            if node.text and node.text.strip():
                return node.text.strip()
    guid = next((node for node in entry if _name(node) in ("guid", "id")), None)
    text = (guid.text or "").strip() if guid is not None and guid.get("isPermaLink") != "false" else ""
    return text if text.startswith(("http://", "https://")) else ""


class _Texts:
    """The texts of a feed as a visitor would see them, and what was left out of them."""

    def __init__(self, options: ReadingOptions) -> None:
        self._options = options
        self._hidden: list[Hidden] = []
        self._spelled = ""
        self.removed = 0

    def note(self, cleaned: Cleaned) -> None:
        """Count what was cleaned."""
        self.removed += cleaned.removed
        self._spelled += cleaned.spelled

    def of(self, node: _Element, name: str) -> str:
        """Text of the first child called *name*; markup inside it, escaped or not, is taken away."""
        from lxml import etree

        child = next((child for child in node if _name(child) == name), None)
        if child is None:
            return ""
        # Markup may stand in a feed as elements, too.
        raw = etree.tostring(child, encoding="unicode", with_tail=False) if len(child) else child.text or ""
        raw = without_controls(raw)
        is_markup = "<" in raw or "&" in raw
        cleaned = clean_markup(raw) if is_markup else clean(raw)
        self.note(cleaned)
        return " ".join((self._plain(cleaned.text) if is_markup else cleaned.text).split())

    def hidden(self) -> Hidden:
        """All that was hidden, added up."""
        return Hidden(
            elements=sum(part.elements for part in self._hidden),
            characters=sum(part.characters for part in self._hidden),
            code_blocks=sum(part.code_blocks for part in self._hidden),
            prose=any(part.prose for part in self._hidden) or len(self._spelled.split()) >= _SPELLED_WORDS,
        )

    def _plain(self, raw: str) -> str:
        from lxml import etree, html

        bounded = bound(raw.encode("utf-8", "replace"), self._options)
        if bounded.elements > self._options.max_elements:
            return raw
        try:
            part = html.fragment_fromstring(bounded.markup.decode(), create_parent="div")
        except (etree.ParserError, etree.XMLSyntaxError, ValueError):
            return raw
        if "<" in raw:
            self._hidden.append(strip_hidden(part, self._options))
        return " ".join(str(text) for text in part.itertext())


def _name(node: _Element) -> str:
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""
