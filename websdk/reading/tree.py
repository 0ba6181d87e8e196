"""Parse a page once and give the vocabulary that every other module shares."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement

BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre "
    "search section summary table tbody td tfoot th thead tr ul".split()
)
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
# Digits from which a number is no number but an attack on whoever reads it.
_DIGITS = 10
INLINE_CODE = frozenset(("code", "tt", "samp", "kbd"))
# Never text of the page, whatever they hold.
SILENT = frozenset(
    "script style noscript template head iframe object embed applet param audio video canvas map area select datalist "
    "textarea input button svg rp progress meter frame frameset noframes link meta base title".split()
)


# The declarations that XHTML may carry in its doctype; a parser of HTML takes their end for text.
_SUBSET = re.compile(rb"\A\s*(?:<\?[^>]*>\s*)?<!DOCTYPE[^\[>]{0,500}\[[^\]]{0,20000}\]\s*>", re.I)


def parse(markup: bytes) -> HtmlElement | None:
    """Parse *markup* as HTML.

    No entity beyond those of HTML is expanded and nothing outside is loaded.

    Args:
        markup: Text of a page, in UTF-8.

    Returns:
        The root element, or ``None`` where the text holds no element.
    """
    from lxml import etree, html

    parser = html.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=True, collect_ids=False
    )
    # The parser would ask a function for the class of every element on every visit; one class serves all.
    parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=html.HtmlElement))
    try:
        root = html.document_fromstring(_SUBSET.sub(b"<!DOCTYPE html>", markup, count=1), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None
    # Elements without content that the parser does not know as such: it puts what follows into them.
    for void in list(root.iter("embed", "keygen", "source", "track", "wbr")):
        if len(void) or void.text:
            _put_after(void)
    return root


def _put_after(void: HtmlElement) -> None:
    """Move what an element holds behind it."""
    parent = void.getparent()
    if parent is None:
        return
    tail, void.tail, void.text = void.tail, void.text, None
    place = parent.index(void)
    last = void
    for child in list(void):
        place += 1
        parent.insert(place, child)
        last = child
    last.tail = ((last.tail or "") + (tail or "")) or None


def is_element(node: HtmlElement) -> bool:
    """Whether *node* is an element and no comment, entity or processing instruction."""
    return isinstance(node.tag, str)


def tokens(node: HtmlElement) -> list[str]:
    """Class names and the id of *node*, lower case."""
    return f"{node.get('class') or ''} {node.get('id') or ''}".lower().split()


def classes(node: HtmlElement) -> list[str]:
    """Class names of *node*, lower case."""
    names = node.get("class")
    return names.lower().split() if names else []


def remove(node: HtmlElement, *, instead: str = "") -> None:
    """Take *node* out of its tree; the text after it stays.

    Args:
        node: An element with a parent; a root is left alone.
        instead: Text to stand in its place.
    """
    parent = node.getparent()
    if parent is None:
        return
    kept = instead + (node.tail or "")
    if kept:
        before = node.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + kept
        else:
            parent.text = (parent.text or "") + kept
    parent.remove(node)


def attached(node: HtmlElement, root: HtmlElement) -> bool:
    """Whether *node* still hangs under *root*."""
    while node is not None:
        if node is root:
            return True
        node = node.getparent()
    return False


def text_of(node: HtmlElement) -> str:
    """Text under *node*, blanks folded."""
    return " ".join("".join(node.itertext()).split())


def is_too_deep(root: HtmlElement, levels: int) -> bool:
    """Whether anything is nested at least *levels* deep."""
    return bool(root.xpath(f"boolean({'/*' * levels})"))


def number_in(node: HtmlElement, name: str, default: int, most: int) -> int:
    """The whole number that an attribute states, from 0 to *most*; *default* where it states none."""
    stated = (node.get(name) or "").strip()
    if not stated.isascii() or not stated.isdigit():
        return default
    return min(int(stated), most) if len(stated) < _DIGITS else most
