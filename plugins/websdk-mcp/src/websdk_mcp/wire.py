"""The official client's HTTP, over the transport of this client: its bounds, its network identity, its receipts."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

import attrs
import httpx2

from websdk import (
    Attempt,
    AuthScheme,
    Call,
    FailureKind,
    HttpRequest,
    HttpResponse,
    Limits,
    MalformedAnswer,
    ProviderError,
    ProviderRejected,
    Secret,
    Transport,
    TransportFailure,
    Unavailable,
    classify_status,
)

MAX_REQUESTS = 12  # a search takes three to seven: the generation, the list of tools, the call, the end of a session
MAX_REPLY_BYTES = 2 * 1024 * 1024  # far above any page of results
# The transport writes these itself, or has already undone what they say.
_OF_THE_TRANSPORT = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "accept-encoding", "user-agent"}
)
_UNDONE = frozenset({"content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive"})
# What no generation of the protocol uses to say "not this way": everything else is the official client's to read.
_FAILURES = frozenset({401, 402, 403, 407, 408, 425, 429, *range(300, 400), *range(500, 600)}) - {501, 505}


@attrs.define(kw_only=True, eq=False)
class Wire:
    """Sends the requests of one call.

    Attributes:
        provider: Id of the provider.
        url: Address of the server; nothing goes anywhere else.
        transport: Sends and reads within bounds.
        auth: Writes the key; ``None`` where there is none.
        secret: The key.
        call: The call that the requests belong to.
        failure: Why a request failed; the official client tells no more than that one did.
        requests: How many requests were sent.
    """

    provider: str
    url: str
    transport: Transport
    auth: AuthScheme | None
    secret: Secret | None
    call: Call
    failure: ProviderError | None = None
    requests: int = 0

    async def send(self, request: HttpRequest) -> HttpResponse:
        """Send *request* once.

        Raises:
            ProviderError: It failed; kept as :attr:`failure` as well.
        """
        try:
            return await self._sent(request)
        except ProviderError as error:
            error.call_id = self.call.id
            self.failure = self.failure or error
            raise

    async def _sent(self, request: HttpRequest) -> HttpResponse:
        if urlsplit(request.url)[:3] != urlsplit(self.url)[:3]:
            raise ProviderRejected(
                f"{self.provider}: a request would leave the server's address", provider=self.provider
            )
        self.requests += 1
        if self.requests > MAX_REQUESTS:
            raise MalformedAnswer(
                f"{self.provider} did not answer within {MAX_REQUESTS} requests", provider=self.provider
            )
        if self.auth is not None and self.secret is not None:
            request = self.auth.sign(request, self.secret, self.call.clock.now())
        started = self.call.clock.monotonic()
        limits = Limits(max_bytes=MAX_REPLY_BYTES, timeout_s=self.call.remaining_s())
        try:
            reply = await self.transport.send(request, limits=limits)
        except TransportFailure as failure:
            self._record(failure.kind.value, started, None)
            raise self._translated(failure) from None
        error = classify_status(reply, provider=self.provider, now=self.call.clock.now())
        error = error if reply.status in _FAILURES or reply.incomplete else None
        self._record("ok" if error is None else type(error).__name__, started, reply)
        if error is not None:
            raise error
        return reply

    def _record(self, outcome: str, started: float, reply: HttpResponse | None) -> None:
        self.call.record(
            Attempt(
                recipient=self.provider,
                host=urlsplit(self.url).netloc,
                outcome=outcome,
                status=None if reply is None else reply.status,
                elapsed_s=self.call.clock.monotonic() - started,
                wire_bytes=None if reply is None else reply.wire_bytes,
                proxied=reply is not None and reply.proxied,
            )
        )

    def _translated(self, failure: TransportFailure) -> ProviderError:
        unusable = failure.kind in (FailureKind.TOO_LARGE, FailureKind.CODING)
        kind = MalformedAnswer if unusable else Unavailable
        return kind(f"{self.provider}: {failure}", provider=self.provider, sent=failure.sent)


class WireTransport(httpx2.AsyncBaseTransport):
    """What the official client takes for its HTTP library.

    Args:
        wire: Sends the requests.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send *request* and return its whole reply.

        Raises:
            httpx2.TransportError: It failed; the wire knows why.
        """
        if request.method == "GET":
            # A stream of the server's own, which the earlier generation offers: nothing here listens to it, and this
            # is how a server says that it has none.
            return httpx2.Response(405, request=request)
        body = await request.aread()
        headers = _without(request.headers.multi_items(), _OF_THE_TRANSPORT)
        try:
            reply = await self._wire.send(
                HttpRequest(method=request.method, url=str(request.url), headers=headers, body=body)
            )
        except ProviderError as error:
            raise httpx2.TransportError(type(error).__name__) from error
        return httpx2.Response(
            reply.status, headers=list(_without(reply.headers, _UNDONE)), content=reply.body, request=request
        )


def _without(headers: Iterable[tuple[str, str]], names: frozenset[str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in headers if name.lower() not in names)
