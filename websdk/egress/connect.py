"""Sockets: a connector to literal addresses, and the stream that it opens."""

from __future__ import annotations

import asyncio
import ssl
from typing import cast

from websdk.egress.addresses import parse_address

# Bytes that may wait unread before the socket is paused; one read of the layer above takes 64 KiB.
HIGH_WATER_BYTES = 256 * 1024

# A closed connection has nothing more to say; what is not gone by then is left to the loop.
CLOSE_WAIT_S = 1.0


class _Receiver(asyncio.Protocol):
    """Keeps what arrives until it is read, and pauses the socket when that grows."""

    def __init__(self) -> None:
        self.buffer = bytearray()
        self.at_end = False
        self.failure: Exception | None = None
        self.closed = asyncio.get_running_loop().create_future()
        self._arrival: asyncio.Future[None] | None = None
        self._may_write: asyncio.Future[None] | None = None
        self._paused = False
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if len(self.buffer) > HIGH_WATER_BYTES and not self._paused and self.transport is not None:
            self._paused = True
            self.transport.pause_reading()
        self._wake()

    def eof_received(self) -> bool:
        self.at_end = True
        self._wake()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self.at_end = True
        self.failure = exc
        self._wake()
        self.resume_writing()
        if not self.closed.done():
            self.closed.set_result(None)

    def pause_writing(self) -> None:
        self._may_write = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        waiting, self._may_write = self._may_write, None
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    def _wake(self) -> None:
        if self._arrival is not None and not self._arrival.done():
            self._arrival.set_result(None)

    async def arrived(self) -> None:
        while not self.buffer and not self.at_end:
            self._arrival = asyncio.get_running_loop().create_future()
            await self._arrival

    async def read(self, max_bytes: int) -> bytes:
        await self.arrived()
        if self.failure is not None and not self.buffer:
            raise ConnectionError("the connection broke off")
        data = bytes(self.buffer[:max_bytes])
        del self.buffer[:max_bytes]
        if self._paused and len(self.buffer) <= HIGH_WATER_BYTES // 2 and self.transport is not None:
            self._paused = False
            self.transport.resume_reading()
        return data

    async def drained(self) -> None:
        if self._may_write is not None:
            await asyncio.shield(self._may_write)


class SocketStream:
    """An open connection of this event loop; what :class:`SystemConnector` returns."""

    def __init__(self, transport: asyncio.Transport, receiver: _Receiver) -> None:
        self._transport = transport
        self._receiver = receiver

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Return at least one byte, or none at the end."""
        if timeout is None:
            return await self._receiver.read(max_bytes)
        async with asyncio.timeout(timeout):
            return await self._receiver.read(max_bytes)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write all of *buffer*."""
        if self._receiver.failure is not None or self._transport.is_closing():
            raise ConnectionError("the connection is closed")
        self._transport.write(buffer)
        async with asyncio.timeout(timeout):
            await self._receiver.drained()

    async def start_tls(
        self, context: ssl.SSLContext, server_hostname: str, timeout: float | None = None
    ) -> SocketStream:
        """Speak TLS from here on, and return the stream that does."""
        if self._receiver.buffer:  # bytes from before the handshake would be read as if TLS had protected them
            raise ConnectionError("the peer spoke before the handshake")
        loop = asyncio.get_running_loop()
        secured = None
        try:
            async with asyncio.timeout(timeout):
                secured = await loop.start_tls(
                    self._transport, self._receiver, context, server_hostname=server_hostname
                )
        finally:
            if secured is None:  # the loop has closed the connection, and tells nobody
                self._receiver.connection_lost(None)
        if secured is None:
            raise ConnectionError("the connection was closed during the handshake")
        self._receiver.transport = secured
        return SocketStream(secured, self._receiver)

    def is_readable(self) -> bool:
        """Tell whether a read would return at once: bytes are waiting, or the other side has closed."""
        return bool(self._receiver.buffer) or self._receiver.at_end or self._transport.is_closing()

    async def aclose(self) -> None:
        """Close the connection at once; nothing is flushed, because a finished exchange has nothing left to send."""
        self._transport.abort()
        await asyncio.sleep(0)  # the loop lets go of the socket in its next turn
        await asyncio.wait((self._receiver.closed,), timeout=CLOSE_WAIT_S)


class SystemConnector:
    """Opens TCP connections of the running event loop, to literal addresses only."""

    async def connect(self, address: str, port: int, *, timeout: float | None = None) -> SocketStream:
        """Open a connection, and make sure that it leads where it was sent.

        Args:
            address: A literal address; a name is refused, because it would be resolved once more.
            port: The port.
            timeout: Seconds.

        Raises:
            OSError: It cannot be opened, or not in time.
        """
        wanted = parse_address(address)
        if wanted is None:
            raise OSError("a connection is opened to a literal address only")
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(timeout):
            transport, receiver = await loop.create_connection(_Receiver, address, port)
        stream = SocketStream(transport, receiver)
        peer = transport.get_extra_info("peername")
        if peer is None or parse_address(str(peer[0])) != wanted:
            await stream.aclose()
            raise OSError("the connection leads to another address than was asked for")
        return stream
