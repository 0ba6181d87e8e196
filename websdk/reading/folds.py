"""Tell what is one click away from what is hidden: panels of a tab set, and folds with a visible head."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websdk.reading.tree import is_element, tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.html import HtmlElement

_PANEL = re.compile(r"tab-?_?(?:panel|pane|content|item|body)|tabbed-(?:content|block)|tabset")
_TABS = frozenset(
    (
        "tabs",
        "nav-tabs",
        "tab-list",
        "tablist",
        "tab-nav",
        "tabbed-labels",
        "tab-labels",
        "tabbed-set",
        "sd-tab-set",
        "tablinks",
    )
)
_FOLD = re.compile(r"accordi|collaps|toggle|expand|\bfaq|fold(?!er)|spoiler|reveal|read-?more|show-?more|disclosure")
_NO_FOLD = re.compile(
    r"nav|menu|header|footer|modal|dialog|popup|overlay|cookie|search|login|drawer|lightbox|tooltip|dropdown"
)
_BOXES = frozenset(("height", "max-height"))
_CONTROL = (
    "boolean(descendant-or-self::*[self::button or self::a or self::summary or self::label or self::h1 or self::h2"
    " or self::h3 or self::h4 or self::h5 or self::h6 or self::dt or self::input or @aria-expanded or @aria-controls"
    " or @onclick or @role='button' or @data-toggle or @data-bs-toggle])"
)
# A fold's head is a line, not a passage.
_HEAD_CHARACTERS = 300


class Reachable:
    """Knows the controls of one page.

    Args:
        root: The page, before anything hidden is taken out.
    """

    def __init__(self, root: HtmlElement) -> None:
        self._root = root
        self._names: tuple[frozenset[str], frozenset[str]] | None = None
        self._tabs: frozenset[str] | None = None
        self._tabbed: dict[HtmlElement, bool] = {}

    def by_a_click(self, node: HtmlElement, style: Mapping[str, object]) -> bool:
        """Whether a visitor sees *node* after one click on a tab or on the head of a fold.

        Args:
            node: A hidden element.
            style: What it declares.

        Returns:
            Whether a control for it stands beside it.
        """
        if self._is_panel(node):
            return True
        # Pages fold by taking the box away, not by moving it off the screen or fading it.
        folded = style.get("display") == "none" or node.get("hidden") is not None or _BOXES & style.keys()
        moved = style.get("transition")
        # Who says how a box grows means it to be opened.
        grows = isinstance(moved, frozenset) and not moved.isdisjoint(_BOXES)
        return bool(folded) and self._is_fold(node, grows=grows)

    def _controlled(self) -> tuple[frozenset[str], frozenset[str]]:
        """Names that tabs control, and names that buttons of folds control."""
        if self._names is None:
            tabs, folds = set(), set()
            for control in self._root.xpath("//*[@aria-controls]"):
                if control.get("role") == "tab":
                    tabs.add(control.get("aria-controls"))
                elif control.get("aria-expanded") is not None and control.get("aria-haspopup") is None:
                    folds.add(control.get("aria-controls"))
            self._names = frozenset(tabs), frozenset(folds)
        return self._names

    def _is_panel(self, node: HtmlElement) -> bool:
        name = node.get("id")
        panel = node.get("role") == "tabpanel" or any(_PANEL.search(word) for word in tokens(node))
        if not panel and self._labelled_by_tab(node):
            return True
        if not panel and (not name or name not in self._controlled()[0]):
            return False
        around = node.getparent()
        for _ in range(3):
            if around is None:
                return False
            if around not in self._tabbed:
                self._tabbed[around] = _has_tabs(around)
            if self._tabbed[around]:
                return True
            around = around.getparent()
        return False

    def _labelled_by_tab(self, node: HtmlElement) -> bool:
        name = node.get("aria-labelledby")
        if not name or _NO_FOLD.search(" ".join(tokens(node))):
            return False
        if self._tabs is None:
            self._tabs = frozenset(
                self._root.xpath("//*[@role='tab' or @aria-selected or self::button or self::a or self::label]/@id")
            )
        return name in self._tabs

    def _is_fold(self, node: HtmlElement, *, grows: bool) -> bool:
        parent = node.getparent()
        if parent is None or node.tag not in ("div", "section", "dd", "ul", "ol", "p", "article"):
            return False
        words = " ".join(tokens(node) + tokens(parent))
        name = node.get("id")
        labelled = node.get("role") == "region" and bool(node.get("aria-labelledby"))
        controlled = bool(name) and name in self._controlled()[1]
        if not (labelled or controlled or grows or _FOLD.search(words)):
            return False
        if _NO_FOLD.search(words) or any(
            above.tag in ("nav", "header", "footer", "dialog") for above in node.iterancestors()
        ):
            return False
        head = node.getprevious()
        if not (controlled or labelled) and (
            head is None or not is_element(head) or not (head.xpath(_CONTROL) or _FOLD.search(" ".join(tokens(head))))
        ):
            return False
        text = (
            "".join(head.itertext()).strip() if head is not None and is_element(head) else (parent.text or "").strip()
        )
        return 0 < len(text) <= _HEAD_CHARACTERS and (
            head is None or (head.get("hidden") is None and "display" not in (head.get("style") or ""))
        )


def _has_tabs(around: HtmlElement) -> bool:
    if around.xpath("boolean(.//*[@role='tab' or @role='tablist'])"):
        return True
    return any(not _TABS.isdisjoint(tokens(part)) for part in around.iter("ul", "ol", "div", "nav", "button"))
