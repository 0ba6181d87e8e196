"""Cut a page into the pieces of text that are kept or dropped, and describe each by what it is and where it stands."""

from __future__ import annotations

import math
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
_START_ROWS = {start: tuple(float(start == name) for name in STARTS) for start in (*STARTS, None)}
_TAG_ROWS = {tag: tuple(float(tag == name) for name in TAGS) for tag in TAGS}
_NO_TAG = (0.0,) * len(TAGS)
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


def units_of(survey: Survey, furniture: list[bool], guide: Guide) -> list[Unit]:
    """Cut a page into units, in document order.

    Args:
        survey: The page.
        furniture: Whether each of its elements is furniture.
        guide: The choice of the general extractor.

    Returns:
        Every piece of text outside of controls.
    """
    tags = survey.tags
    around, near = _marks(survey, furniture)
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


def _marks(survey: Survey, furniture: list[bool]) -> tuple[list[int], list[int]]:
    """What tags, roles and class words say about each element: of all above it, and of the nearest three."""
    count = len(survey.nodes)
    own, around, near = [0] * count, [0] * count, [0] * count
    known = _meanings(survey)
    props = {
        survey.at[node]: 1 << (_BODY_BIT if node.get("itemprop") in _BODY_PROPS else _PROP_BIT)
        for node in survey.nodes[0].xpath("descendant-or-self::*[@itemprop!='' and not(self::body or self::html)]")
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
    return around, near


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
                *_START_ROWS[start.lastgroup if start is not None else None],
                *_TAG_ROWS.get(unit.node.tag, _NO_TAG),
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
