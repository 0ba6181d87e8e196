"""Decide piece by piece what belongs to the content of a page, from several opinions.

The opinions are the general extractor's choice, the content container, the points of the containers, the furniture
words and the place of a piece among its neighbours. :mod:`websdk.reading.trees` says what they are worth together; it
was fitted to pages whose content people marked, and ``tests/benchmarks/fit_choice.py`` fits it again.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import attrs

from websdk.reading.features import LINK_SHARE, RUNNING
from websdk.reading.tree import HEADINGS, remove
from websdk.reading.units import IN_STEPS, IN_TABLE, Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.html import HtmlElement

# Chance from which a piece is kept: lower where a page is no article, since such pages keep less of what they are.
_KEEP, _KEEP_ARTICLE = 0.5, 0.18
# The same on documentation for what the extractor chose.
_KEEP_CHOSEN = 0.3
# Chance from which the heading of something kept is kept.
_KEEP_HEADING = 0.15
# Share of the kept paragraphs that makes their container typical, and letters from which a block is a paragraph.
_ALIKE_SHARE, _PARAGRAPH = 0.2, 60
# Letters from which a piece that stands on a page twice is one passage shown twice; shorter ones are labels.
_REPEATABLE = 24
# Where the same is said again on purpose: in the cells of a table and in the steps of an instruction.
_REPEATING = IN_TABLE | IN_STEPS


@attrs.frozen(kw_only=True)
class Choice:
    """Which pieces of a page are its content.

    Attributes:
        units: All pieces.
        kept: For each, whether it stays.
        size: Letters that stay.
    """

    units: tuple[Unit, ...]
    kept: tuple[bool, ...]
    size: int


def choose(units: Sequence[Unit], rows: Sequence[Sequence[float]], *, documentation: bool) -> Choice:
    """Weigh every piece of a page.

    Args:
        units: The pieces.
        rows: What :func:`~websdk.reading.features.features` says about each.
        documentation: Whether it looks like documentation, of which less is furniture.

    Returns:
        The choice.
    """
    chances = _chances(units, rows)
    floor = _KEEP if documentation or not rows else _KEEP + _KEEP_ARTICLE * rows[0][RUNNING]
    chosen = _KEEP_CHOSEN if documentation else floor
    kept = [chance >= (chosen if unit.covered >= 0.5 else floor) for unit, chance in zip(units, chances, strict=True)]
    _keep_alike(units, rows, kept)
    _keep_headings(units, chances, kept)
    _keep_code(units, kept)
    _agree_in_tables(units, kept)
    if not documentation:
        _drop_repeats(units, kept)
    return Choice(
        units=tuple(units),
        kept=tuple(kept),
        size=sum(len(unit.folded) for unit, stays in zip(units, kept, strict=True) if stays),
    )


def _chances(units: Sequence[Unit], rows: Sequence[Sequence[float]]) -> list[float]:
    from websdk.reading.trees import total

    return [1 / (1 + math.exp(-total(row, unit.near, unit.around))) for unit, row in zip(units, rows, strict=True)]


def _keep_alike(units: Sequence[Unit], rows: Sequence[Sequence[float]], kept: list[bool]) -> None:
    """Keep paragraphs that stand in the same kind of container as a good part of the kept ones.

    Long articles are cut into several containers by what is put between them, and an extractor may take one of them.
    """
    letters: dict[tuple[str, ...], int] = {}
    for unit, stays in zip(units, kept, strict=True):
        if stays and unit.node.tag == "p":
            where = _container(unit.node)
            letters[where] = letters.get(where, 0) + len(unit.folded)
    enough = _ALIKE_SHARE * sum(letters.values())
    for at, unit in enumerate(units):
        if kept[at] or unit.node.tag != "p" or len(unit.folded) < _PARAGRAPH or rows[at][LINK_SHARE] > 0.3:
            continue
        where = _container(unit.node)
        kept[at] = bool(where[1] or where[3]) and letters.get(where, 0) >= max(enough, _PARAGRAPH)


def _container(node: HtmlElement) -> tuple[str, ...]:
    """What the two elements above are called."""
    names: list[str] = []
    above = node.getparent()
    for _ in range(2):
        names += (str(above.tag), above.get("class") or "") if above is not None else ("", "")
        above = above.getparent() if above is not None else None
    return tuple(names)


def _keep_headings(units: Sequence[Unit], chances: list[float], kept: list[bool]) -> None:
    """Keep the headings of what is kept."""
    for at in range(len(units) - 2, -1, -1):
        if not kept[at] and units[at].node.tag in HEADINGS - {"h1"} and kept[at + 1] and chances[at] >= _KEEP_HEADING:
            kept[at] = True


def _keep_code(units: Sequence[Unit], kept: list[bool]) -> None:
    """Keep code between two kept pieces: what is said about it is worth little without it."""
    for at in range(1, len(units) - 1):
        if (
            not kept[at]
            and units[at].node.tag == "pre"
            and any(kept[max(0, at - 2) : at])
            and any(kept[at + 1 : at + 3])
        ):
            kept[at] = True


def _agree_in_tables(units: Sequence[Unit], kept: list[bool]) -> None:
    """Keep or drop a table as a whole."""
    tables: dict[HtmlElement, list[int]] = {}
    for at, unit in enumerate(units):
        if unit.node.tag in ("td", "th"):
            table = next(unit.node.iterancestors("table"), None)
            if table is not None:
                tables.setdefault(table, []).append(at)
    for cells in tables.values():
        letters = sum(len(units[at].folded) for at in cells)
        stays = sum(len(units[at].folded) for at in cells if kept[at]) >= 0.5 * letters
        for at in cells:
            kept[at] = stays


def _drop_repeats(units: Sequence[Unit], kept: list[bool]) -> None:
    """Drop what was said before word for word: pages carry a passage twice, for wide and for narrow screens.

    What is said again under the same parent is the text's own, as the refrain of a song is, and so are steps. A heading
    repeats headings alone: a list of contents names it before it comes. An item goes where most of its list does: what
    two things have in common stands in the list of each.
    """
    said: dict[tuple[str, bool], HtmlElement | None] = {}
    lists: dict[HtmlElement | None, list[tuple[int, bool]]] = {}
    for at, unit in enumerate(units):
        tag, above = unit.node.tag, unit.node.getparent()
        if not kept[at] or tag == "pre" or unit.around & _REPEATING:
            continue
        again = len(unit.folded) >= _REPEATABLE and (
            said.setdefault((unit.folded, tag in HEADINGS), above) is not above
        )
        if tag == "li" and not unit.mixed:
            lists.setdefault(above, []).append((at, again))
        elif again:
            kept[at] = False
    for items in lists.values():
        letters = sum(len(units[at].folded) for at, _ in items)
        if 2 * sum(len(units[at].folded) for at, again in items if again) >= letters:
            for at, again in items:
                kept[at] = not again


def take_out(choice: Choice) -> None:
    """Remove the pieces that do not stay from their tree, in place."""
    for unit, stays in zip(choice.units, choice.kept, strict=True):
        if stays:
            continue
        node = unit.node
        if not unit.mixed and node.tag not in ("body", "html", "td", "th"):
            remove(node)
        else:
            _take_out_text(node, unit.inline)


def _take_out_text(node: HtmlElement, inline: Sequence[HtmlElement]) -> None:
    node.text = None
    for child in list(node):
        child.tail = None
        if child in inline:
            node.remove(child)
