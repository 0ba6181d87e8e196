"""A loopback server that does as it is told, well or badly."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import zlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Self

Answering = Callable[["PeerRequest", asyncio.StreamWriter], Awaitable[None]]
SETTLE_S = 5.0  # a test that waits longer for its own peer hangs


class PeerRequest:
    """A request as it came over the wire.

    Attributes:
        method: Its method.
        target: Path and query, as sent.
        fields: Names and values of its header, in order.
        body: Its body.
    """

    def __init__(self, head: bytes, body: bytes = b"") -> None:
        lines = head.decode("latin-1").split("\r\n")
        self.method, self.target, _ = lines[0].split(" ", 2)
        self.fields = [(name, value) for name, _, value in (line.partition(": ") for line in lines[1:] if line)]
        self.body = body

    def header(self, name: str) -> str | None:
        """Return the first value of the field *name*, given in lower case."""
        return next(iter(self.headers(name)), None)

    def headers(self, name: str) -> list[str]:
        """Return every value of the field *name*, given in lower case."""
        return [value for key, value in self.fields if key.lower() == name]


class Peer:
    """A loopback server, used with ``async with``.

    Args:
        answer: What to write, or a coroutine function of the request and the writer.
        tls: The server side of TLS; ``None`` for plain HTTP.
        keep_alive: Whether a connection serves more than one request.

    Attributes:
        base: Its address, without a slash at the end.
        port: Its port.
        requests: Every request, in order.
        connections: How many were opened.
        open: How many are open now.
    """

    def __init__(
        self, answer: bytes | Answering, *, tls: ssl.SSLContext | None = None, keep_alive: bool = False
    ) -> None:
        self.answer = answer
        self.tls = tls
        self.keep_alive = keep_alive
        self.requests: list[PeerRequest] = []
        self.connections = 0
        self.open = 0
        self._tasks: list[tuple[asyncio.Task[Any], asyncio.StreamWriter]] = []
        self._changed = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self.tls)
        self.port: int = self._server.sockets[0].getsockname()[1]
        self.base = f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._server.close()
        for task, writer in self._tasks:
            task.cancel()
            writer.transport.abort()
        await asyncio.gather(*(task for task, _ in self._tasks), return_exceptions=True)
        await self._server.wait_closed()

    async def all_closed(self) -> None:
        """Wait until the other side has closed every connection."""
        await self._until(lambda: not self.open)

    async def asked(self, times: int) -> None:
        """Wait until so many requests have come."""
        await self._until(lambda: len(self.requests) >= times)

    async def _until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(SETTLE_S):
            while not is_so():
                self._changed.clear()
                await self._changed.wait()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.append((task, writer))
        self.connections += 1
        self.open += 1
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await self._speak(reader, writer)
        finally:
            self.open -= 1
            self._changed.set()
            writer.close()

    async def _speak(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(PeerRequest(head).header("content-length") or 0)
            request = PeerRequest(head, await reader.readexactly(length))
            self.requests.append(request)
            self._changed.set()
            if isinstance(self.answer, bytes):
                writer.write(self.answer)
            else:
                await _until_gone(reader, writer, self.answer(request, writer))
            await writer.drain()
            if not self.keep_alive:
                return


async def _until_gone(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answering: Awaitable[None]) -> None:
    """Run *answering*, and stop it when the other side hangs up, so that closing shows."""
    answer = asyncio.ensure_future(answering)
    gone = asyncio.ensure_future(_hung_up(reader, writer))
    try:
        await asyncio.wait({answer, gone}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.cancel()
        if not answer.done():
            answer.cancel()
    if answer.done() and not answer.cancelled():
        answer.result()


async def _hung_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while not reader.at_eof() and not writer.is_closing():  # noqa: ASYNC110 - a stream tells its end to readers only
        await asyncio.sleep(0.005)


def http_reply(
    body: bytes = b"", status: str = "200 OK", headers: Sequence[tuple[str, str]] = (), length: int | None = None
) -> bytes:
    """Return the bytes of a reply with its length stated, rightly unless *length* says otherwise."""
    stated = len(body) if length is None else length
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {stated}", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


ARTICLE = (
    b"<!DOCTYPE html><title>Quay</title><main><h1>Quay</h1><p>The harbour-page describes where boats lie.</p></main>"
)


def bomb(megabytes: int) -> bytes:
    """Return gzip that inflates to so many megabytes of zeros."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(megabytes)) + packer.flush()


async def misbehave(request: PeerRequest, writer: asyncio.StreamWriter) -> None:
    """Be the hostile server: every path is one way to hurt a reader."""
    path = request.target.partition("?")[0]
    match path:
        case "/page":
            writer.write(http_reply(ARTICLE))
        case "/bomb":
            writer.write(http_reply(bomb(50), headers=[("Content-Encoding", "gzip")]))
        case "/forever":
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while True:
                writer.write(b"2000\r\n" + b"<p>more</p>\n. " * 0x249 + b"..\r\n")
                await writer.drain()
        case "/trickle":
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while True:
                writer.write(b"1\r\nx\r\n")
                await asyncio.sleep(0.02)
        case "/truncated":
            writer.write(http_reply(ARTICLE, length=len(ARTICLE) + 50))
        case "/moved":
            writer.write(http_reply(b"gone", "302 Found", [("Location", "/page")]))
        case "/overload":
            writer.write(http_reply(b"busy", "503 Service Unavailable", [("Retry-After", "7200")]))
        case "/nest":
            writer.write(http_reply(b"<div>" * 20_000 + b"nest-text" + b"</div>" * 20_000))
        case _:
            writer.write(http_reply(b"", "404 Not Found"))
