"""Web search and page reading for agents, honestly: every asked filter is applied, or named as not applied.

The public names load on first use, so that ``import websdk`` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "26.1.0"

if TYPE_CHECKING:
    from websdk.errors import WebSdkError
else:
    _ROOMS: dict[str, str] = {}

    def __getattr__(name: str) -> Any:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
