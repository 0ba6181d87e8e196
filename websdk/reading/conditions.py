"""Say whether the conditions of a style sheet hold on an ordinary screen: yes, no, or it depends."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from websdk.reading import declarations, selectors

if TYPE_CHECKING:
    from collections.abc import Callable

_OTHER_MEDIA = frozenset(("print", "speech", "aural", "braille", "tty", "tv", "embossed", "handheld", "projection"))
_RANGE = re.compile(r"(min|max)-(?:device-)?width\s*:\s*([\d.]+)\s*(px|em|rem)")
# Every screen is wider than the first and narrower than the second, in pixels.
_ANY_SCREEN = 320.0
_NO_SCREEN = 10_000.0
_ALWAYS = frozenset(("color", "scripting: enabled", "scripting:enabled", "update: fast", "update:fast"))
_NEVER = frozenset(
    ("scripting: none", "scripting:none", "scripting: initial-only", "scripting:initial-only", "monochrome", "grid")
)
_PARENTHESES = re.compile(r"\(((?:[^()]|\([^()]*\))*)\)")
_KNOWN = re.compile(
    r"(?:background(?:-color|-image|-size)?|width|height|margin|padding|float|grid"
    r"|grid-template-columns|grid-area|flex|flex-wrap|gap|object-fit|aspect-ratio|transform|transition|filter|clip-path"
    r"|font-family|top|left|inset|border|--[\w-]+)"
)
# Properties whose values are read as strictly as a browser reads them.
_JUDGED = frozenset(("display", "position", "visibility", "color", "opacity", "font-size", "overflow"))
# Longer conditions are taken to depend.
_LENGTH = 500


@lru_cache(maxsize=500)
def media(query: str) -> bool | None:
    """Whether a media query list holds.

    Args:
        query: What stands behind ``@media`` or in a ``media`` attribute.

    Returns:
        ``None`` where it depends on the screen or on what its owner likes.
    """
    query = " ".join(query.lower().split())
    if not query:
        return True
    if len(query) > _LENGTH:
        return None
    return _any([_one(part.strip()) for part in query.split(",")])


def _one(query: str) -> bool | None:
    found = re.fullmatch(r"(?:(only|not)\s+)?([a-z-]+)(?:\s+and\s+(.*))?", query)
    if found is not None and found.group(2) not in ("not", "only"):
        kind = found.group(2)
        if kind not in ("all", "screen"):
            holds: bool | None = False
        else:
            holds = _features(found.group(3)) if found.group(3) else True
        if found.group(1) == "not" and kind not in ("all", "screen") and kind not in _OTHER_MEDIA:
            return None
        return _not(holds) if found.group(1) == "not" else holds
    return _features(query) if query.startswith(("(", "not (", "not(")) else False


def _features(query: str) -> bool | None:
    return _evaluate(query, _feature)


def _feature(text: str) -> bool | None:
    if text in _ALWAYS:
        return True
    if text in _NEVER:
        return False
    found = _RANGE.fullmatch(text)
    if found is not None:
        width = float(found.group(2) or 0) * (1.0 if found.group(3) == "px" else 16.0)
        if found.group(1) == "min" and width <= _ANY_SCREEN:
            return True
        if found.group(1) == "max" and width >= _NO_SCREEN:
            return True
    return None


@lru_cache(maxsize=500)
def supports(query: str) -> bool | None:
    """Whether a browser of today supports what stands behind ``@supports``; ``None`` where that is not known."""
    query = " ".join(query.lower().split())
    return None if len(query) > _LENGTH else _evaluate(query, _support)


def _support(text: str) -> bool | None:
    name, colon, value = text.partition(":")
    if not colon:
        return None
    name, value = name.strip(), value.strip()
    if name in _JUDGED:
        return bool(declarations.parse(f"{name}:{value}"))
    return True if _KNOWN.fullmatch(name) and value else None


def _evaluate(query: str, leaf: Callable[[str], bool | None], depth: int = 0) -> bool | None:
    """Work out ``and``, ``or`` and ``not`` over parenthesised parts."""
    results: list[bool | None] = []
    joint, rest = "", query.strip()
    while rest:
        negated = re.match(r"not\s*(?=\(|selector\()", rest)
        rest = rest[negated.end() :] if negated else rest
        selector = rest.startswith("selector(")
        part = _PARENTHESES.match(rest, len("selector") if selector else 0)
        if part is None or depth > 3:
            return None
        inside = part.group(1).strip()
        nested = inside.startswith(("(", "not (", "not(", "selector(", "not selector("))
        if selector:
            # What is not known here may still be known to a browser.
            holds = True if selectors.parse(inside) is not None else None
        else:
            holds = _evaluate(inside, leaf, depth + 1) if nested else leaf(inside)
        results.append(_not(holds) if negated else holds)
        rest = rest[part.end() :].strip()
        if rest:
            link = re.match(r"(and|or)\b\s*", rest)
            if link is None or (joint and link.group(1) != joint):
                return None
            joint, rest = link.group(1), rest[link.end() :]
    return _any(results) if joint == "or" else _not(_any([_not(result) for result in results]))


def _any(results: list[bool | None]) -> bool | None:
    return True if True in results else None if None in results else False


def _not(holds: bool | None) -> bool | None:
    return None if holds is None else not holds
