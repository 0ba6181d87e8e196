"""Find the elements that selectors mean by climbing from each candidate, within a budget."""

from __future__ import annotations

from operator import methodcaller
from typing import TYPE_CHECKING

from websdk.reading.selectors import Part, Selector

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement

_Known = dict[tuple["HtmlElement", int], bool]

# Looks at an element that one page may cost: a look takes two microseconds.
_WORK = 400_000
_CLASS, _ID = methodcaller("get", "class"), methodcaller("get", "id")
_CONTROLS = frozenset(("button", "input", "select", "textarea", "option", "optgroup", "fieldset"))


class Index:
    """Elements of a page by what they are called.

    Args:
        elements: The elements that count, in the order of the page.
    """

    def __init__(self, elements: Iterable[HtmlElement]) -> None:
        self.all = list(elements)
        self._by_class: dict[str, list[HtmlElement]] = {}
        self._by_id: dict[str, list[HtmlElement]] = {}
        self._by_tag: dict[str, list[HtmlElement]] | None = None
        self._by_attribute: dict[str, list[HtmlElement]] = {}
        by_class, by_id = self._by_class, self._by_id
        for element, words, name in zip(self.all, map(_CLASS, self.all), map(_ID, self.all), strict=True):
            if words:
                for word in set(words.split()):
                    by_class.setdefault(word, []).append(element)
            if name:
                by_id.setdefault(name, []).append(element)

    def knows(self, names: Iterable[str], ids: Iterable[str], tag: str = "") -> bool:
        """Whether classes, ids and a kind of element occur at all."""
        return (
            all(name in self._by_class for name in names)
            and all(name in self._by_id for name in ids)
            and (not tag or tag in self._tags())
        )

    def candidates(self, part: Part) -> list[HtmlElement]:
        """The elements that may be what a compound asks for."""
        if part.ids:
            return self._by_id.get(part.ids[0], [])
        if part.words:
            return min((self._by_class.get(word, []) for word in part.words), key=len)
        if part.tag:
            return self._tags().get(part.tag, [])
        if part.attributes:
            name = part.attributes[0][0]
            if name not in self._by_attribute:
                self._by_attribute[name] = [element for element in self.all if element.get(name) is not None]
            return self._by_attribute[name]
        return self.all

    def _tags(self) -> dict[str, list[HtmlElement]]:
        """Elements by kind; few pages ask for a kind alone."""
        if self._by_tag is None:
            self._by_tag = {}
            for element in self.all:
                self._by_tag.setdefault(element.tag, []).append(element)
        return self._by_tag


