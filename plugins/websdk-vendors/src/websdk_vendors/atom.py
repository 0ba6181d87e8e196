"""Atom feeds as values. The one door to the XML reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ATOM = "{http://www.w3.org/2005/Atom}"
_SEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"


class NotAtom(ValueError):
    """The bytes are no Atom feed, or one that declares a document type, which no feed needs."""


@attrs.frozen(kw_only=True)
class Entry:
    """One entry, its texts without line breaks and outer blanks; empty where it has none.

    Attributes:
        id: Its identifier, an address.
        title: Its title.
        summary: Its summary.
        published: When it was first published, as written.
        alternate: Address of the page that it is about.
    """

    id: str
    title: str
    summary: str
    published: str
    alternate: str


@attrs.frozen(kw_only=True)
class Feed:
    """One page of entries.

    Attributes:
        entries: The entries in order.
        total: How many there are over all pages; ``None`` where the feed does not say.
    """

    entries: tuple[Entry, ...]
    total: int | None


def read_feed(body: bytes) -> Feed:
    """Return the feed in *body*. Entities and document types are refused, whatever they would do.

    Raises:
        NotAtom: It is no feed.
    """
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root: Element = fromstring(body, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as exc:
        raise NotAtom("the bytes are no XML that can be read safely") from exc
    if root.tag != f"{_ATOM}feed":
        raise NotAtom("the root is no feed")
    total = _text(root, f"{_SEARCH}totalResults")
    return Feed(
        entries=tuple(_entry(entry) for entry in root.iterfind(f"{_ATOM}entry")),
        total=int(total) if total.isascii() and total.isdigit() else None,
    )


def _entry(entry: Element) -> Entry:
    links = [link.get("href", "") for link in entry.iterfind(f"{_ATOM}link") if link.get("rel") == "alternate"]
    return Entry(
        id=_text(entry, f"{_ATOM}id"),
        title=_text(entry, f"{_ATOM}title"),
        summary=_text(entry, f"{_ATOM}summary"),
        published=_text(entry, f"{_ATOM}published"),
        alternate=next((link for link in links if link), ""),
    )


def _text(element: Element, tag: str) -> str:
    return " ".join((element.findtext(tag) or "").split())
