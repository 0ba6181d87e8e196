"""The web address of a file below a base address. Pure."""

from __future__ import annotations

import os
from urllib.parse import quote, unquote_to_bytes, urlsplit

from websdk.errors import InvalidRequest
from websdk.model.urls import parse

_SEGMENT_SAFE = "!$&'()*+,;=:@"  # what RFC 3986 allows in a path segment beside letters, digits and -._~


def checked_base(base_url: str) -> str:
    """Return *base_url* in its WHATWG serialisation with a slash at its end.

    Raises:
        InvalidRequest: It is no http(s) address, or holds credentials, a query string or a fragment.
    """
    parsed = parse(base_url)
    if parsed is None:
        raise InvalidRequest("the base address is an http(s) address such as https://docs.example.com/guide/")
    parts = urlsplit(parsed.href)
    if parsed.has_credentials or parts.query or parts.fragment or "?" in parsed.href or "#" in parsed.href:
        raise InvalidRequest("the base address holds no credentials, query string or fragment")
    return parsed.href if parsed.href.endswith("/") else parsed.href + "/"


def encoded(segments: tuple[str, ...]) -> str:
    """Return the names of folders and a file as the percent-encoded end of an address.

    Names that are no valid text are encoded byte by byte, so that every file has a name.
    """
    return "/".join(quote(os.fsencode(segment), safe=_SEGMENT_SAFE) for segment in segments)


def readable(name: str) -> str:
    """Return an encoded name for a person to read; control characters stay encoded."""
    text = unquote_to_bytes(name).decode("utf-8", "replace")
    return text if text.isprintable() else name
