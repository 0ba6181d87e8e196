"""Parse the selectors of style sheets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterator

Specificity = tuple[int, int, int]

# Longer or deeper selectors than this are machine-made and costly to match; they are taken to match nothing.
LENGTH = 400
_PARTS = 12
_DEPTH = 4
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
_ELEMENTS = frozenset(("before", "after", "first-line", "first-letter"))
# Attributes whose values a browser compares in any case.
_FOLDED = frozenset(
    "accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir "
    "direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref "
    "noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype "
    "vlink".split()
)


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


def _plain_marks(text: str, at: int = 0) -> Iterator[tuple[int, str]]:
    """The characters of *text* from *at* that stand in no string and behind no backslash, with their places."""
    quote, escaped = "", False
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
        else:
            yield place, char


def _closing(text: str, at: int) -> int:
    depth = 1
    for place, char in _plain_marks(text, at):
        depth += (char == "(") - (char == ")")
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
    parts, depth, start = [], 0, 0
    for at, char in _plain_marks(selectors):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(selectors[start:at])
            start = at + 1
    return [*parts, selectors[start:]]
