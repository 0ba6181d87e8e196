"""Write an RSS or Atom feed as a list of its entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from websdk.model.document import Link
from websdk.reading import escape
from websdk.reading.links import LinkBase
from websdk.reading.options import ReadingOptions

if TYPE_CHECKING:
    from lxml.etree import _Element

# Entries written of one feed, and characters of each summary: an index to choose from, not the articles themselves.
_MAX_ENTRIES = 500
_SUMMARY_CHARACTERS = 500


@attrs.frozen(kw_only=True)
class Feed:
    """A feed as text.

    Attributes:
        title: Its title; empty where it has none.
        markdown: Its entries as a list.
        links: The addresses of the entries.
    """

    title: str
    markdown: str
    links: tuple[Link, ...]


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
    start = text.find("?>") + 2 if text.lstrip().startswith("<?xml") else 0
    try:
        root = etree.fromstring(text[start:].lstrip().encode("utf-8", "replace"), parser=parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    if root is None or _name(root) not in ("rss", "feed", "RDF"):
        return None
    base = LinkBase(url, root.get("{http://www.w3.org/XML/1998/namespace}base"))
    channel = next((node for node in root if _name(node) == "channel"), root)
    title = _text(channel, "title")
    entries = [node for node in root.iter() if _name(node) in ("item", "entry")]
    lines: list[str] = []
    links: list[Link] = []
    for entry in entries[:_MAX_ENTRIES]:
        lines.append(_entry(entry, base, links))
    heading = [f"# {escape.prose(title)}"] if title else []
    about = _text(channel, "description") or _text(channel, "subtitle")
    parts = [*heading, *([escape.line_start(escape.prose(about))] if about else []), "\n".join(lines)]
    if len(entries) > _MAX_ENTRIES:
        parts.append(f"*{len(entries) - _MAX_ENTRIES:,} more entries.*")
    return Feed(
        title=title, markdown="\n\n".join(part for part in parts if part), links=tuple(links[: options.max_links])
    )


def _entry(entry: _Element, base: LinkBase, links: list[Link]) -> str:
    title = _text(entry, "title") or "(untitled)"
    address = base.resolve(_address(entry)) if _address(entry) else None
    shown = escape.prose(title)
    if address is not None:
        links.append(Link(text=title, url=address))
        shown = f"[{shown}]({escape.target(address)})"
    day = _text(entry, "published") or _text(entry, "pubDate") or _text(entry, "updated") or _text(entry, "date")
    summary = (
        _text(entry, "summary") or _text(entry, "description") or _text(entry, "content") or _text(entry, "encoded")
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


def _text(node: _Element, name: str) -> str:
    """Text of the first child called *name*; markup inside it, escaped or not, is taken away."""
    for child in node:
        if _name(child) == name:
            raw = "".join(str(part) for part in child.itertext())
            return _plain(raw)
    return ""


def _plain(raw: str) -> str:
    if "<" in raw or "&" in raw:
        from lxml import etree, html

        try:
            part = html.fragment_fromstring(raw, create_parent="div")
        except (etree.ParserError, etree.XMLSyntaxError, ValueError):
            return " ".join(raw.split())
        for node in list(part.iter("script", "style")):
            node.drop_tree()
        raw = " ".join(str(text) for text in part.itertext())
    return " ".join(raw.split())


def _name(node: _Element) -> str:
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""
