"""Parse selectors and find what they mean by climbing from each candidate, within a budget."""

from __future__ import annotations

import re
from operator import methodcaller
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement

Specificity = tuple[int, int, int]
_Known = dict[tuple["HtmlElement", int], bool]

# Longer or deeper selectors than this are machine-made and costly to match; they are taken to match nothing.
LENGTH = 400
_PARTS = 12
_DEPTH = 4
# Looks at an element that one page may cost: a look takes two microseconds.
_WORK = 400_000
# An escape by number takes the blank behind it along.
_ESCAPED = r"\\(?:[0-9a-fA-F]{1,6}\s?|[^\n0-9a-fA-F])"
_LETTER = r"\w\u0080-\U0010ffff-"
_NAME = rf"(?:-?(?:[_a-zA-Z\u0080-\U0010ffff]|{_ESCAPED})|--)(?:[{_LETTER}]|{_ESCAPED})*"
_PIECE = re.compile(
    rf"""(?P<space>\s*[>+~]\s*|\s+)|(?P<mark>[.#]|::?)(?P<name>{_NAME})(?P<open>\()?"""
    rf"""|(?:\*\|)?(?P<tag>\*|{_NAME})|\[\s*(?:\*?\|)?(?P<attr>{_NAME})\s*"""
    r"""(?:(?P<op>[~|^$*]?=)\s*(?:"(?P<double>(?:\\.|[^"\\])*)"|'(?P<single>(?:\\.|[^'\\])*)'"""
    rf"""|(?P<bare>{_NAME}))\s*(?P<flag>[iIsS])?\s*)?\]""",
    re.S,
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.S)
_NTH = re.compile(r"\s*(?:(odd|even)|([-+]?\d*)n\s*(?:([-+])\s*(\d+))?|([-+]?\d+))\s*", re.I)
_OF = re.compile(r"(.*?)\sof\b(.+)", re.S)
_LISTS = frozenset(("not", "is", "where", "has", "-webkit-any"))
_NTHS = frozenset(("nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"))
_PLACES = {
    "first-child": ("nth-child", 0, 1),
    "last-child": ("nth-last-child", 0, 1),
    "first-of-type": ("nth-of-type", 0, 1),
    "last-of-type": ("nth-last-of-type", 0, 1),
}
_TESTS = frozenset(
    "root empty only-child only-of-type link any-link -webkit-any-link defined scope checked enabled disabled "
    "read-only open".split()
)
# Selectors that a browser accepts and that mean nothing on a page at rest.
_STATES = frozenset(
    "hover focus focus-within focus-visible active visited target target-within read-write placeholder-shown default "
    "indeterminate valid invalid in-range out-of-range required optional fullscreen modal playing paused autofill "
    "user-valid user-invalid popover-open host host-context slotted part before after first-line first-letter marker "
    "placeholder selection backdrop file-selector-button cue view-transition state current past future muted "
    "-webkit-autofill -webkit-full-screen -webkit-drag".split()
)
_GAP = re.compile(r"\s*([>+~])\s*|\s+")
_CLASS, _ID = methodcaller("get", "class"), methodcaller("get", "id")
_ELEMENTS = frozenset(("before", "after", "first-line", "first-letter"))
# Attributes whose values a browser compares in any case.
_FOLDED = frozenset(
    "accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir "
    "direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref "
    "noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype "
    "vlink".split()
)
_CONTROLS = frozenset(("button", "input", "select", "textarea", "option", "optgroup", "fieldset"))


@attrs.frozen(kw_only=True, eq=False)
class Part:
    """One compound of a selector and how it stands to the compound before it (``" "``, ``">"``, ``"+"``, ``"~"``)."""

    relation: str
    tag: str
    ids: tuple[str, ...]
    words: frozenset[str]
    attributes: tuple[tuple[str, str, str, bool], ...]
    places: tuple[tuple[str, int, int, tuple[Selector, ...]], ...]
    tests: tuple[str, ...]
    lists: tuple[tuple[bool, tuple[Selector, ...]], ...]
    holds: tuple[tuple[Selector, ...], ...]
    never: bool


@attrs.frozen(kw_only=True, eq=False)
class Selector:
    """A parsed selector.

    Attributes:
        parts: Its compounds.
        specificity: What it weighs.
        unknown: Whether it asks for something that is not judged here, so that its contrary is not known either.
    """

    parts: tuple[Part, ...]
    specificity: Specificity
    unknown: bool = False


def parse(text: str, depth: int = 0, *, relative: bool = False) -> Selector | None:
    """Parse one selector.

    Args:
        text: The selector, without commas outside brackets.
        depth: How many selectors stand around it.
        relative: Whether it says how something stands to the element that is asked about, which is its first part.

    Returns:
        The selector, or ``None`` where a browser would not accept it.
    """
    text = text.strip()
    parts: list[Part] = []
    at, relation = 0, " "
    if relative:
        parts.append(_compound(" "))
        relation, text = (text[0], text[1:].lstrip()) if text[:1] in tuple(">+~") else (" ", text)
    if not text or text[0] in ">+~" or text[-1] in ">+~":
        return None
    if len(text) > LENGTH or depth > _DEPTH:
        return Selector(parts=(_compound(" ", never=True),), specificity=(0, 0, 0), unknown=True)
    weight: Specificity = (0, 0, 0)
    unknown = False
    while at < len(text):
        found = _read_compound(text, at, relation, depth)
        if found is None:
            return None
        part, own, at, open_question = found
        parts.append(part)
        unknown = unknown or open_question
        weight = _add(weight, own)
        gap = _GAP.match(text, at)
        if at < len(text):
            if gap is None:
                return None
            relation, at = gap.group(1) or " ", gap.end()
    if len(parts) > _PARTS:
        parts, unknown = [_compound(" ", never=True)], True
    return Selector(parts=tuple(parts), specificity=weight, unknown=unknown)


