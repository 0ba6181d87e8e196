"""What a page read says of itself: who asks and what it can read. No cookies, no referrer, nothing of a vendor."""

from __future__ import annotations

from websdk import __version__
from websdk.wire import Headers

USER_AGENT = f"websdk/{__version__}"
_PAGES = (
    "text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.8, application/json;q=0.8, "
    "application/xml;q=0.8, application/pdf;q=0.7, */*;q=0.1"
)


def page_headers() -> Headers:
    """Return the headers of a request for a page."""
    return (("User-Agent", USER_AGENT), ("Accept", _PAGES))


def index_headers() -> Headers:
    """Return the headers of a request for a documentation index."""
    return (("User-Agent", USER_AGENT), ("Accept", "text/plain, text/markdown;q=0.9"))
