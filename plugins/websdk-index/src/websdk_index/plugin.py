"""What this distribution offers to a client."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from websdk.hookspecs import hookimpl

if TYPE_CHECKING:
    from websdk.protocols import WebSearchProvider
    from websdk.protocols.assembly import Assembly

PLUGIN = "index"


@hookimpl
def websdk_search_providers(assembly: Assembly) -> Iterable[WebSearchProvider]:
    """Offer the index that ``[plugin.index] file`` names, else this person's own; it need not exist yet."""
    from websdk_index.location import configured_file
    from websdk_index.provider import IndexProvider

    return (IndexProvider(configured_file(assembly.options(PLUGIN))),)
