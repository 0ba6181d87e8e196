"""A second opinion about where the content is: containers, scored by the paragraphs they hold.

The general extractor looks for known containers first; this one knows no names but those that speak for or against a
container, counts sentences, and so errs on other pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from websdk.reading.survey import Survey
from websdk.reading.units import MARK, Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

_PARAGRAPHS = frozenset(("p", "pre", "td", "blockquote", "div", "section"))
# Letters from which text counts as a paragraph, letters that are worth a point, and the most points that length earns.
_PARAGRAPH, _POINT, _MOST = 25, 100, 3
# Share of a paragraph's points that the element above gets, the one above that, and so on.
_SHARES = (1.0, 0.5, 1 / 3, 0.25)
_BY_TAG = {
    "article": 8,
    "main": 8,
    "div": 5,
    "section": 3,
    "td": 3,
    "blockquote": 3,
    "form": -3,
    "ul": -3,
    "ol": -3,
    "li": -3,
    "dl": -3,
    "th": -5,
}
_BY_NAME = 25
_FOR = MARK["content"] | MARK["lead"]
_AGAINST = (
    MARK["nav"]
    | MARK["comment"]
    | MARK["social"]
    | MARK["related"]
    | MARK["promo"]
    | MARK["side"]
    | MARK["foot"]
    | MARK["cookie"]
    | MARK["form"]
)


@attrs.frozen(kw_only=True)
class Scores:
    """Containers and what they earn.

    Attributes:
        earned: Place of a container to its points, less the share of its text that is links.
        top: Place of the best; -1 where there is no paragraph.
        best: Its points, at least one.
    """

    earned: dict[int, float]
    top: int
    best: float

    def share(self, here: int) -> float:
        """Points of one element as a share of the best, from -1 to 1."""
        return max(-1.0, min(1.0, self.earned.get(here, 0.0) / self.best))


def scores(survey: Survey, units: Sequence[Unit], named: Sequence[int]) -> Scores:
    """Score the containers of a page.

    Args:
        survey: The page.
        units: Its pieces.
        named: What the names of each element say.

    Returns:
        The points.
    """
    points: dict[int, float] = {}
    parent, size, linked = survey.parent, survey.size, survey.linked
    for unit in units:
        here, text = unit.at, unit.text
        if survey.tags[here] not in _PARAGRAPHS or len(text) < _PARAGRAPH or 2 * linked[here] >= size[here]:
            continue
        earned = 1 + text.count(",") + text.count("\u3001") + text.count("\uff0c") + min(len(text) / _POINT, _MOST)
        above = here if unit.mixed else parent[here]
        for share in _SHARES:
            if above < 0:
                break
            if above not in points:
                points[above] = _start(survey.tags[above], named[above])
            points[above] += earned * share
            above = parent[above]
    earned_by = {at: value * (1 - linked[at] / (size[at] or 1)) for at, value in points.items()}
    top = max(earned_by, key=earned_by.__getitem__, default=-1)
    return Scores(earned=earned_by, top=top, best=max(1.0, earned_by[top]) if top >= 0 else 1.0)


def _start(tag: str, named: int) -> float:
    """Points of a container before it has any paragraph."""
    points = _BY_TAG.get(tag, 0)
    if named & _FOR:
        points += _BY_NAME
    if named & _AGAINST:
        points -= _BY_NAME
    return float(points)
