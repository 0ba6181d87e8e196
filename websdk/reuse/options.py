"""Bounds of reuse."""

from __future__ import annotations

from typing import Any

import attrs


def _from_zero(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
        raise ValueError(f"{attribute.name} is a number from 0")


@attrs.frozen(kw_only=True)
class ReuseOptions:
    """Bounds of reuse.

    Attributes:
        ttl_s: Seconds for which an answer may be given again; long enough for an agent that repeats itself, short
            enough that nobody takes it for another look. 0 turns reuse off.
        entries: Answers kept at once.
        bytes: Bytes of all answers kept.
    """

    ttl_s: float = attrs.field(default=30.0, validator=_from_zero)
    entries: int = attrs.field(default=64, validator=_from_zero)
    bytes: int = attrs.field(default=2 * 1024 * 1024, validator=_from_zero)
