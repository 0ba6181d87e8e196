"""What goes into a request beside what the caller wrote. Pure."""

from __future__ import annotations

import attrs

from websdk.errors import InvalidRequest
from websdk.model.urls import parse
from websdk.transport.decoders import ACCEPT_ENCODING
from websdk.wire.message import HttpRequest

USER_AGENT = "websdk"

# Fields that say where a request goes or where it ends. A caller's own could make two readers of one request disagree.
_OWN_FIELDS = frozenset({"host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "expect"})
_METHODS_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})

Field = tuple[bytes, bytes]


@attrs.frozen(kw_only=True)
class Target:
    """Where a request goes.

    Attributes:
        scheme: ``http`` or ``https``.
        host: Host name or literal address, IPv6 without brackets.
        port: The port.
        authority: Host and port as the ``Host`` field has them.
        path: Path and query.
        origin: ``scheme://authority``.
    """

    scheme: str
    host: str
    port: int
    authority: str
    path: str = attrs.field(repr=False)
    origin: str

    @classmethod
    def of(cls, url: str) -> Target:
        """Return the target of *url*.

        Raises:
            InvalidRequest: It is no http(s) address, or carries a user name or password.
        """
        parsed = parse(url)
        if parsed is None or parsed.has_credentials:
            raise InvalidRequest("the address of a request is http(s), with a host and without credentials")
        return cls(
            scheme=parsed.scheme,
            host=parsed.host.removeprefix("[").removesuffix("]"),
            port=parsed.port,
            authority=parsed.origin.partition("://")[2],
            path=parsed.href.removeprefix(parsed.origin).partition("#")[0],
            origin=parsed.origin,
        )


def fields(request: HttpRequest, target: Target, *, keep_alive: bool) -> list[Field]:
    """Return the header fields of *request* as they go onto the wire.

    Raises:
        InvalidRequest: A field is not the caller's to set, or cannot be written.
    """
    names = {name.lower() for name, _ in request.headers}
    taken = sorted(names & _OWN_FIELDS)
    if taken:
        raise InvalidRequest(f"the transport itself sets the field {taken[0]}")
    written = [("Host", target.authority), ("Accept-Encoding", ACCEPT_ENCODING)]
    if "user-agent" not in names:
        written.append(("User-Agent", USER_AGENT))
    if not keep_alive:
        written.append(("Connection", "close"))
    written += [field for field in request.headers if field[0].lower() != "accept-encoding"]
    if request.body or request.method in _METHODS_WITH_BODY:
        written.append(("Content-Length", str(len(request.body))))
    try:
        return [(name.encode("ascii"), value.encode("latin-1")) for name, value in written]
    except UnicodeEncodeError:
        pass  # raised below, because the exception itself holds the text of the field
    raise InvalidRequest("a header field holds characters that HTTP cannot carry")
