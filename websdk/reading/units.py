"""Cut a page into the pieces of text that are kept or dropped, and describe each by what it is and where it stands."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import attrs

from websdk.reading.guide import Guide, fold
from websdk.reading.root import furniture_marks
from websdk.reading.survey import Survey
from websdk.reading.tree import BLOCKS, SILENT, tokens

if TYPE_CHECKING:
    from lxml.html import HtmlElement

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
        r"promo|banner|\bads?\b|advert|sponsor|newsletter|subscri|sign-?up|\bcta\b|popup|modal|overlay|donat|paywall|offer|outbrain|taboola",
    ),
    ("author", r"author|by-?line|\bbio\b|contributor|vcard|avatar|profile|user"),
    ("meta", r"meta|date|time|\btags?\b|categor|label|info\b|credit|source|stats|count|badge"),
    ("side", r"side|aside|rail|widget|secondary|right"),
    ("foot", r"foot|copyright|legal|bottom|colophon|disclaimer"),
    ("head", r"head(?!ing|line)|masthead|\btop|logo|brand"),
    ("content", r"content|article|post|entry|body|text|story|\bmain|prose|rich|copy"),
    ("forum", r"message|thread|topic|answer|question|reply|quote|discussion|bbcode|signature"),
    ("product", r"product|price|cart|detail|spec|descri|sku|buy|purchase|shop"),
    ("review", r"review|rating|star|feedback|testimonial"),
    ("media", r"caption|figure|gallery|image|photo|media|video|slide|carousel|thumb"),
    ("list", r"list|grid|card|item|tile|feed|result|archive|row|col-"),
    ("toc", r"\btoc|contents|index|anchor|jump"),
    ("lead", r"hero|intro|lead|summary|dek|standfirst|excerpt|abstract|subtitle|tagline"),
    ("form", r"form|search|login|input|filter|sort|select|option|button|btn"),
    ("cookie", r"cookie|consent|gdpr|privacy|notice|alert"),
    ("title", r"title|headline|heading"),
    ("faq", r"faq|accordion|collaps|toggle|panel|feature|benefit|service|section|block"),
)
_GROUP_MARKS = tuple((1 << at, re.compile(pattern)) for at, (_, pattern) in enumerate(GROUPS))
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
_FURNITURE_BIT = len(GROUPS) + len(_TAG_BITS)
IN_TABLE = 1 << _TAG_BITS["table"]
_BODY_BIT = _FURNITURE_BIT + 1
_PROP_BIT = _FURNITURE_BIT + 2
BITS = _FURNITURE_BIT + 3
_START = re.compile(
    r"(?P<share>share|tweet|follow|like us|facebook|email this|print)|"
    r"(?P<related>related|read more|more from|more on|see also|you (?:may|might)|recommended|popular|trending|also read"
    r"|next|previous|continue reading|view all|show more|load more|learn more)"
    r"|(?P<join>subscribe|sign up|sign in|log ?in|register|join|get the|newsletter|enter your|your email"
    r"|submit)|(?P<legal>copyright|\u00a9|all rights|privacy|terms|cookie|disclaimer|advertis|sponsored|affiliate)"
    r"|(?P<by>by |written by|posted|published|updated|last modified|photo|image|credit|source:|tags?:"
    r"|filed under|categor)|(?P<talk>comment|reply|leave a|\d+ (?:comments?|replies|responses|likes|views|shares))"
    r"|(?P<shop>add to|buy|in stock|quantity|qty|price|shipping|\$|\u20ac|\u00a3)",
    re.I,
)
STARTS = ("share", "related", "join", "legal", "by", "talk", "shop")
TAGS = (
    "p",
    "li",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "td",
    "pre",
    "dt",
    "dd",
    "blockquote",
    "figcaption",
    "summary",
    "div",
    "table",
    "a",
)
_DIGIT = re.compile(r"\d")
_END = re.compile(r"[.!?:;\u3002\uff01\uff1f\u2026\"\u201d')]\s*\Z")


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


def units_of(survey: Survey, guide: Guide) -> list[Unit]:
    """Cut a page into units, in document order.

    Args:
        survey: The page.
        guide: The choice of the general extractor.

    Returns:
        Every piece of text outside of controls.
    """
    nodes, parent = survey.nodes, survey.parent
    around, near = _marks(survey)
    inside = bytearray(len(nodes))
    units: list[Unit] = []
    for here, node in enumerate(nodes):
        above = parent[here]
        if above >= 0 and inside[above]:
            inside[here] = 1
            continue
        tag = node.tag
        if tag in SILENT:
            inside[here] = 1
            continue
        holds = survey.holds_block[here]
        if not survey.size[here] or not (tag in BLOCKS or holds):
            continue
        whole = tag == "pre" or not holds
        inline = () if whole else _inline(survey, node)
        text = "".join(node.itertext()) if whole else _between(node, inline)
        if whole:
            inside[here] = 1
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


def _marks(survey: Survey) -> tuple[list[int], list[int]]:
    """What tags, roles and class words say about each element: of all above it, and of the nearest three."""
    count = len(survey.nodes)
    own, around, near = [0] * count, [0] * count, [0] * count
    known: dict[str, int] = {}
    marks = furniture_marks(survey)
    for here, node in enumerate(survey.nodes):
        above = survey.parent[here]
        mark = own[here] = _own(node, known) | (marks[here] << _FURNITURE_BIT)
        around[here] = mark | (around[above] if above >= 0 else 0)
        near[here] = mark
        for _ in range(2):
            if above < 0:
                break
            near[here] |= own[above]
            above = survey.parent[above]
    return around, near


def _own(node: HtmlElement, known: dict[str, int]) -> int:
    tag = node.tag
    bit = _TAG_BITS.get(tag)
    mark = 0 if bit is None else 1 << bit
    if tag in ("body", "html"):
        return mark
    for word in tokens(node):
        if word not in known:
            known[word] = sum(bit for bit, pattern in _GROUP_MARKS if pattern.search(word))
        mark |= known[word]
    prop = node.get("itemprop")
    if prop:
        mark |= 1 << (_BODY_BIT if prop in ("articleBody", "text", "description", "reviewBody") else _PROP_BIT)
    return mark


def features(survey: Survey, units: list[Unit], container: int, title: str) -> list[list[float]]:
    """Describe every unit by numbers, the marks aside.

    Args:
        survey: The page.
        units: Its units.
        container: Place of its content container.
        title: Title of the page.

    Returns:
        One row a unit.
    """
    if not units:
        return []
    rows: list[list[float]] = []
    count = len(units)
    lengths = [len(unit.folded) for unit in units]
    covered = [unit.covered * length for unit, length in zip(units, lengths, strict=True)]
    total = sum(lengths) or 1
    share = sum(covered) / total
    parents = _shares(survey, units, lengths, covered)
    kept = [at for at, unit in enumerate(units) if unit.covered >= 0.5]
    first, last = (kept[0], kept[-1]) if kept else (0, count - 1)
    heading = next((at for at, unit in enumerate(units) if unit.node.tag == "h1"), -1)
    seen: dict[str, int] = {}
    for unit in units:
        seen[unit.folded] = seen.get(unit.folded, 0) + 1
    middle = _middle(survey, units, covered)
    name = fold(title)
    passed = 0
    nearest = _nearest(units)
    for at, unit in enumerate(units):
        here, length = unit.at, lengths[at]
        up = survey.parent[here]
        upper = survey.parent[up] if up >= 0 else up
        low, high = max(0, at - 4), min(count, at + 5)
        window = sum(covered[low:high]) / (sum(lengths[low:high]) or 1)
        density = survey.linked[here] / (survey.size[here] or 1)
        start = _START.match(unit.text.lstrip()[:40]) if length < 120 else None
        tag = unit.node.tag
        rows.append(
            [
                unit.covered,
                units[at - 1].covered if at else 0.0,
                units[at + 1].covered if at + 1 < count else 0.0,
                window,
                parents[up][0] if up >= 0 else share,
                parents[upper][0] if upper >= 0 else share,
                share,
                float(survey.is_under(here, container)),
                float(survey.is_under(here, middle)),
                density,
                survey.linked[up] / (survey.size[up] or 1) if up >= 0 else 0.0,
                survey.linked[upper] / (survey.size[upper] or 1) if upper >= 0 else 0.0,
                math.log1p(length) / 8,
                float(length < 15),
                float(length > 60),
                float(length > 160),
                float(bool(_END.search(unit.text[-4:]))),
                passed / total,
                float(at < first),
                float(at > last),
                math.log1p(nearest[at]) / 4,
                math.log1p(count) / 7,
                float(seen[unit.folded] > 1),
                float(at < heading),
                float(heading < 0),
                math.log1p(parents[up][1] if up >= 0 else 0) / 8,
                math.log1p(parents[upper][1] if upper >= 0 else 0) / 8,
                float(unit.mixed),
                float(length > 8 and unit.folded in name),
                len(_DIGIT.findall(unit.text[:200])) / min(200, len(unit.text)),
                *(float(start is not None and start.lastgroup == name) for name in STARTS),
                *(float(tag == name) for name in TAGS),
            ]
        )
        passed += length
    return rows


NUMBERS = 30 + len(STARTS) + len(TAGS)


def _shares(
    survey: Survey, units: list[Unit], lengths: list[int], covered: list[float]
) -> dict[int, tuple[float, float]]:
    """For the two elements above each unit: how much of their text is covered, and how much prose they hold."""
    sums: dict[int, list[float]] = {}
    for at, unit in enumerate(units):
        up = survey.parent[unit.at]
        for _ in range(2):
            if up < 0:
                break
            entry = sums.setdefault(up, [0.0, 0.0, 0.0])
            entry[0] += covered[at]
            entry[1] += lengths[at]
            if lengths[at] > 60 and survey.linked[unit.at] < 0.3 * (survey.size[unit.at] or 1):
                entry[2] += lengths[at]
            up = survey.parent[up]
    return {up: (entry[0] / entry[1], entry[2]) for up, entry in sums.items()}


def _middle(survey: Survey, units: list[Unit], covered: list[float]) -> int:
    """Place of the smallest element with nearly all of what the guide chose."""
    need = 0.85 * sum(covered)
    if need <= 0:
        return 0
    sums: dict[int, float] = {}
    for unit, part in zip(units, covered, strict=True):
        if part:
            up = unit.at
            while up >= 0:
                sums[up] = sums.get(up, 0.0) + part
                up = survey.parent[up]
    return max(at for at, held in sums.items() if held >= need)


def _nearest(units: list[Unit]) -> list[int]:
    """Distance of each unit to the closest one that the guide chose."""
    count = len(units)
    far = [count] * count
    distance = count
    for at, unit in enumerate(units):
        distance = 0 if unit.covered >= 0.5 else distance + 1
        far[at] = distance
    distance = count
    for at in range(count - 1, -1, -1):
        distance = 0 if units[at].covered >= 0.5 else distance + 1
        far[at] = min(far[at], distance)
    return far
