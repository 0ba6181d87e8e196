"""The proxy rung: a named vendor fetches the page."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import attrs

from websdk.credentials import Secret
from websdk.errors import (
    CredentialRejected,
    DeadlineExceeded,
    FetchError,
    InvalidRequest,
    MalformedAnswer,
    ProviderError,
    ProviderRejected,
    Unavailable,
)
from websdk.fetch.options import FetchOptions
from websdk.model.document import Via
from websdk.model.receipt import Attempt
from websdk.model.urls import parse
from websdk.protocols.call import Call
from websdk.protocols.fetch import CheckedUrl, FetchRung, RawDocument, ReaderCodec
from websdk.protocols.search import AuthScheme, CredentialSource
from websdk.protocols.transport import FailureKind, Limits, Transport, TransportFailure
from websdk.wire import HttpRequest, HttpResponse, Pause

MAX_REQUESTS = 8  # one page needs one request; a vendor that takes a job and is polled needs a few; a loop must end


@attrs.define(kw_only=True)
class HttpReader:
    """A reader vendor: what to send and how to read it, over a transport.

    Attributes:
        codec: The pure half.
        transport: The transport of this vendor's calls.
        auth: Writes the credential into a request; ``None`` where the vendor takes none.
        credential: Where the credential comes from; ``None`` where none is configured.
        origins: Origins that the credential may go to; empty for wherever the codec goes.
        needs_credential: Whether a call without one is refused unsent.
        credential_hint: How to give the credential, for the refusal.
        max_reply_bytes: Ceiling for one reply's body.
    """

    codec: ReaderCodec
    transport: Transport
    auth: AuthScheme | None = None
    credential: CredentialSource | None = None
    origins: frozenset[str] = frozenset()
    needs_credential: bool = False
    credential_hint: str = "configure one"
    max_reply_bytes: int = FetchOptions().max_response_bytes

    @property
    def id(self) -> str:
        """Id by which calls name the reader."""
        return self.codec.id

    @property
    def via(self) -> Via:
        """Which rung it serves."""
        return Via.PROXY

    async def read(self, url: CheckedUrl, *, call: Call) -> RawDocument:
        """Have the vendor fetch the page, within the deadline of *call*.

        Raises:
            FetchError: The vendor says that the page did not come.
            ProviderError: The vendor, the connection or the credential failed.
            DeadlineExceeded: The call's time ran out.
        """
        secret = await self._secret(call)
        raw = await self._drive(url, secret, call)
        if secret is not None:
            raw = _without(secret, raw)
        return attrs.evolve(raw, reader=self.id)

    async def _drive(self, url: CheckedUrl, secret: Secret | None, call: Call) -> RawDocument:
        exchange = self.codec.exchange(url)
        reply: HttpResponse | None = None
        try:
            for _ in range(MAX_REQUESTS + 1):
                try:
                    step = exchange.send(reply)
                except StopIteration as done:
                    page: RawDocument = done.value
                    return page
                if isinstance(step, Pause):
                    await self._pause(step, call)
                    reply = None
                else:
                    reply = await self._send(self._signed(step, secret, call), call)
        finally:
            exchange.close()
        raise MalformedAnswer(f"{self.id}: the exchange did not end within {MAX_REQUESTS} requests", provider=self.id)

    async def _pause(self, pause: Pause, call: Call) -> None:
        if pause.seconds > call.remaining_s():
            raise DeadlineExceeded(f"{self.id} asks to wait longer than the call may take", deadline_s=call.deadline_s)
        await asyncio.sleep(pause.seconds)

    async def _secret(self, call: Call) -> Secret | None:
        if self.credential is not None:
            return await self.credential.get(call)
        if self.needs_credential:
            raise CredentialRejected(
                f"{self.id} needs a credential: {self.credential_hint}", provider=self.id, sent=False
            )
        return None

    def _signed(self, request: HttpRequest, secret: Secret | None, call: Call) -> HttpRequest:
        if secret is None or self.auth is None:
            return request
        target = parse(request.url)
        if self.origins and (target is None or target.origin not in self.origins):
            raise ProviderRejected(
                f"{self.id}: the credential belongs to another origin and was not sent", provider=self.id, sent=False
            )
        return self.auth.sign(request, secret, call.clock.now())

    async def _send(self, request: HttpRequest, call: Call) -> HttpResponse:
        target = parse(request.url)
        host = "" if target is None else f"{target.host}:{target.port}"
        attempt = Attempt(recipient=self.id, host=host, outcome="ok")
        limits = Limits(max_bytes=self.max_reply_bytes, timeout_s=call.remaining_s())
        started = call.clock.monotonic()
        try:
            reply = await self.transport.send(request, limits=limits)
        except TransportFailure as failure:
            elapsed_s = call.clock.monotonic() - started
            call.record(attrs.evolve(attempt, outcome=failure.kind.value, elapsed_s=elapsed_s))
            raise self._untransported(failure) from None
        error = self.codec.classify(reply, now=call.clock.now())
        if error is None and reply.incomplete:
            error = Unavailable(f"{self.id} broke off its reply; try again", provider=self.id, status=reply.status)
        call.record(
            attrs.evolve(
                attempt,
                outcome="ok" if error is None else error.category,
                status=reply.status,
                elapsed_s=call.clock.monotonic() - started,
                wire_bytes=reply.wire_bytes,
                proxied=reply.proxied,
            )
        )
        if error is not None:
            self._forget_rejected(error)
            raise error
        return reply

    def _forget_rejected(self, error: ProviderError | FetchError) -> None:
        """Drop a kept credential that the vendor refused; the next call asks its source again."""
        forget = getattr(self.credential, "forget", None)
        if isinstance(error, CredentialRejected) and forget is not None and forget():
            error.retryable = True

    def _untransported(self, failure: TransportFailure) -> ProviderError:
        refused = failure.kind in (FailureKind.TOO_LARGE, FailureKind.CODING)
        kind = MalformedAnswer if refused else Unavailable
        return kind(f"{self.id}: {failure}", provider=self.id, sent=failure.sent)


@attrs.define(kw_only=True)
class ProxyRung:
    """The readers that exist here, and the one that serves a call which names none.

    Attributes:
        readers: Readers by id.
        configured: Id that settings name; blank for none.
    """

    readers: Mapping[str, FetchRung]
    configured: str = ""

    @property
    def via(self) -> Via:
        """Which rung it is."""
        return Via.PROXY

    @property
    def has_default(self) -> bool:
        """Whether a call that names no reader is served."""
        return self.configured in self.readers

    def choose(self, provider: str | None) -> FetchRung:
        """Return the reader that a call names, else the one that settings name.

        Raises:
            InvalidRequest: There is none of that name, or none is named anywhere; the message lists those that exist.
        """
        name = provider or self.configured
        if name in self.readers:
            return self.readers[name]
        known = ", ".join(sorted(self.readers)) or "none"
        if not name:
            raise InvalidRequest(
                f"no reader is named for via=proxy: name one as provider, or set fetch.proxy ({known})"
            )
        raise InvalidRequest(f"there is no reader of that name for via=proxy; there are: {known}")

    async def read(self, url: CheckedUrl, *, call: Call) -> RawDocument:
        """Read with the reader that settings name."""
        return await self.choose(None).read(url, call=call)


def _without(secret: Secret, raw: RawDocument) -> RawDocument:
    """Return *raw* with every spelling of *secret* masked, because vendors echo what they were sent."""
    mask = secret.masked_in
    body = raw.body
    if any(spelling.encode() in body for spelling in secret.spellings()):
        body = mask(body.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    return attrs.evolve(
        raw,
        body=body,
        title=None if raw.title is None else mask(raw.title),
        served_url=None if raw.served_url is None else mask(raw.served_url),
        notices=tuple(map(mask, raw.notices)),
    )
