"""The transport: wire values over HTTP/1.1 connections of its own."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import aclosing
from typing import cast

import httpcore

from websdk.errors import ConfigurationError, InvalidRequest, WebSdkError
from websdk.model.connection import Connection
from websdk.model.urls import parse
from websdk.protocols.transport import FailureKind, Limits, TransportFailure
from websdk.transport.connection import Http11Connection
from websdk.transport.exchanges import Exchanges
from websdk.transport.incoming import empty_body, reply, text_headers
from websdk.transport.outgoing import Target, fields
from websdk.transport.pool import IdleConnections
from websdk.transport.quiet import guard_loggers, unlogged
from websdk.transport.tls import is_of_tls, tls_context
from websdk.wire.message import HttpRequest, HttpResponse

# Pieces of a body that are taken up before other tasks have their turn. One read of the socket can hold ten thousand
# pieces of one byte, each of which costs about a tenth of a millisecond; whole pages come in a few dozen.
PIECES_A_TURN = 32


class HttpTransport:
    """Sends requests of one connection; belongs to the event loop on which it first sends.

    No redirect is followed, nothing is sent again, no cookie is kept, and no variable of the environment takes part.

    Args:
        connection: Authorities, client certificate and proxy.
        backend: What opens sockets: one of ``websdk.egress``; ``None`` for the library's own, which judges nothing.
        keep_alive: Whether connections serve again. Page reads must not, since an origin could send the answer to the
            next read ahead of it.

    Raises:
        ConfigurationError: A file or the proxy of *connection* cannot be used.
    """

    def __init__(
        self, connection: Connection, *, backend: httpcore.AsyncNetworkBackend | None = None, keep_alive: bool = True
    ) -> None:
        guard_loggers()
        self._backend = httpcore.AnyIOBackend() if backend is None else backend
        self._keep_alive = keep_alive
        self._proxy = None if connection.proxy is None else _proxy_target(connection.proxy)
        self._tls_files = connection.ca_file, connection.client_cert
        # Files are an operator's and may be wrong, which shows now; the system's store waits for the first handshake.
        self._tls = tls_context(*self._tls_files) if any(self._tls_files) else None
        self._idle = IdleConnections()
        self._exchanges = Exchanges()

    async def send(self, request: HttpRequest, *, limits: Limits) -> HttpResponse:
        """Send *request* once and read its reply whole.

        Raises:
            TransportFailure: No usable reply; says whether anything was sent.
            EgressRefused: The backend's guard forbids the address.
            InvalidRequest: The request cannot be written.
        """
        target = Target.of(request.url)
        headers = fields(request, target, keep_alive=self._keep_alive)
        wire = httpcore.Request(request.method, self._url(target), headers=headers, content=request.body)
        with unlogged():
            async with self._exchanges.within(limits) as exchange:
                connection = await self._idle.take(target.origin) or await self._open(target, limits)
                try:
                    exchange.sent = True
                    return await self._ask(connection, wire, limits.max_bytes)
                finally:
                    if self._keep_alive and connection.is_idle():
                        await self._idle.put(target.origin, connection)
                    else:
                        await connection.aclose()

    async def aclose(self) -> None:
        """End every exchange that is under way, close every connection, and wait for both."""
        await self._exchanges.end()
        await self._idle.aclose()

    def _url(self, target: Target) -> httpcore.URL:
        forwarded = self._proxy is not None and target.scheme == "http"
        return httpcore.URL(
            scheme=target.scheme.encode(),
            host=target.host.encode(),
            port=target.port,
            target=((target.origin if forwarded else "") + target.path).encode(),
        )

    # -- one exchange ------------------------------------------------------------------------------------------------

    async def _ask(self, connection: Http11Connection, wire: httpcore.Request, max_bytes: int) -> HttpResponse:
        try:
            answer = await connection.handle_async_request(wire)
        except httpcore.LocalProtocolError:
            failure: WebSdkError | TransportFailure = InvalidRequest("the request has a field that HTTP cannot carry")
        except (httpcore.ProtocolError, httpcore.NetworkError, httpcore.TimeoutException):
            failure = TransportFailure(FailureKind.BROKEN, "the connection broke off before a reply", sent=True)
        else:
            return await self._read(answer, max_bytes)
        raise failure  # outside the handler, so that no foreign exception hangs on it

    async def _read(self, answer: httpcore.Response, max_bytes: int) -> HttpResponse:
        headers = text_headers(answer.headers)
        torn = False
        async with aclosing(answer):
            body = empty_body(answer.status, headers, max_bytes=max_bytes)
            try:
                pieces = 0
                async for chunk in answer.aiter_stream():
                    body.feed(chunk)
                    pieces += 1
                    if pieces % PIECES_A_TURN == 0:
                        await asyncio.sleep(0)
            except (httpcore.ProtocolError, httpcore.NetworkError, httpcore.TimeoutException):
                torn = True
        return reply(answer.status, headers, body, torn=torn, proxied=self._proxy is not None)

    # -- opening connections -----------------------------------------------------------------------------------------

    async def _open(self, target: Target, limits: Limits) -> Http11Connection:
        try:
            async with asyncio.timeout(limits.connect_s):
                return await self._dial(target, limits.connect_s)
        except TimeoutError:
            words = f"no connection to {target.host} within {limits.connect_s:g} s"
            failure = TransportFailure(FailureKind.TIMEOUT, words, sent=False)
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as exc:
            failure = _not_connected(exc, target.host)
        raise failure

    async def _dial(self, target: Target, timeout_s: float) -> Http11Connection:
        hop = self._proxy or target
        stream = await self._backend.connect_tcp(hop.host, hop.port, timeout=timeout_s)
        try:
            if target.scheme == "https":
                if self._proxy is not None:
                    stream = await _tunnel(stream, self._proxy, target)
                stream = await stream.start_tls(await self._context(), target.host, timeout_s)
        except BaseException:
            await stream.aclose()
            raise
        return Http11Connection(origin=self._url(target).origin, stream=stream)

    async def _context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = await asyncio.to_thread(tls_context, *self._tls_files)
        return self._tls


async def _tunnel(stream: httpcore.AsyncNetworkStream, proxy: Target, target: Target) -> httpcore.AsyncNetworkStream:
    """Ask *proxy* for a tunnel to the target, which it resolves itself; return the stream within."""
    there = f"[{target.host}]:{target.port}" if ":" in target.host else f"{target.host}:{target.port}"
    url = httpcore.URL(scheme=b"http", host=proxy.host.encode(), port=proxy.port, target=there.encode())
    connection = Http11Connection(origin=url.origin, stream=stream)
    answer = await connection.handle_async_request(httpcore.Request("CONNECT", url, headers={"Host": there}))
    if not 200 <= answer.status < 300:
        await answer.aclose()
        raise TransportFailure(
            FailureKind.CONNECT, f"the proxy refused a tunnel to {target.host} (status {answer.status})", sent=False
        )
    return cast(httpcore.AsyncNetworkStream, answer.extensions["network_stream"])


def _not_connected(exc: Exception, host: str) -> TransportFailure:
    if isinstance(exc, httpcore.TimeoutException):
        return TransportFailure(FailureKind.TIMEOUT, f"no connection to {host} in time", sent=False)
    if is_of_tls(exc):
        return TransportFailure(FailureKind.TLS, f"the TLS handshake with {host} failed", sent=False)
    return TransportFailure(FailureKind.CONNECT, f"{host} takes no connection", sent=False)


def _proxy_target(proxy: str) -> Target:
    parsed = parse(proxy)
    if parsed is None or parsed.scheme != "http" or parsed.has_credentials or parsed.href != f"{parsed.origin}/":
        raise ConfigurationError("proxy: write it as http://host:port, without user name or path")
    return Target.of(proxy)


def page_transport(
    connection: Connection, *, pinned: httpcore.AsyncNetworkBackend, direct: httpcore.AsyncNetworkBackend
) -> HttpTransport:
    """Return the transport for page reads: every connection fresh, every address judged.

    Args:
        connection: The connection named ``pages``. Where it names a proxy, that one resolves names, so the verdict
            covers everything but them; replies then say ``proxied``.
        pinned: The backend with the egress guard.
        direct: The backend that reaches what an operator configured; used for the proxy alone.
    """
    return HttpTransport(connection, backend=pinned if connection.proxy is None else direct, keep_alive=False)
