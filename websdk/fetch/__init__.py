"""The rungs of the page reader. A judged address goes in; bytes come out, then a document."""

from websdk.fetch.docs_index import DocsIndexes, FoundIndex
from websdk.fetch.ladder import Ladder, PageExtractor
from websdk.fetch.local import LocalRung
from websdk.fetch.options import FetchOptions
from websdk.fetch.proxy import HttpReader, ProxyRung

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
