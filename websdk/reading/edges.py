"""Find what stands before the heading of a documentation page and after its last word, and is none of its text.

Generators put language and version lists, ways to other chapters, and questions about the page into the same container
as the text, often without a name that says so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from websdk.reading.survey import Survey
from websdk.reading.tree import BLOCKS, HEADINGS, SILENT

if TYPE_CHECKING:
    from lxml.html import HtmlElement

# Share of the text before the heading that makes it a menu when it is link text.
_MENU = 0.6
# What ends a page may be this long in words of its own; a short line says as little as a link.
_LINE, _SHORT = 400, 30
# Says by itself that it is about the page and no part of it.
_ABOUT = re.compile(
    r"(?:was|is) (?:this|the) (?:page|article|topic|section|content|information|document(?:ation)?)? ?(?:help|use)ful"
    r"|[\u2605\u2606\s]+\Z"
    r"|help (?:us )?improve\b|thank(?:s| you) for (?:the|your) feedback|rate this page|page last|feedback\s*\Z"
    r"|last (?:modified|updated|reviewed|edited|changed)\b|this page was (?:last|generated)"
    r"|(?:give|send|provide|leave) (?:us )?feedback|did you find this (?:page|article)"
    r"|how (?:can|could) (?:we|this) .{0,20}improve",
    re.I,
)
# Says so where it is a link or a few words.
_AWAY = re.compile(
    r"previous|next|(?:prev|up|home|yes|no)\b|[\u00ab\u00bb\u2039\u203a\u2190\u2192\u27e8\u27e9<>]|back to "
    r"|(?:edit|improve|suggest|report|view|print|share|create) |learn how to contribute|contribute|copyright\b|\u00a9"
    r"|(?:on this page|in this article|table of contents)\s*\Z",
    re.I,
)


@attrs.frozen(kw_only=True)
class _Leaf:
    """An element without blocks inside, or text between blocks, which has no element of its own."""

    node: HtmlElement | None
    tag: str
    size: int
    linked: int


def edges(survey: Survey, furniture: list[HtmlElement], here: int) -> list[HtmlElement]:
    """The blocks at both ends of the content that are menus or about the page.

    Args:
        survey: The page.
        furniture: What is taken out anyway.
        here: Place of the content.

    Returns:
        Blocks to take out as well.
    """
    leaves = _leaves(survey, {survey.at[node] for node in furniture}, here)
    first = next((at for at, leaf in enumerate(leaves) if leaf.tag == "h1"), 0)
    return [*_menu(leaves[:first]), *_ending(leaves[first:])]


def _leaves(survey: Survey, gone: set[int], here: int) -> list[_Leaf]:
    """What stands in the content, in the order of the page."""
    found: list[tuple[float, _Leaf]] = []
    end = link = -1
    for at in range(here, survey.last[here] + 1):
        if at <= end:
            continue
        node, tag = survey.nodes[at], survey.tags[at]
        if tag == "a":
            link = max(link, survey.last[at])
        holds = survey.holds_block[at]
        if at != here and node.tail and not node.tail.isspace():
            found.append((survey.last[at] + 0.5, _loose(node.tail)))
        if at in gone or tag in SILENT:
            end = survey.last[at]
        elif holds:
            if node.text and not node.text.isspace():
                alone = survey.size[at] == len(node.text)
                found.append((at, _Leaf(node=node if alone else None, tag="", size=len(node.text.strip()), linked=0)))
        else:
            end = survey.last[at]
            size = survey.size[at]
            if size:
                alone = tag in BLOCKS or not _follows_text(node)
                linked = size if at <= link else survey.linked[at]
                found.append((at, _Leaf(node=node if alone else None, tag=tag, size=size, linked=linked)))
    found.sort(key=lambda entry: entry[0])
    return [leaf for _, leaf in found]


def _loose(text: str) -> _Leaf:
    return _Leaf(node=None, tag="", size=len(text.strip()), linked=0)


def _follows_text(node: HtmlElement) -> bool:
    """Whether running text stands right before an inline element, which is then a part of it."""
    before = node.getprevious()
    text = before.tail if before is not None else node.getparent().text
    return bool(text) and not text.isspace()


def _menu(before: list[_Leaf]) -> list[HtmlElement]:
    """What stands before the heading, where most of it is links."""
    if sum(leaf.linked for leaf in before) < _MENU * sum(leaf.size for leaf in before):
        return []
    return [leaf.node for leaf in before if leaf.node is not None and leaf.tag != "pre"]


def _ending(leaves: list[_Leaf]) -> list[HtmlElement]:
    """What stands after the last text."""
    found: list[HtmlElement] = []
    for leaf in reversed(leaves[1:]):
        if leaf.node is None or leaf.tag == "pre" or leaf.size > _LINE:
            break
        text = " ".join("".join(leaf.node.itertext()).split())
        away = (2 * leaf.linked >= leaf.size or leaf.size <= _SHORT) and leaf.tag not in HEADINGS
        if not text or _ABOUT.match(text) or (away and _AWAY.match(text)):
            found.append(leaf.node)
        elif not found or not _ABOUT.search(text):
            break
    return found
