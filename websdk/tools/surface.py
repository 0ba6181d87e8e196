"""What the tools of one session consist of."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

import attrs

from websdk.model.document import Via
from websdk.model.filters import FilterKey

FILTERS = tuple(key.value for key in FilterKey)
REFERENCE = ("ref", "find", "cursor")
SEARCHING = ("query", *FILTERS, "max_results", "effort", "family")
READING = ("urls", "via")


class Style(StrEnum):
    """How the tools are cut."""

    UNIFIED = "unified"
    """One tool, ``search``."""
    PAIR = "pair"
    """Two tools, ``web_search`` and ``web_fetch``."""


@attrs.frozen(kw_only=True)
class Surface:
    """What a session can do, as far as a model may know.

    Attributes:
        search: Whether it searches.
        fetch: Whether it reads pages.
        rungs: Ways to read a page that exist, the usual one first.
        style: How the tools are cut.
    """

    search: bool = True
    fetch: bool = True
    rungs: tuple[Via, ...] = (Via.LOCAL,)
    style: Style = Style.UNIFIED

    @property
    def surface(self) -> Surface:
        """The surface itself."""
        return self

    @property
    def tools(self) -> dict[str, tuple[str, ...]]:
        """Names of the tools that exist, each with the names of its arguments in the order of their declaration."""
        searching = SEARCHING if self.search else ()
        reading = READING if self.fetch else ()
        if not searching and not reading:
            return {}
        if self.style is Style.UNIFIED:
            return {"search": (*searching[:1], *reading[:1], *REFERENCE, *reading[1:], *searching[1:])}
        pair = {"web_search": searching, "web_fetch": reading}
        return {name: (*own[:1], *REFERENCE, *own[1:]) for name, own in pair.items() if own}

    def tool_for(self, argument: str) -> str:
        """Return the name of the tool that takes *argument*, the one for reading where both do."""
        holders = [name for name, arguments in self.tools.items() if argument in arguments]
        return holders[-1]


class HoldsTools(Protocol):
    """Anything with a surface: a session, or a surface itself."""

    @property
    def surface(self) -> Surface:
        """What its tools consist of."""
        ...
