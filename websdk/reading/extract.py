"""Choose the content of a parsed and stripped page and write it."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

import attrs

from websdk.model.document import Link
from websdk.reading import root as roots
from websdk.reading.choose import choose, take_out
from websdk.reading.edges import edges
from websdk.reading.features import features
from websdk.reading.guide import ask
from websdk.reading.options import ReadingOptions
from websdk.reading.strategy import Strategy
from websdk.reading.survey import Survey
from websdk.reading.tree import remove, text_of
from websdk.reading.units import marks_of, units_of
from websdk.reading.write import Writer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement

    from websdk.reading.facts import Facts


# Characters of text outside of menus below which a page is taken whole: there is nothing to choose from.
_SHORT = 1_200
# Elements in tables, counted once for each table around them, beyond which the extractor is not asked: about a second.
_TABLE_STEPS = 40_000
# Elements that mean something without text.
_LAID_OUT = frozenset(("br", "hr", "td", "th", "tr", "pre", "code"))
# Letters below which a choice is taken for a failure.
_TOO_LITTLE = 60


@attrs.frozen(kw_only=True)
class Extraction:
    """The content of a page.

    Attributes:
        blocks: Its Markdown, block by block.
        links: Its links, in order.
        strategy: The reading that chose it.
        heading: Its first heading.
    """

    blocks: tuple[str, ...]
    links: tuple[Link, ...]
    strategy: Strategy
    heading: str


def extract(root: HtmlElement, facts: Facts, url: str, options: ReadingOptions) -> Extraction:
    """Choose and write the content of *root*, which is changed.

    Args:
        root: A page without hidden content.
        facts: What it says about itself.
        url: Its address.
        options: Images and bounds.

    Returns:
        The content.
    """
    survey = Survey(root)
    marks = roots.furniture_marks(survey)
    here = roots.content_root(survey, marks)
    if roots.is_documentation(survey, facts) or roots.is_contained_documentation(survey, here, url):
        furniture = roots.content_furniture(survey, marks, here)
        for node in (*edges(survey, furniture, here), *furniture):
            remove(node)
        _complete(survey, here, facts.title)
        strategy, content = Strategy.DOCUMENTATION, survey.nodes[here]
    else:
        strategy, content = _weighed(survey, marks, here, facts, url, options)
    writer = Writer(content, facts.base, options)
    blocks = writer.write()
    heading = next((text_of(node) for node in content.iter("h1", "h2")), "")
    return Extraction(blocks=tuple(blocks), links=tuple(writer.links.values()), strategy=strategy, heading=heading)


def _without_furniture(survey: Survey, marks: list[bool], here: int) -> HtmlElement:
    for node in roots.furniture(survey, marks, here):
        remove(node)
    return survey.nodes[here]


def _complete(survey: Survey, here: int, title: str) -> None:
    """Let the content begin with the heading of the page and end with its notes where they stand outside of it."""
    content = survey.nodes[here]
    notes = roots.notes_outside(survey, here)
    if notes is not None:
        remove(notes)
        notes.tail = None
        content.append(notes)
    heading = roots.title_outside(survey, here, title)
    if heading is not None:
        remove(heading)
        heading.tail, content.text = content.text, None
        content.insert(0, heading)


def _weighed(
    survey: Survey, marks: list[bool], here: int, facts: Facts, url: str, options: ReadingOptions
) -> tuple[Strategy, HtmlElement]:
    """The content of a page that no generator made: piece by piece where there is something to choose from."""
    furniture = roots.furniture(survey, marks)
    outside = sum(survey.size[survey.at[node]] for node in furniture)
    if survey.size[0] - outside < _SHORT or len(survey.nodes) > options.max_guided_elements or _is_costly(survey):
        content = _without_furniture(survey, marks, here)
        _complete(survey, here, facts.title)
        return Strategy.WHOLE, content
    said = marks_of(survey, marks)
    units = units_of(survey, said, ask(lean(survey, here, furniture)))
    rows = features(survey, units, said.named, here, title=facts.title, article=facts.kind == "article")
    choice = choose(units, rows, documentation=roots.looks_like_documentation(survey, url))
    if choice.size < _TOO_LITTLE:
        return Strategy.CONTAINER, _without_furniture(survey, marks, here)
    take_out(choice)
    return Strategy.GUIDED, survey.nodes[0]


def _is_costly(survey: Survey) -> bool:
    """Whether tables are nested so that an extractor, which walks each of them whole, would walk without end."""
    walked = sum(survey.last[at] - at for at, tag in enumerate(survey.tags) if tag == "table")
    return walked > _TABLE_STEPS


def lean(survey: Survey, here: int, furniture: Iterable[HtmlElement]) -> HtmlElement:
    """A copy of the content container as a page of its own, since all else costs an extractor time for nothing.

    Args:
        survey: The page.
        here: Place of the container.
        furniture: Elements that are left out of the copy, as are those without text.

    Returns:
        The root of the copy.
    """
    root = survey.nodes[0]
    copied = deepcopy(survey.nodes[here])
    copied.tail = None
    copies = list(copied.iter("*"))
    left_out = {survey.at[node] for node in furniture}
    end = here
    for at in range(here + 1, survey.last[here] + 1):
        if at > end and (at in left_out or (not survey.size[at] and survey.tags[at] not in _LAID_OUT)):
            remove(copies[at - here])
            end = survey.last[at]
    if copied.tag != "html":
        page, body = root.makeelement("html"), copied
        if body.tag != "body":
            body = root.makeelement("body")
            body.append(copied)
        page.append(body)
        copied = page
    for cell in copied.iter("td", "th"):
        # The extractor lays spans out, and a few that lie cost it minutes.
        for name in ("colspan", "rowspan"):
            cell.attrib.pop(name, None)
    return copied
