"""One request of a transport to a peer of one's own, for the contracts of transports."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import attrs

from websdk.protocols.transport import Limits, Transport, TransportFailure
from websdk.testing.peer import Answering, Peer, PeerRequest
from websdk.wire import HttpRequest

OpenTransport = Callable[..., AbstractAsyncContextManager[Transport]]
LIMITS = Limits(max_bytes=1 << 20, timeout_s=5.0, connect_s=5.0)


def get(url: str, headers: Any = ()) -> HttpRequest:
    """Return a plain request."""
    return HttpRequest(method="GET", url=url, headers=tuple(headers))


def exchange(
    open_transport: OpenTransport,
    answer: bytes | Answering,
    *,
    path: str = "/",
    limits: Limits | None = None,
    request: HttpRequest | None = None,
    **peer: Any,
) -> Any:
    """Send one request to a peer; return the reply, or the failure, and the peer."""

    async def scenario() -> Any:
        async with Peer(answer, **peer) as server, open_transport() as transport:
            sent = attrs.evolve(request or get(""), url=server.base + path)
            try:
                return await transport.send(sent, limits=limits or LIMITS), server
            except TransportFailure as failure:
                return failure, server

    return asyncio.run(scenario())


# Between two drops: far below the least deadline of a contract, and slow enough to fill no buffer.
_DRIP_S = 0.02


async def drip_head(request: PeerRequest, writer: asyncio.StreamWriter) -> None:
    """Begin a header that never ends."""
    writer.write(b"HTTP/1.1 200 OK\r\nX: ")
    while True:
        writer.write(b"x")
        await asyncio.sleep(_DRIP_S)


async def drip_interim(request: PeerRequest, writer: asyncio.StreamWriter) -> None:
    """Announce a reply for ever."""
    while True:
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        await asyncio.sleep(_DRIP_S)


async def drip_body(request: PeerRequest, writer: asyncio.StreamWriter) -> None:
    """Begin a body whose end never comes."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while True:
        writer.write(b"x")
        await asyncio.sleep(_DRIP_S)


async def stay_silent(request: PeerRequest, writer: asyncio.StreamWriter) -> None:
    """Say nothing at all."""
    await asyncio.Event().wait()
