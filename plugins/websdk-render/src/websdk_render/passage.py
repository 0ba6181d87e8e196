"""The only way out of the browser: a proxy on loopback that applies the guard's verdict and pins the connection."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import attrs

from websdk import ByteStream, EgressRefused, Guard

MAX_HEAD_BYTES = 64 * 1024  # a request head of a browser takes a few kilobytes, cookies are not kept
HEAD_S = 30.0  # a browser opens connections ahead of need; one that stays silent longer is closed
CONNECT_S = 10.0
CHUNK_BYTES = 64 * 1024
MAX_PASSAGES = 2_000  # connections of one read; a page that needs more is not a page to read
MAX_INTERIM = 8  # replies before the reply
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_FORBIDDEN = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_BAD_GATEWAY = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
# Hosts that the browser itself calls, whatever its flags say: updates, accounts, lists of bad sites. A page that is
# asked for by name may still live there.
BROWSERS_OWN = (
    "update.googleapis.com",
    "accounts.google.com",
    "clients2.google.com",
    "clients4.google.com",
    "clientservices.googleapis.com",
    "safebrowsing.googleapis.com",
    "safebrowsingohttpgateway.googleapis.com",
    "optimizationguide-pa.googleapis.com",
    "content-autofill.googleapis.com",
    "android.clients.google.com",
    "mtalk.google.com",
    "gvt1.com",
)
# Fields that are about one connection and not about the message.
_HOP_FIELDS = frozenset({b"connection", b"proxy-connection", b"proxy-authorization", b"keep-alive"})


@attrs.define(kw_only=True)
class Passage:
    """One connection that the browser asked for.

    Attributes:
        method: ``CONNECT``, or the method of a plain request.
        host: Host as asked for, without brackets.
        port: Port as asked for.
        outcome: ``open``, ``refused``, ``unreachable``, ``malformed``, ``exhausted``, or ``own`` for what the browser
            wanted for itself and did not get.
        refusal: The guard's refusal.
    """

    method: str
    host: str
    port: int
    outcome: str = "open"
    refusal: EgressRefused | None = None


class _Malformed(Exception):
    """Not a request to a proxy."""


@attrs.frozen(kw_only=True)
class _Request:
    """The head of a request to the proxy."""

    method: str
    url: str
    scheme: str
    host: str
    port: int
    head: bytes
    body_length: int


class GuardedPassage:
    """A loopback proxy for one browser.

    Every connection is judged by name, looked up once, judged again by address and dialled to a judged address. What
    flows through it is counted against one ceiling.

    Args:
        guard: Judges and opens.
        max_bytes: Ceiling for all bytes towards the browser.
        page_host: Host of the page that is read.
    """

    def __init__(self, guard: Guard, *, max_bytes: int, page_host: str) -> None:
        self._guard = guard
        self._page_host = page_host
        self._left = max_bytes
        self._serving: set[asyncio.Task[None]] = set()
        self.log: list[Passage] = []
        self.port = 0

    @property
    def is_exhausted(self) -> bool:
        """Whether the ceiling was reached and connections were cut."""
        return self._left <= 0

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Serve on a loopback port until the block ends; then every connection is closed."""
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=MAX_HEAD_BYTES)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            server.close()
            for task in tuple(self._serving):
                task.cancel()
            await asyncio.gather(*self._serving, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            await self._serve(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            return  # the browser or the origin went away, which is theirs to do
        except asyncio.CancelledError:
            return  # the read is over; a task of the server has nobody to tell
        finally:
            self._serving.discard(task)
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(HEAD_S):
                request = _parse(await reader.readuntil(b"\r\n\r\n"))
        except _Malformed:
            self._note(Passage(method="?", host="", port=0, outcome="malformed"))
            await _say(writer, _BAD_REQUEST)
            return
        passage = Passage(method=request.method, host=request.host, port=request.port)
        self._note(passage)
        stream = await self._open(request, passage, writer)
        if stream is None:
            return
        try:
            if request.method == "CONNECT":
                await _say(writer, _ESTABLISHED)
                await self._both_ways(reader, writer, stream)
            else:
                await self._one_exchange(request, reader, writer, stream)
        finally:
            await stream.aclose()

    def _note(self, passage: Passage) -> None:
        if len(self.log) < MAX_PASSAGES:
            self.log.append(passage)

    async def _open(self, request: _Request, passage: Passage, writer: asyncio.StreamWriter) -> ByteStream | None:
        if self.is_exhausted or len(self.log) >= MAX_PASSAGES:
            passage.outcome = "exhausted"
        elif request.host != self._page_host and _is_browsers_own(request.host):
            passage.outcome = "own"
        else:
            try:
                judged = self._guard.judge(request.url)
                return await self._guard.open(judged.scheme, judged.host, judged.port, timeout_s=CONNECT_S)
            except EgressRefused as refusal:
                passage.outcome, passage.refusal = "refused", refusal
            except OSError:
                passage.outcome = "unreachable"
        # To a plain request nothing is answered: words of ours would pass for the origin's.
        if request.method == "CONNECT":
            await _say(writer, _BAD_GATEWAY if passage.outcome == "unreachable" else _FORBIDDEN)
        return None

    async def _both_ways(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, stream: ByteStream) -> None:
        """Carry bytes until either side ends."""
        upward = asyncio.ensure_future(_carry_up(reader, stream))
        downward = asyncio.ensure_future(self._carry_down(stream, writer))
        try:
            await asyncio.wait({upward, downward}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for half in (upward, downward):
                half.cancel()
            await asyncio.gather(upward, downward, return_exceptions=True)

    async def _one_exchange(
        self, request: _Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, stream: ByteStream
    ) -> None:
        """Carry one request and its reply; the connection serves no second, which could be for another host."""
        await stream.write(request.head)
        left = request.body_length
        while left:
            chunk = await reader.read(min(left, CHUNK_BYTES))
            if not chunk:
                return
            await stream.write(chunk)
            left -= len(chunk)
        head, rest = await _reply_head(stream)
        writer.write(_closing(head) + rest)
        self._left -= len(rest)
        gone = asyncio.ensure_future(_until_closed(reader))
        downward = asyncio.ensure_future(self._carry_down(stream, writer))
        try:
            await asyncio.wait({gone, downward}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for half in (gone, downward):
                half.cancel()
            await asyncio.gather(gone, downward, return_exceptions=True)

    async def _carry_down(self, stream: ByteStream, writer: asyncio.StreamWriter) -> None:
        while not self.is_exhausted:
            data = await stream.read(CHUNK_BYTES)
            if not data:
                break
            self._left -= len(data)
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
            await writer.drain()


def _is_browsers_own(host: str) -> bool:
    return any(host == own or host.endswith("." + own) for own in BROWSERS_OWN)


async def _carry_up(reader: asyncio.StreamReader, stream: ByteStream) -> None:
    while data := await reader.read(CHUNK_BYTES):
        await stream.write(data)


async def _until_closed(reader: asyncio.StreamReader) -> None:
    """Wait for the browser to close its end; what else it says belongs to no request that is carried."""
    while await reader.read(CHUNK_BYTES):
        continue


async def _say(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    await writer.drain()
    if data is not _ESTABLISHED:
        writer.close()
        await writer.wait_closed()


async def _reply_head(stream: ByteStream) -> tuple[bytes, bytes]:
    """Return the head of the final reply, and what came behind it."""
    buffer = b""
    for _ in range(MAX_INTERIM):
        while b"\r\n\r\n" not in buffer:
            data = await stream.read(CHUNK_BYTES)
            if not data or len(buffer) > 4 * MAX_HEAD_BYTES:
                raise ConnectionError("no reply")
            buffer += data
        head, _, buffer = buffer.partition(b"\r\n\r\n")
        if not head.startswith((b"HTTP/1.1 1", b"HTTP/1.0 1")):
            return head, buffer
    raise ConnectionError("no reply")


def _parse(data: bytes) -> _Request:
    line, *fields = data[:-4].split(b"\r\n")
    parts = line.split(b" ")
    if len(parts) != 3 or not parts[2].startswith(b"HTTP/1."):
        raise _Malformed
    try:
        method, target = parts[0].decode("ascii"), parts[1].decode("ascii")
        # A tunnel may carry anything; it is judged as the address that TLS would speak to.
        url = f"https://{target}/" if method == "CONNECT" else target
        pieces = urlsplit(url)
        host, port = pieces.hostname, pieces.port
    except ValueError:
        raise _Malformed from None
    if not host or pieces.scheme not in ("http", "https") or (method != "CONNECT" and pieces.scheme != "http"):
        raise _Malformed
    if pieces.username is not None or (method == "CONNECT" and port is None and not target.endswith(":443")):
        raise _Malformed
    path = (pieces.path or "/") + (f"?{pieces.query}" if pieces.query else "")
    kept = [field for field in fields if field.split(b":")[0].strip().lower() not in _HOP_FIELDS]
    head = b"\r\n".join([f"{method} {path} HTTP/1.1".encode(), *kept, b"Connection: close", b"", b""])
    return _Request(
        method=method,
        url=url,
        scheme=pieces.scheme,
        host=host,
        port=port or (443 if pieces.scheme == "https" else 80),
        head=head,
        body_length=_body_length(kept),
    )


def _body_length(fields: list[bytes]) -> int:
    lengths = {
        value.strip() for name, _, value in (f.partition(b":") for f in fields) if name.lower() == b"content-length"
    }
    if any(field.lower().startswith(b"transfer-encoding:") for field in fields) or len(lengths) > 1:
        raise _Malformed  # a browser sends bodies of known length over this wire; anything else is not one
    length = lengths.pop() if lengths else b"0"
    if not length.isdigit() or len(length) > 12:
        raise _Malformed
    return int(length)


def _closing(head: bytes) -> bytes:
    """Return a reply's head that tells the browser to use the connection once."""
    status, *fields = head.split(b"\r\n")
    kept = [field for field in fields if field.split(b":")[0].strip().lower() not in _HOP_FIELDS]
    return b"\r\n".join([status, *kept, b"Connection: close", b"", b""])
