"""A reply made of what arrived. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from websdk.protocols.transport import FailureKind, TransportFailure
from websdk.transport.bounds import BoundedBody
from websdk.wire.message import Headers, HttpResponse


def text_headers(raw: Iterable[tuple[bytes, bytes]]) -> Headers:
    """Return header fields as text; HTTP reads their bytes as Latin-1."""
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in raw)


def empty_body(status: int, headers: Headers, *, max_bytes: int) -> BoundedBody:
    """Return what takes the body of a reply with these headers.

    Raises:
        TransportFailure: It is no reply to a request of ours, or in a coding that is not decoded here.
    """
    if status < 200:
        raise TransportFailure(FailureKind.BROKEN, "the peer switched to another protocol unasked", sent=True)
    return BoundedBody((value for name, value in headers if name.lower() == "content-encoding"), max_bytes=max_bytes)


def reply(status: int, headers: Headers, body: BoundedBody, *, torn: bool, proxied: bool) -> HttpResponse:
    """Return the reply; a body that broke off, or a coding that did, makes it incomplete."""
    content, whole = body.finish()
    return HttpResponse(
        status=status,
        headers=headers,
        body=content,
        incomplete=torn or not whole,
        wire_bytes=body.wire_bytes,
        proxied=proxied,
    )
