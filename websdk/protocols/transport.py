"""Roles of the network edge."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol, runtime_checkable

import attrs

from websdk.wire.message import HttpRequest, HttpResponse


@attrs.frozen(kw_only=True)
class Limits:
    """Bounds of one exchange.

    Attributes:
        max_bytes: Ceiling for the reply's body, counted on the wire and again decoded.
        timeout_s: Wall-clock seconds for everything from the look-up to the last byte.
        connect_s: Seconds within these for look-up, connecting and TLS.
    """

    max_bytes: int
    timeout_s: float
    connect_s: float = 10.0


class FailureKind(StrEnum):
    """Why no usable reply arrived."""

    RESOLVE = "resolve"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT = "timeout"
    BROKEN = "broken"
    """The connection broke off or the peer does not speak HTTP."""
    TOO_LARGE = "too_large"
    CODING = "coding"
    """A content coding that is unknown, doubled beyond two, or does not fit the bytes."""


class TransportFailure(Exception):
    """No usable reply. Callers turn it into an error of their own room; it leaves no public method.

    Attributes:
        kind: Why.
        sent: Whether any byte of the request may have left.
        limit_bytes: The ceiling that was passed, for ``too_large``.
    """

    def __init__(self, kind: FailureKind, message: str, *, sent: bool, limit_bytes: int | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.sent = sent
        self.limit_bytes = limit_bytes


@runtime_checkable
class Transport(Protocol):
    """Sends one request and reads its reply whole."""

    async def send(self, request: HttpRequest, *, limits: Limits) -> HttpResponse:
        """Send *request* once: no redirect followed, nothing sent again.

        Raises:
            TransportFailure: No usable reply; says whether anything was sent.
        """
        ...

    async def aclose(self) -> None:
        """Close every connection."""
        ...


@runtime_checkable
class Resolver(Protocol):
    """Turns a host name into addresses."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return literal addresses of *host*, best first.

        Raises:
            OSError: The name does not resolve.
        """
        ...


class ByteStream(Protocol):
    """An open connection."""

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Return at least one byte, or none at the end."""
        ...

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write all of *buffer*."""
        ...

    async def start_tls(
        self, context: ssl.SSLContext, server_hostname: str, timeout: float | None = None
    ) -> ByteStream:
        """Speak TLS from here on, and return the stream that does; this one is not used again.

        Raises:
            OSError: The handshake failed (:class:`ssl.SSLError` among it), or did not end in time.
        """
        ...

    def is_readable(self) -> bool:
        """Tell whether a read would return at once: bytes are waiting, or the other side has closed."""
        ...

    async def aclose(self) -> None:
        """Close the connection."""
        ...


@runtime_checkable
class Connector(Protocol):
    """Opens a connection to a literal address that was judged before, and to no other."""

    async def connect(self, address: str, port: int, *, timeout: float | None = None) -> ByteStream:
        """Open a TCP connection.

        Raises:
            OSError: It cannot be opened.
        """
        ...
