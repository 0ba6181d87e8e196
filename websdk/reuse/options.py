"""Bounds of reuse."""

from __future__ import annotations

import attrs

from websdk.model.bounds import number, whole


@attrs.frozen(kw_only=True)
class ReuseOptions:
    """Bounds of reuse.

    Attributes:
        ttl_s: Seconds for which an answer may be given again; long enough for an agent that repeats itself, short
            enough that nobody takes it for another look. 0 turns reuse off.
        entries: Answers kept at once.
        bytes: Bytes of all answers kept.
    """

    ttl_s: float = attrs.field(default=30.0, validator=number(0))
    entries: int = attrs.field(default=64, validator=whole(0))
    bytes: int = attrs.field(default=2 * 1024 * 1024, validator=whole(0))
