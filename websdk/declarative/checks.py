"""Checks that look at several keys of one table."""

from __future__ import annotations

import json
from typing import Any

import attrs

from websdk.declarative.words import FILTER_TERMS, QUERY_TEXT, holes, is_fragment, only_holes, walk_fragment


class KeyProblem(ValueError):
    """A key that does not fit its neighbours.

    Attributes:
        key: The key, as it stands in its table.
    """

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


def at_least(bound: int) -> Any:
    def check(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if value is not None and value < bound:
            raise KeyProblem(attribute.name, f"is at least {bound}")

    return check


def pattern_fits(key: str, text: str | None, at: str | None, wanted: set[str]) -> None:
    """Refuse a pattern whose holes or form do not suit the place that it is written to."""
    if text is None:
        return
    if at is None:
        raise KeyProblem(key, "needs `at`")
    parts = tuple(walk_fragment(json.loads(text))) if is_fragment(text) else (text,)
    if is_fragment(text) != (at.endswith("[]") and at not in (QUERY_TEXT, FILTER_TERMS)):
        raise KeyProblem(key, "a JSON fragment goes to a place that ends in [], any other pattern does not")
    try:
        for part in parts:
            only_holes(part, {*wanted, "field"})
    except ValueError as exc:
        raise KeyProblem(key, str(exc)) from None
    if not any(hole in wanted for part in parts for hole in holes(part)):
        raise KeyProblem(key, f"has none of {', '.join(sorted('{' + hole + '}' for hole in wanted))}")
