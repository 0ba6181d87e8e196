"""The one door to the HTTP libraries. Wire requests come in; replies within their bounds, or failures, go out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from websdk.transport.httpx_client import HttpxTransport

if TYPE_CHECKING:
    from websdk.transport.http import HttpTransport, page_transport
else:

    def __getattr__(name: str) -> Any:  # the own transport loads httpcore, which an embedder's client may not need
        if name in ("HttpTransport", "page_transport"):
            from websdk.transport import http

            return getattr(http, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["HttpTransport", "HttpxTransport", "page_transport"]