def _add(first: Specificity, second: Specificity) -> Specificity:
    return (first[0] + second[0], first[1] + second[1], first[2] + second[2])


def _compound(relation: str, *, never: bool = False) -> Part:
    return Part(
        relation=relation,
        tag="",
        ids=(),
        words=frozenset(),
        attributes=(),
        places=(),
        tests=(),
        lists=(),
        holds=(),
        never=never,
    )


def _read_compound(text: str, at: int, relation: str, depth: int) -> tuple[Part, Specificity, int, bool] | None:
    start = at
    tag, never, unknown = "", False, False
    ids: list[str] = []
    words: list[str] = []
    attributes: list[tuple[str, str, str, bool]] = []
    places: list[tuple[str, int, int, tuple[Selector, ...]]] = []
    element = False
    tests: list[str] = []
    lists: list[tuple[bool, tuple[Selector, ...]]] = []
    holds: list[tuple[Selector, ...]] = []
    weight: Specificity = (0, 0, 0)
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None:
            return None
        if match.group("space"):
            break
        at = match.end()
        if element and match.group("mark") != ":":
            return None
        if match.group("tag"):
            if match.start() != start:
                return None
            tag = "" if match.group("tag") == "*" else plain(match.group("tag")).lower()
            weight = _add(weight, (0, 0, 1 if tag else 0))
        elif match.group("attr"):
            value = next((match.group(g) for g in ("double", "single", "bare") if match.group(g) is not None), "")
            name = plain(match.group("attr")).lower()
            fold = (match.group("flag") or ("i" if name in _FOLDED else "")).lower() == "i"
            attributes.append((name, match.group("op") or "", plain(value), fold))
            weight = _add(weight, (0, 1, 0))
        elif match.group("mark") in (".", "#"):
            if match.group("open"):
                return None
            name = plain(match.group("name"))
            words.append(name) if match.group("mark") == "." else ids.append(name)
            weight = _add(weight, (0, 1, 0) if match.group("mark") == "." else (1, 0, 0))
        else:
            name, argument = match.group("name").lower(), None
            if match.group("open"):
                end = _closing(text, at)
                if end < 0:
                    return None
                argument, at = text[at:end], end + 1
            if match.group("mark") == "::" or name in _ELEMENTS:
                never = element = True
                if depth or (name not in _STATES and not name.startswith("-webkit-")):
                    return None
                continue
            if name in _LISTS and argument is not None:
                inner = [parse(member, depth + 1, relative=name == "has") for member in split_list(argument)]
                members = tuple(member for member in inner if member is not None)
                if name not in ("is", "where") and len(members) < len(inner):
                    return None
                unknown = unknown or any(member.unknown for member in members)
                never = never or (unknown and name == "not")
                if name == "has":
                    holds.append(members)
                else:
                    lists.append((name != "not", members))
                if name != "where" and members:
                    weight = _add(weight, max(member.specificity for member in members))
                continue
            weight = _add(weight, (0, 1, 0))
            if name in _NTHS and argument is not None:
                of = _OF.fullmatch(argument)
                inner = [parse(member, depth + 1) for member in split_list(of.group(2))] if of else []
                members = tuple(member for member in inner if member is not None)
                place = _place(name, of.group(1) if of else argument)
                if place is None or len(members) < len(inner) or (of and name.endswith("type")):
                    return None
                places.append((*place, members))
                if members:
                    weight = _add(weight, max(member.specificity for member in members))
                    unknown = unknown or any(member.unknown for member in members)
            elif name in _PLACES and argument is None:
                places.append((*_PLACES[name], ()))
            elif name in _TESTS and argument is None:
                tests.append(name)
            elif name in ("lang", "dir") and argument:
                tests.append(f"{name} {argument.lower()}")
            elif name in _STATES:
                never = True
            else:
                return None
    if at == start or (element and at < len(text)):
        return None
    part = Part(
        relation=relation,
        tag=tag,
        ids=tuple(ids),
        words=frozenset(words),
        attributes=tuple(attributes),
        places=tuple(places),
        tests=tuple(tests),
        lists=tuple(lists),
        holds=tuple(holds),
        never=never,
    )
    return part, weight, at, unknown


def plain(name: str) -> str:
    """A name with its escapes resolved."""
    if "\\" not in name:
        return name
    return _ESCAPE.sub(
        lambda match: chr(min(int(match.group(1), 16), 0x10FFFF) or 0xFFFD) if match.group(1) else match.group(2), name
    )


def _closing(text: str, at: int) -> int:
    depth, quote, escaped = 1, "", False
    for place in range(at, len(text)):
        char = text[place]
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                return place
    return -1


def _place(name: str, argument: str) -> tuple[str, int, int] | None:
    match = _NTH.fullmatch(argument)
    if match is None:
        return None
    word, step, sign, offset, alone = match.groups()
    if word:
        return (name, 2, 1 if word.lower() == "odd" else 0)
    if alone:
        return (name, 0, int(alone))
    first = int(step + "1") if step in ("", "+", "-") else int(step)
    return (name, first, int(f"{sign}{offset}") if offset else 0)


def split_list(selectors: str) -> list[str]:
    """The members of a selector list, split at commas outside brackets and strings."""
    if not any(mark in selectors for mark in "([\"'\\"):
        return selectors.split(",")
    parts, depth, start, quote, escaped = [], 0, 0, "", False
    for at, char in enumerate(selectors):
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(selectors[start:at])
            start = at + 1
    return [*parts, selectors[start:]]


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
