"""Choose the content of a parsed and stripped page and write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from websdk.model.document import Link
from websdk.reading import root as roots
from websdk.reading.options import ReadingOptions
from websdk.reading.strategy import Strategy
from websdk.reading.tree import text_of
from websdk.reading.write import Writer

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from websdk.reading.facts import Facts


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
    strategy = Strategy.DOCUMENTATION
    content = roots.content_root(root)
    roots.furniture_free(content)
    writer = Writer(content, facts.base, options)
    blocks = writer.write()
    heading = next((text_of(node) for node in content.iter("h1", "h2")), "")
    return Extraction(blocks=tuple(blocks), links=tuple(writer.links.values()), strategy=strategy, heading=heading)
