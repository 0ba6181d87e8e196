"""Cut a page into the pieces of text that are kept or dropped."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

import attrs

from websdk.reading.guide import Guide, fold
from websdk.reading.survey import Name, Survey
from websdk.reading.tree import BLOCKS, SILENT

if TYPE_CHECKING:
    from lxml.html import HtmlElement

# A word boundary is looked for behind the first letters: patterns that begin with letters are searched far faster.
GROUPS: tuple[tuple[str, str], ...] = (
    ("nav", r"nav|menu|breadcrumb|paginat|pager|tabs?\b"),
    ("comment", r"comment|disqus|respond"),
    ("social", r"shar(?:e|ing)|social|follow|facebook|twitter|whatsapp|addthis"),
    (
        "related",
        r"relat|recommend|popular|trending|latest|recent|similar|suggest|read-?next|next-post|more-|-more|also|teaser|upsell|cross-?sell",
    ),
    (
        "promo",
        r"promo|banner|ad(?<=\bad)s?\b|advert|sponsor|newsletter|subscri|sign-?up|cta(?<=\bcta)\b|popup|modal|overlay|donat|paywall|offer|outbrain|taboola",
    ),
    ("author", r"author|by-?line|bio(?<=\bbio)\b|contributor|vcard|avatar|profile|user"),
    ("meta", r"meta|date|time|tag(?<=\btag)s?\b|categor|label|info\b|credit|source|stats|count|badge"),
    ("side", r"side|aside|rail|widget|secondary|right"),
    ("foot", r"foot|copyright|legal|bottom|colophon|disclaimer"),
    ("head", r"head(?!ing|line)|masthead|top(?<=\btop)|logo|brand"),
    ("content", r"content|article|post|entry|body|text|story|main(?<=\bmain)|prose|rich|copy"),
    ("forum", r"message|thread|topic|answer|question|reply|quote|discussion|bbcode|signature"),
    ("product", r"product|price|cart|detail|spec|descri|sku|buy|purchase|shop"),
    ("review", r"review|rating|star|feedback|testimonial"),
    ("media", r"caption|figure|gallery|image|photo|media|video|slide|carousel|thumb"),
    ("list", r"list|grid|card|item|tile|feed|result|archive|row|col-"),
    ("toc", r"toc(?<=\btoc)|contents|index|anchor|jump"),
    ("lead", r"hero|intro|lead|summary|dek|standfirst|excerpt|abstract|subtitle|tagline"),
    ("form", r"form|search|login|input|filter|sort|select|option|button|btn"),
    ("cookie", r"cookie|consent|gdpr|privacy|notice|alert"),
    ("title", r"title|headline|heading"),
    ("faq", r"faq|accordion|collaps|toggle|panel|feature|benefit|service|section|block"),
)
_GROUP_MARKS = tuple((1 << at, re.compile(pattern)) for at, (_, pattern) in enumerate(GROUPS))
_BODY_PROPS = frozenset(("articleBody", "text", "description", "reviewBody"))
_TAG_BITS = {
    tag: len(GROUPS) + at
    for at, tag in enumerate(
        (
            "nav",
            "aside",
            "header",
            "footer",
            "form",
            "article",
            "main",
            "section",
            "ul",
            "ol",
            "table",
            "figure",
            "blockquote",
            "a",
            "details",
            "dl",
            "address",
            "button",
            "label",
        )
    )
}
_TAG_MARKS = {tag: 1 << bit for tag, bit in _TAG_BITS.items()}
_FURNITURE_BIT = len(GROUPS) + len(_TAG_BITS)
IN_TABLE, IN_STEPS = 1 << _TAG_BITS["table"], 1 << _TAG_BITS["ol"]
_BODY_BIT = _FURNITURE_BIT + 1
_PROP_BIT = _FURNITURE_BIT + 2
BITS = _FURNITURE_BIT + 3
MARK = {name: 1 << at for at, (name, _) in enumerate(GROUPS)}
"""What a name of a group is worth in the marks of an element."""


@attrs.frozen(kw_only=True)
class Marks:
    """What tags, roles and class words say about each element of a page, as bits.

    Attributes:
        named: By its names alone.
        near: By the element and the two above.
        around: By the element and everything above.
    """

    named: list[int]
    near: list[int]
    around: list[int]


@attrs.define
class Unit:
    """A piece of running text.

    Attributes:
        at: Place of its element in the survey.
        node: Its element.
        mixed: Whether the element also holds blocks, so that only the text between them is meant.
        text: Its text.
        folded: The text as the guide compares it.
        covered: How much of it the guide chose, from 0 to 1.
        near: Marks of the element and the two above.
        around: Marks of everything above.
        inline: Where blocks are held as well, the children that are part of the text.
    """

    at: int
    node: HtmlElement
    mixed: bool
    text: str
    folded: str
    covered: float
    near: int
    around: int
    inline: tuple[HtmlElement, ...] = ()


def units_of(survey: Survey, marks: Marks, guide: Guide) -> list[Unit]:
    """Cut a page into units, in document order.

    Args:
        survey: The page.
        marks: What is said about its elements.
        guide: The choice of the general extractor.

    Returns:
        Every piece of text outside of controls.
    """
    tags = survey.tags
    around, near = marks.around, marks.near
    end = -1
    units: list[Unit] = []
    for here, node in enumerate(survey.nodes):
        if here <= end:
            continue
        tag = tags[here]
        if tag in SILENT:
            end = survey.last[here]
            continue
        holds = survey.holds_block[here]
        if not survey.size[here] or not (tag in BLOCKS or holds):
            continue
        whole = tag == "pre" or not holds
        inline = () if whole else _inline(survey, node)
        text = "".join(node.itertext()) if whole else _between(node, inline)
        if whole:
            end = survey.last[here]
        if not text or text.isspace():
            continue
        folded = fold(text)
        if folded:
            units.append(
                Unit(here, node, not whole, text, folded, guide.coverage(folded), near[here], around[here], inline)
            )
    return units


def _inline(survey: Survey, node: HtmlElement) -> tuple[HtmlElement, ...]:
    """The children of a block that are running text."""
    return tuple(
        child
        for child in node
        if (at := survey.at.get(child)) is not None
        and child.tag not in BLOCKS
        and not survey.holds_block[at]
        and child.tag not in SILENT
    )


def _between(node: HtmlElement, inline: tuple[HtmlElement, ...]) -> str:
    """Text of a block outside of the blocks it holds."""
    parts = [node.text or ""]
    for child in node:
        if child in inline:
            parts.append("".join(child.itertext()))
        parts.append(child.tail or "")
    return "".join(parts)


def marks_of(survey: Survey, furniture: list[bool]) -> Marks:
    """Read the tags, roles and class words of a page.

    Args:
        survey: The page.
        furniture: Whether each of its elements is furniture.

    Returns:
        What they say.
    """
    count = len(survey.nodes)
    own, around, near = [0] * count, [0] * count, [0] * count
    known = _meanings(survey)
    props = {
        survey.at[node]: 1 << (_BODY_BIT if node.get("itemprop") in _BODY_PROPS else _PROP_BIT)
        for node in survey.nodes[0].xpath("descendant-or-self::*/@itemprop/..")
        if node.get("itemprop") and node.tag not in ("body", "html")
    }
    for here, tag in enumerate(survey.tags):
        mark = _TAG_MARKS.get(tag, 0)
        if tag not in ("body", "html"):
            mark |= known[survey.names[here]]
        if here in props:
            mark |= props[here]
        if furniture[here]:
            mark |= 1 << _FURNITURE_BIT
        own[here] = around[here] = near[here] = mark
        above = survey.parent[here]
        if above >= 0:
            around[here] |= around[above]
            near[here] |= own[above]
            upper = survey.parent[above]
            if upper >= 0:
                near[here] |= own[upper]
    named = [known[name] for name in survey.names]
    return Marks(named=named, near=near, around=around)


def _meanings(survey: Survey) -> dict[Name, int]:
    """The groups that every name on the page belongs to: each group is looked for once, in all words together."""
    words = list(dict.fromkeys(word for name in survey.words.values() for word in name))
    starts = list(accumulate((len(word) + 1 for word in words), initial=0))
    text = "\n".join(words)
    marks = [0] * (len(words) + 1)
    for bit, pattern in _GROUP_MARKS:
        for match in pattern.finditer(text):
            marks[bisect_right(starts, match.start()) - 1] |= bit
    by_word = dict(zip(words, marks, strict=False))
    meanings = dict.fromkeys(survey.words, 0)
    for name, own in survey.words.items():
        for word in own:
            meanings[name] |= by_word[word]
    return meanings
