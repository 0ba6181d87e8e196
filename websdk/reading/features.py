"""Describe every piece of a page by numbers: what several opinions say about it, and where and how it stands."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from websdk.reading.guide import fold
from websdk.reading.scores import scores
from websdk.reading.survey import Survey
from websdk.reading.units import Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

# Letters from which a piece is prose, and the share of link text from which it is not.
_PROSE, _LINKED = 60, 0.3
# Letters of running prose with which a page counts wholly as an article.
_ARTICLE_LETTERS = 2_000
# How much of an article a page is at least that calls itself one.
_DECLARED = 0.7
# Only short pieces are looked at for what they begin with.
_SHORT = 120
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
_STARTS = {name: float(at + 1) for at, name in enumerate(("by", "share", "talk", "related", "join", "shop", "legal"))}
# Kinds that are alike stand next to each other, since a tree cuts a row of them in two.
_TAGS = {
    tag: float(at + 1)
    for at, tag in enumerate(
        (
            "p",
            "pre",
            "blockquote",
            "dd",
            "dt",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "summary",
            "figcaption",
            "table",
            "td",
            "th",
            "div",
            "li",
            "a",
        )
    )
}
_DIGIT = re.compile(r"\d")
_END = '.!?\u2026\u3002\uff01\uff1f"\u201d'
LINK_SHARE, RUNNING = 9, -1
"""Places of the share of link text, and of the share of running text on the page, in a row."""


def features(
    survey: Survey, units: Sequence[Unit], named: Sequence[int], container: int, *, title: str, article: bool
) -> list[list[float]]:
    """Describe every piece of a page.

    Args:
        survey: The page.
        units: Its pieces.
        named: What the names of each element say.
        container: Place of its content container.
        title: Title of the page.
        article: Whether it calls itself an article.

    Returns:
        One row a piece.
    """
    if not units:
        return []
    count = len(units)
    size, linked, parent = survey.size, survey.linked, survey.parent
    lengths = [len(unit.folded) for unit in units]
    covered = [unit.covered * length for unit, length in zip(units, lengths, strict=True)]
    total = sum(lengths) or 1
    share = sum(covered) / total
    around = _shares(survey, units, lengths, covered)
    kept = [at for at, unit in enumerate(units) if unit.covered >= 0.5]
    first, last = (kept[0], kept[-1]) if kept else (0, count - 1)
    heading = next((at for at, unit in enumerate(units) if unit.node.tag == "h1"), -1)
    seen: dict[str, int] = {}
    for unit in units:
        seen[unit.folded] = seen.get(unit.folded, 0) + 1
    middle = _middle(survey, units, covered)
    depths = _depths(survey)
    points = scores(survey, units, named)
    alike = _alike(survey, units, lengths, covered)
    nearest = _nearest(units)
    name = fold(title)
    running = _articleness(survey, units, article=article)
    whole = math.log1p(max(0.0, points.earned.get(points.top, 0.0))) / 6
    standing: dict[int, tuple[float, float, float]] = {}
    rows: list[list[float]] = []
    passed = 0
    for at, unit in enumerate(units):
        here, length, text = unit.at, lengths[at], unit.text
        up = parent[here]
        upper = parent[up] if up >= 0 else up
        low, high = max(0, at - 4), min(count, at + 5)
        start = _START.match(text.lstrip()[:40]) if length < _SHORT else None
        inside = middle <= here <= survey.last[middle]
        holder = here if unit.mixed else up
        if holder not in standing:
            shares = [points.share(place) for place in _above(parent, holder, 5)]
            standing[holder] = (shares[0], shares[1] if len(shares) > 1 else 0.0, max(shares))
        words = text.split(None, 1)
        rows.append(
            [
                unit.covered,
                units[at - 1].covered if at else 0.0,
                units[at + 1].covered if at + 1 < count else 0.0,
                sum(covered[low:high]) / (sum(lengths[low:high]) or 1),
                around[up][0] if up >= 0 else share,
                around[upper][0] if upper >= 0 else share,
                share,
                float(survey.is_under(here, container)),
                float(inside),
                linked[here] / (size[here] or 1),
                linked[up] / (size[up] or 1) if up >= 0 else 0.0,
                linked[upper] / (size[upper] or 1) if upper >= 0 else 0.0,
                float(length),
                float(text.rstrip()[-1] in _END),
                passed / total,
                float(at < first),
                float(at > last),
                float(nearest[at]),
                float(count),
                float(seen[unit.folded] > 1),
                float(at < heading) if heading >= 0 else -1.0,
                around[up][1] if up >= 0 else 0.0,
                around[upper][1] if upper >= 0 else 0.0,
                float(unit.mixed),
                float(length > 8 and unit.folded in name),
                len(_DIGIT.findall(text[:200])) / min(200, len(text)),
                _STARTS[start.lastgroup or ""] if start is not None else 0.0,
                _TAGS.get(unit.node.tag, 0.0),
                float(points.top >= 0 and survey.is_under(here, points.top)),
                *standing[holder],
                whole,
                *alike[at],
                sum(lengths[at + 1 : at + 4]) / 3,
                sum(map(str.isupper, text[:60])) / min(60, len(text)),
                float(len(words) < 2),
                float(depths[here] - depths[middle]) if inside else -1.0,
                length / total,
                running,
            ]
        )
        passed += length
    return rows


def _articleness(survey: Survey, units: Sequence[Unit], *, article: bool) -> float:
    """How much of a page is one running text, from 0 to 1."""
    chosen = prose = 1.0
    for unit in units:
        if unit.covered >= 0.5:
            letters = len(unit.folded)
            chosen += letters
            if letters > _PROSE and survey.linked[unit.at] < _LINKED * survey.size[unit.at]:
                prose += letters
    return max(min(1.0, prose / _ARTICLE_LETTERS) * prose / chosen, _DECLARED if article else 0.0)


def _above(parent: Sequence[int], here: int, levels: int) -> list[int]:
    """An element and what stands above it."""
    found = [here]
    while len(found) < levels and here >= 0:
        here = parent[here]
        found.append(here)
    return found


def _depths(survey: Survey) -> list[int]:
    depths = [0] * len(survey.nodes)
    for here, above in enumerate(survey.parent):
        if above >= 0:
            depths[here] = depths[above] + 1
    return depths


def _alike(
    survey: Survey, units: Sequence[Unit], lengths: Sequence[int], covered: Sequence[float]
) -> list[tuple[float, float, float, float, float]]:
    """What the extractor chose of the other pieces whose elements, or the two above, are called the same.

    Pages repeat themselves: what stands in a kind of box once is of one kind every time.
    """
    names, tags, parent = survey.names, survey.tags, survey.parent
    up = [parent[unit.at] for unit in units]
    upper = [parent[at] if at >= 0 else at for at in up]

    def group(key: Callable[[int], Hashable]) -> list[tuple[float, float]]:
        sums: dict[Hashable, list[float]] = {}
        keys = [key(at) for at in range(len(units))]
        for own, length, part in zip(keys, lengths, covered, strict=True):
            entry = sums.setdefault(own, [0.0, 0.0, 0.0])
            entry[0] += part
            entry[1] += length
            entry[2] += 1
        found = []
        for own, length, part in zip(keys, lengths, covered, strict=True):
            chosen, whole, members = sums[own]
            found.append(((chosen - part) / (whole - length) if whole > length else -1.0, members))
        return found

    def called(at: int) -> str:
        return names[at][0] if at >= 0 else ""

    own = group(lambda at: (tags[units[at].at], called(units[at].at)))
    outer = group(lambda at: (tags[units[at].at], called(up[at])))
    box = group(lambda at: (called(up[at]), called(upper[at])))
    return [(*first, second[0], *third) for first, second, third in zip(own, outer, box, strict=True)]


def _shares(
    survey: Survey, units: Sequence[Unit], lengths: Sequence[int], covered: Sequence[float]
) -> dict[int, tuple[float, float]]:
    """For the two elements above each piece: how much of their text is covered, and how much prose they hold."""
    sums: dict[int, list[float]] = {}
    for at, unit in enumerate(units):
        up = survey.parent[unit.at]
        prose = lengths[at] if lengths[at] > _PROSE and survey.linked[unit.at] < _LINKED * survey.size[unit.at] else 0
        for _ in range(2):
            if up < 0:
                break
            entry = sums.setdefault(up, [0.0, 0.0, 0.0])
            entry[0] += covered[at]
            entry[1] += lengths[at]
            entry[2] += prose
            up = survey.parent[up]
    return {up: (entry[0] / entry[1], entry[2]) for up, entry in sums.items()}


def _middle(survey: Survey, units: Sequence[Unit], covered: Sequence[float]) -> int:
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


def _nearest(units: Sequence[Unit]) -> list[int]:
    """Distance of each piece to the closest one that the guide chose."""
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
