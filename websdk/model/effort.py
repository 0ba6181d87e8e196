"""How much a session puts into one search, and among which kinds of sources."""

from __future__ import annotations

from enum import StrEnum


class Effort(StrEnum):
    """How many providers one search may contact."""

    FAST = "fast"
    """One, and the next only after a failure that may pass."""
    THOROUGH = "thorough"
    """A few at the same time."""


class Family(StrEnum):
    """Kinds of sources. A provider belongs to one; a search may ask for both."""

    WEB = "web"
    CODE = "code"
    BOTH = "both"

    @property
    def members(self) -> tuple[Family, ...]:
        """The kinds that are asked for, in the order in which they are searched."""
        return (Family.WEB, Family.CODE) if self is Family.BOTH else (self,)
