"""The rungs of the page reader. A judged address goes in; bytes come out, then a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from websdk.fetch.options import FetchOptions

if TYPE_CHECKING:
    from websdk.fetch.docs_index import DocsIndexes, FoundIndex
    from websdk.fetch.ladder import Ladder, PageExtractor
    from websdk.fetch.local import LocalRung
    from websdk.fetch.proxy import HttpReader, ProxyRung
else:
    # Settings need the options alone; the rungs bring the whole reading of pages with them.
    _HOMES = {
        "DocsIndexes": "docs_index",
        "FoundIndex": "docs_index",
        "Ladder": "ladder",
        "PageExtractor": "ladder",
        "LocalRung": "local",
        "HttpReader": "proxy",
        "ProxyRung": "proxy",
    }

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"websdk.fetch.{_HOMES[name]}"), name)


__all__ = [
    "DocsIndexes",
    "FetchOptions",
    "FoundIndex",
    "HttpReader",
    "Ladder",
    "LocalRung",
    "PageExtractor",
    "ProxyRung",
]
