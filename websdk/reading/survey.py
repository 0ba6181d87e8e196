"""Measure every element of a page once, so that each reading can ask without walking again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websdk.reading.tree import BLOCKS

if TYPE_CHECKING:
    from lxml.html import HtmlElement

Name = tuple[str, str]
"""Class attribute and id of an element as written; few differ within a page, so what they mean is found out once."""


class Survey:
    """Sizes of all elements under one root, in document order.

    Args:
        root: A page without hidden content; it must not change while the survey is used.

    Attributes:
        nodes: The elements.
        at: Element to its place in *nodes*.
        tags: What each is.
        names: What each is called.
        words: The class names and ids in a name, lower case.
        roles: Place to stated role.
        parent: Place of the parent; -1 for the root.
        last: Place of the last element under each; its own where it is empty.
        size: Characters of text under each element.
        linked: Characters of that which are link text.
        holds_block: Whether an element has a block below it.
    """

    def __init__(self, root: HtmlElement) -> None:
        self.nodes: list[HtmlElement] = [node for node in root.iter() if isinstance(node.tag, str)]
        self.at = {node: at for at, node in enumerate(self.nodes)}
        self.tags: list[str] = [node.tag for node in self.nodes]
        self.names: list[Name] = [(node.get("class") or "", node.get("id") or "") for node in self.nodes]
        self.words = {name: tuple(f"{name[0]} {name[1]}".lower().split()) for name in set(self.names)}
        self.roles = {self.at[node]: str(node.get("role")) for node in root.xpath("descendant-or-self::*/@role/..")}
        count = len(self.nodes)
        self.parent = [-1] * count
        self.last = list(range(count))
        self.size = [0] * count
        self.linked = [0] * count
        self.holds_block = [False] * count
        self._measure()

    def _measure(self) -> None:
        at, parent, size, linked, holds = self.at, self.parent, self.size, self.linked, self.holds_block
        tags, last = self.tags, self.last
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
            tag = tags[here]
            if tag == "a":
                linked[here] = size[here]
            if above >= 0:
                if last[here] > last[above]:
                    last[above] = last[here]
                size[above] += size[here]
                linked[above] += linked[here]
                if holds[here] or tag in BLOCKS:
                    holds[above] = True

    def plain(self, here: int) -> int:
        """Characters of text outside of links under one element."""
        return self.size[here] - self.linked[here]

    def is_under(self, here: int, above: int) -> bool:
        """Whether one element stands somewhere below another."""
        return above <= here <= self.last[above]
