"""Requests and replies of HTTP as values."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import attrs

Headers = tuple[tuple[str, str], ...]


def _header(headers: Headers, name: str) -> str | None:
    wanted = name.lower()
    for key, value in headers:
        if key.lower() == wanted:
            return value
    return None


@attrs.frozen(kw_only=True)
class HttpRequest:
    """A request that could leave.

    Its representation shows method, host and the number of headers only, because address, headers and body may hold a
    query or a credential.

    Attributes:
        method: Upper-case method.
        url: Absolute http(s) address, ASCII, no credentials.
        headers: Names and values in order; the transport adds ``Host`` and ``Content-Length``.
        body: The body; empty for none.
    """

    method: str
    url: str = attrs.field(repr=lambda url: repr(urlsplit(url).hostname))
    headers: Headers = attrs.field(default=(), repr=lambda headers: f"<{len(headers)} headers>")
    body: bytes = attrs.field(default=b"", repr=lambda body: f"<{len(body)} bytes>")

    def header(self, name: str) -> str | None:
        """Return the first value of header *name*, whatever its letter case; ``None`` without one."""
        return _header(self.headers, name)

    def with_headers(self, headers: Iterable[tuple[str, str]]) -> HttpRequest:
        """Return a copy in which *headers* replace those of the same names."""
        new = tuple(headers)
        names = {name.lower() for name, _ in new}
        return attrs.evolve(self, headers=tuple(h for h in self.headers if h[0].lower() not in names) + new)


@attrs.frozen(kw_only=True)
class HttpResponse:
    """A reply that was read whole, within its bounds.

    Attributes:
        status: HTTP status, 100 to 599.
        headers: Names and values in order, as received.
        body: The body after its content codings were undone.
        incomplete: Whether the body ended before its declared end.
        wire_bytes: Size of the body before its codings were undone.
        proxied: Whether a configured proxy carried it.
    """

    status: int
    headers: Headers = attrs.field(default=(), repr=lambda headers: f"<{len(headers)} headers>")
    body: bytes = attrs.field(default=b"", repr=lambda body: f"<{len(body)} bytes>")
    incomplete: bool = False
    wire_bytes: int = 0
    proxied: bool = False

    def header(self, name: str) -> str | None:
        """Return the first value of header *name*, whatever its letter case; ``None`` without one."""
        return _header(self.headers, name)

    @property
    def media_type(self) -> str:
        """The content type without parameters, lower-case; empty without one."""
        return (self.header("content-type") or "").split(";", 1)[0].strip().lower()


@attrs.frozen(kw_only=True)
class Pause:
    """A wait that a codec asks for between two requests of one exchange.

    Attributes:
        seconds: How long, above zero; the deadline of the call bounds it.
    """

    seconds: float


def json_request(method: str, url: str, payload: Any, headers: Headers = ()) -> HttpRequest:
    """Return a request whose body is *payload* as compact UTF-8 JSON."""
    body = json.dumps(payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return HttpRequest(method=method, url=url, headers=(*headers, ("Content-Type", "application/json")), body=body)
