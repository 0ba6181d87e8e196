"""The transport over an HTTP client that the embedder brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websdk.errors import InvalidRequest, WebSdkError
from websdk.protocols.transport import FailureKind, Limits, TransportFailure
from websdk.transport.exchanges import Exchange, Exchanges
from websdk.transport.incoming import empty_body, reply, text_headers
from websdk.transport.outgoing import Target, fields
from websdk.transport.quiet import guard_loggers, unlogged
from websdk.transport.tls import is_of_tls
from websdk.wire.message import HttpRequest, HttpResponse

if TYPE_CHECKING:
    import httpx


class HttpxTransport:
    """Carries vendor calls over an ``httpx.AsyncClient``, under the bounds of this package.

    The client's sockets, proxies, mounts and event hooks are used; its default headers, cookies, authentication and
    redirects are not. It never serves page reads, since nothing there binds a verdict to its connections.

    Args:
        client: The embedder's client, who also closes it.
    """

    def __init__(self, client: httpx.AsyncClient) -> None:
        guard_loggers()
        self._client = client
        self._exchanges = Exchanges()

    async def send(self, request: HttpRequest, *, limits: Limits) -> HttpResponse:
        """Send *request* once and read its reply whole.

        Raises:
            TransportFailure: No usable reply; says whether anything was sent.
            InvalidRequest: The request cannot be written.
        """
        import httpx

        wire = httpx.Request(
            request.method,
            request.url,
            headers=fields(request, Target.of(request.url), keep_alive=True),
            content=request.body or None,
            extensions={"timeout": {"connect": limits.connect_s, "pool": limits.connect_s}},
        )
        with unlogged():
            async with self._exchanges.within(limits) as exchange:
                return await self._exchange(wire, limits.max_bytes, exchange)

    async def aclose(self) -> None:
        """End every exchange that is under way and wait for it; the client stays its owner's."""
        await self._exchanges.end()

    async def _exchange(self, wire: httpx.Request, max_bytes: int, exchange: Exchange) -> HttpResponse:
        import httpx

        exchange.sent = True  # the client connects and sends in one step, so nothing tells the two apart
        try:
            answer = await self._client.send(wire, stream=True, auth=None, follow_redirects=False)
        except httpx.LocalProtocolError:
            failure: WebSdkError | TransportFailure = InvalidRequest("the request has a field that HTTP cannot carry")
        except httpx.HTTPError as exc:
            failure = _no_reply(exc)
        except (httpx.InvalidURL, httpx.StreamError):
            failure = TransportFailure(FailureKind.BROKEN, "the client could not make sense of the exchange", sent=True)
        else:
            try:
                return await self._read(answer, max_bytes)
            finally:
                await answer.aclose()
        raise failure  # outside the handler: the library's exceptions hold the request, its headers and its address

    async def _read(self, answer: httpx.Response, max_bytes: int) -> HttpResponse:
        import httpx

        headers = text_headers(answer.headers.raw)
        if answer.is_stream_consumed:  # a scripted reply, whose codings the client has undone
            body = empty_body(answer.status_code, (), max_bytes=max_bytes)
            body.feed(answer.content)
            return reply(answer.status_code, headers, body, torn=False, proxied=False)
        body = empty_body(answer.status_code, headers, max_bytes=max_bytes)
        torn = False
        try:
            async for chunk in answer.aiter_raw():
                body.feed(chunk)
        except httpx.HTTPError:
            torn = True
        return reply(answer.status_code, headers, body, torn=torn, proxied=False)


def _no_reply(exc: Exception) -> TransportFailure:
    import httpx

    if isinstance(exc, (httpx.ConnectTimeout, httpx.PoolTimeout)):
        return TransportFailure(FailureKind.TIMEOUT, "no connection in time", sent=False)
    if isinstance(exc, httpx.ConnectError) and is_of_tls(exc):
        return TransportFailure(FailureKind.TLS, "the TLS handshake failed", sent=False)
    if isinstance(exc, (httpx.ConnectError, httpx.ProxyError, httpx.UnsupportedProtocol)):
        return TransportFailure(FailureKind.CONNECT, "no connection", sent=False)
    return TransportFailure(FailureKind.BROKEN, "the connection broke off before a reply", sent=True)
