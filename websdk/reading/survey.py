"""Measure every element of a page once, so that each reading can ask without walking again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websdk.reading.tree import BLOCKS

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.html import HtmlElement


class Survey:
    """Sizes of all elements under one root, in document order.

    Args:
        root: A page without hidden content; it must not change while the survey is used.

    Attributes:
        nodes: The elements.
        at: Element to its place in *nodes*.
        parent: Place of the parent; -1 for the root.
        size: Characters of text under each element.
        linked: Characters of that which are link text.
        holds_block: Whether an element has a block below it.
    """

    def __init__(self, root: HtmlElement) -> None:
        self.nodes: list[HtmlElement] = [node for node in root.iter() if isinstance(node.tag, str)]
        self.at = {node: at for at, node in enumerate(self.nodes)}
        count = len(self.nodes)
        self.parent = [-1] * count
        self.size = [0] * count
        self.linked = [0] * count
        self.holds_block = [False] * count
        self._furniture: list[bool] | None = None
        self._measure()

    def _measure(self) -> None:
        at, parent, size, linked, holds = self.at, self.parent, self.size, self.linked, self.holds_block
        for here, node in enumerate(self.nodes):
            above = at.get(node.getparent(), -1) if here else -1
            parent[here] = above
            text, tail = node.text, node.tail
            if text and not text.isspace():
                size[here] += len(text)
            if above >= 0 and tail and not tail.isspace():
                size[above] += len(tail)
        for here in range(len(self.nodes) - 1, -1, -1):
            above = parent[here]
            tag = self.nodes[here].tag
            if tag == "a":
                linked[here] = size[here]
            if above >= 0:
                size[above] += size[here]
                linked[above] += linked[here]
                if holds[here] or tag in BLOCKS:
                    holds[above] = True

    def furniture(self, judge: Callable[[HtmlElement], bool]) -> list[bool]:
        """What *judge* says about each element; asked once a page."""
        if self._furniture is None:
            self._furniture = [judge(node) for node in self.nodes]
        return self._furniture

    def plain(self, here: int) -> int:
        """Characters of text outside of links under one element."""
        return self.size[here] - self.linked[here]

    def is_under(self, here: int, above: int) -> bool:
        """Whether one element stands somewhere below another."""
        while here > above:
            here = self.parent[here]
        return here == above