class Matcher:
    """Finds the elements of one tree that a selector means.

    Args:
        page: All elements of the tree.
    """

    def __init__(self, page: Index) -> None:
        self._page = page
        self._left = max(4 * len(page.all), _WORK)
        self._holders: dict[Selector, set[HtmlElement]] = {}
        self._places: dict[tuple[HtmlElement, str], dict[HtmlElement, int]] = {}
        self._classes: dict[HtmlElement, frozenset[str]] = {}

    def match(self, selector: Selector, among: Index) -> list[HtmlElement]:
        """The elements that a selector means.

        Args:
            selector: What to look for.
            among: Elements that matter.

        Returns:
            The elements; fewer where the budget ran out.
        """
        parts = selector.parts
        if self._left <= 0 or any(part.never for part in parts):
            return []
        last = len(parts) - 1
        known: _Known = {}
        return [
            node for node in among.candidates(parts[last]) if self._left > 0 and self._fits(node, parts, last, known)
        ]

    def _fits(self, node: HtmlElement, parts: tuple[Part, ...], at: int, known: _Known) -> bool:
        part = parts[at]
        if not self._is(node, part):
            return False
        if at == 0:
            return True
        if part.relation == " ":
            return self._is_under(node.getparent(), parts, at - 1, known)
        sideways = part.relation in "+~"
        other = _before(node) if sideways else node.getparent()
        while other is not None and self._left > 0:
            if self._fits(other, parts, at - 1, known):
                return True
            if part.relation in ">+":
                return False
            other = _before(other)
        return False

    def _is_under(self, node: HtmlElement | None, parts: tuple[Part, ...], at: int, known: _Known) -> bool:
        """Whether an element or one above it fits; what is found out serves all that stand under the same."""
        found, climbed = False, []
        while node is not None and self._left > 0 and not found:
            if (node, at) in known:
                found = known[node, at]
                break
            climbed.append(node)
            found = self._fits(node, parts, at, known)
            node = node.getparent()
        known.update(((each, at), found) for each in climbed)
        return found

    def _is(self, node: HtmlElement, part: Part) -> bool:
        self._left -= 1
        if part.never or (part.tag and node.tag != part.tag):
            return False
        if part.words and not part.words <= self._words(node):
            return False
        # Most parts ask for nothing but names, and this is asked of most elements of a page.
        if part.ids and any(node.get("id") != name for name in part.ids):
            return False
        if part.attributes and any(not _has(node, *attribute) for attribute in part.attributes):
            return False
        if part.places and not all(self._stands(node, *place) for place in part.places):
            return False
        if part.tests and any(not self._passes(node, test) for test in part.tests):
            return False
        if part.holds and not all(any(node in self._holding(member) for member in members) for members in part.holds):
            return False
        return not part.lists or all(wanted is self._is_one(node, members) for wanted, members in part.lists)

    def _is_one(self, node: HtmlElement, members: tuple[Selector, ...]) -> bool:
        return any(self._fits(node, member.parts, len(member.parts) - 1, {}) for member in members)

    def _holding(self, member: Selector) -> set[HtmlElement]:
        """The elements that something stands to as a relative selector says, found from its end."""
        known = self._holders.get(member)
        if known is not None:
            return known
        parts = member.parts
        last = parts[-1]
        found = {node for node in self._page.candidates(last) if self._left > 0 and self._is(node, last)}
        for at in range(len(parts) - 1, 0, -1):
            found = self._related(found, parts[at].relation)
            if at > 1:
                found = {node for node in found if self._left > 0 and self._is(node, parts[at - 1])}
        self._holders[member] = found
        return found

    def _related(self, nodes: set[HtmlElement], relation: str) -> set[HtmlElement]:
        """The elements that a combinator leads back to."""
        found: set[HtmlElement] = set()
        for node in nodes:
            other = _before(node) if relation in "+~" else node.getparent()
            while other is not None and other not in found and self._left > 0:
                self._left -= 1
                found.add(other)
                if relation in ">+":
                    break
                other = _before(other) if relation == "~" else other.getparent()
        return found

    def _words(self, node: HtmlElement) -> frozenset[str]:
        found = self._classes.get(node)
        if found is None:
            found = self._classes[node] = frozenset((node.get("class") or "").split())
        return found

    def _place_of(self, node: HtmlElement, kind: str) -> int:
        parent = node.getparent()
        if parent is None:
            return 1
        known = self._places.get((parent, kind))
        if known is None:
            children = [child for child in parent if isinstance(child.tag, str)]
            self._left -= len(children)
            counts: dict[str, int] = {}
            known = {}
            for child in reversed(children) if "last" in kind else children:
                name = child.tag if kind.endswith("type") else ""
                counts[name] = known[child] = counts.get(name, 0) + 1
            self._places[(parent, kind)] = known
        return known.get(node, 1)

    def _stands(self, node: HtmlElement, kind: str, step: int, offset: int, members: tuple[Selector, ...]) -> bool:
        if not members:
            place = self._place_of(node, kind)
        elif self._is_one(node, members):
            siblings = node.itersiblings("*", preceding="last" not in kind)
            place = 1 + sum(1 for other in siblings if self._left > 0 and self._is_one(other, members))
        else:
            return False
        behind = place - offset
        return behind == 0 if step == 0 else behind % step == 0 and behind // step >= 0

    def _passes(self, node: HtmlElement, test: str) -> bool:
        if test in ("root", "scope"):
            return node.getparent() is None
        if test == "empty":
            return len(node) == 0 and not node.text
        if test in ("only-child", "only-of-type"):
            kind = test.removeprefix("only-")
            return self._place_of(node, f"nth-{kind}") == 1 == self._place_of(node, f"nth-last-{kind}")
        if test in ("link", "any-link", "-webkit-any-link"):
            return node.tag in ("a", "area") and node.get("href") is not None
        if test == "checked":
            return node.get("checked") is not None or node.get("selected") is not None
        if test == "enabled":
            return node.tag in _CONTROLS and node.get("disabled") is None
        if test == "disabled":
            return node.tag in _CONTROLS and node.get("disabled") is not None
        if test == "open":
            return node.tag in ("details", "dialog") and node.get("open") is not None
        if test == "read-only":
            return node.tag not in ("input", "textarea")
        kind, _, argument = test.partition(" ")
        if kind == "dir":
            return argument.strip() == ("rtl" if self._inherited(node, "dir").strip() == "rtl" else "ltr")
        if kind == "lang":
            given = f"{self._inherited(node, 'lang')}-"
            asked = [name.strip(" \t\n\"'") for name in argument.split(",")]
            return any(name and given.startswith(f"{name}-") for name in asked)
        return True

    def _inherited(self, node: HtmlElement, name: str) -> str:
        """What the nearest element around says that has an attribute, in lower case."""
        above: HtmlElement | None = node
        while above is not None:
            self._left -= 1
            given: str | None = above.get(name)
            if given is not None:
                return given.lower()
            above = above.getparent()
        return ""


def _before(node: HtmlElement) -> HtmlElement | None:
    other = node.getprevious()
    while other is not None and not isinstance(other.tag, str):
        other = other.getprevious()
    return other


def _has(node: HtmlElement, name: str, op: str, value: str, fold: bool) -> bool:
    given: str | None = node.get(name)
    if given is None:
        return False
    if fold:
        given, value = given.lower(), value.lower()
    if op == "":
        return True
    if op == "=":
        return given == value
    if op == "|=":
        return given == value or given.startswith(value + "-")
    if not value:
        return False
    if op == "~=":
        return value in given.split()
    return given.startswith(value) if op == "^=" else given.endswith(value) if op == "$=" else value in given
