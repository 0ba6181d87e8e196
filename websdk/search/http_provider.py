"""The search provider that drives a codec over a transport."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, time
from urllib.parse import urlsplit

import attrs

from websdk.credentials import MASK, Secret
from websdk.errors import (
    CredentialRejected,
    DeadlineExceeded,
    MalformedAnswer,
    ProviderError,
    ProviderRejected,
    Unavailable,
)
from websdk.model.filters import FilterKey, FilterOutcome, Filters, unsupported_keys
from websdk.model.receipt import Attempt
from websdk.model.search import SearchAnswer, SearchPlan, SearchRequest, WireRequest
from websdk.protocols.call import Call
from websdk.protocols.search import AuthScheme, CredentialSource, Exchange, SearchCodec
from websdk.protocols.transport import FailureKind, Limits, Transport, TransportFailure
from websdk.wire.message import HttpRequest, HttpResponse, Pause

MAX_REQUESTS = 8  # one exchange needs one or two; start-and-poll vendors a few more; a loop must end
MAX_STEPS = 2 * MAX_REQUESTS + 1  # a pause before each request, and the end
MAX_REPLY_BYTES = 2 * 1024 * 1024
# What an answer to a probe of the filters alone is rendered for: any plain words do.
_ANY_QUERY = "words"
_ANY_DAY = date(2026, 1, 1)


@attrs.define(kw_only=True)
class HttpSearchProvider:
    """A provider made of a codec (what to send, how to read it) and a transport.

    Attributes:
        codec: The pure half.
        transport: Sends and reads within bounds.
        auth: Writes the credential into a request; ``None`` where the vendor takes none.
        credential: Where the credential comes from; ``None`` where none is configured.
        origins: Origins that the credential may go to.
        needs_credential: Whether a call without one is refused unsent.
        credential_hint: How to give the credential, for the refusal.
        max_reply_bytes: Ceiling for a reply's body.
    """

    codec: SearchCodec
    transport: Transport
    auth: AuthScheme | None = None
    credential: CredentialSource | None = None
    origins: frozenset[str] = frozenset()
    needs_credential: bool = False
    credential_hint: str = "configure one"
    max_reply_bytes: int = MAX_REPLY_BYTES

    @property
    def id(self) -> str:
        """Id by which calls name the provider."""
        return self.codec.id

    @property
    def filter_keys(self) -> frozenset[FilterKey]:
        """Filters of which the vendor can apply at least some values."""
        return self.codec.filter_keys

    def filter_outcomes(self, filters: Filters) -> tuple[FilterOutcome, ...]:
        """Return one outcome for each asked filter, for a query of plain words."""
        request = SearchRequest(query=_ANY_QUERY, filters=filters)
        return self.codec.explain(request, today=_ANY_DAY)[0]

    def unsupported_filters(self, filters: Filters) -> tuple[FilterKey, ...]:
        """Name every filter of *filters* whose value would not restrict the result in full."""
        return unsupported_keys(self.filter_outcomes(filters))

    def plan(self, request: SearchRequest, *, today: date) -> SearchPlan:
        """Return the first wire request, secrets masked, and what would become of each filter."""
        outcomes, adjustments = self.codec.explain(request, today=today)
        first = _first_request(self.codec.exchange(request, today=today))
        if first is not None and self.auth is not None and self._may_sign(first):
            first = self.auth.sign(first, Secret(MASK), datetime.combine(today, time(), UTC))
        return SearchPlan(
            provider=self.id,
            request=None if first is None else _shown(first),
            unsupported_filters=unsupported_keys(outcomes),
            filter_outcomes=outcomes,
            adjustments=adjustments,
        )

    async def search(self, request: SearchRequest, *, call: Call) -> SearchAnswer:
        """Run one exchange within the deadline of *call*.

        Raises:
            ProviderError: The vendor, the connection or the credential failed.
            DeadlineExceeded: The call's time ran out.
        """
        today = call.clock.now().date()
        outcomes, adjustments = self.codec.explain(request, today=today)
        secret = await self._secret(call)
        answer = await self._drive(self.codec.exchange(request, today=today), secret, call)
        return attrs.evolve(
            answer if secret is None else _without(secret, answer),
            filter_outcomes=outcomes if answer.filter_outcomes is None else answer.filter_outcomes,
            adjustments=adjustments + answer.adjustments,
        )

    async def _drive(self, exchange: Exchange, secret: Secret | None, call: Call) -> SearchAnswer:
        reply: HttpResponse | None = None
        try:
            for _ in range(MAX_STEPS):
                try:
                    step = exchange.send(reply)
                except StopIteration as done:
                    answer: SearchAnswer = done.value
                    return answer
                if len(call.attempts) >= MAX_REQUESTS:
                    break
                if isinstance(step, Pause):
                    await self._pause(step, call)
                    reply = None
                else:
                    reply = await self._send(step, secret, call)
        finally:
            exchange.close()
        raise MalformedAnswer(
            f"{self.id}: the exchange did not end within {MAX_REQUESTS} requests", provider=self.id, call_id=call.id
        )

    async def _pause(self, pause: Pause, call: Call) -> None:
        if pause.seconds > call.remaining_s():
            raise DeadlineExceeded(
                f"{self.id} asks to wait longer than the call may take",
                deadline_s=call.deadline_s,
                sent=bool(call.attempts),
                call_id=call.id,
            )
        await asyncio.sleep(pause.seconds)

    async def _secret(self, call: Call) -> Secret | None:
        if self.credential is not None:
            return await self.credential.get(call)
        if self.needs_credential:
            raise CredentialRejected(
                f"{self.id} needs a credential: {self.credential_hint}",
                provider=self.id,
                sent=False,
                call_id=call.id,
            )
        return None

    def _may_sign(self, request: HttpRequest) -> bool:
        return not self.origins or _origin(request.url) in self.origins

    async def _send(self, request: HttpRequest, secret: Secret | None, call: Call) -> HttpResponse:
        if secret is not None and self.auth is not None:
            if not self._may_sign(request):
                raise ProviderRejected(
                    f"{self.id}: the credential belongs to another origin and was not sent",
                    provider=self.id,
                    sent=False,
                    call_id=call.id,
                )
            request = self.auth.sign(request, secret, call.clock.now())
        started = call.clock.monotonic()
        host = urlsplit(request.url).netloc
        limits = Limits(max_bytes=self.max_reply_bytes, timeout_s=call.remaining_s())
        try:
            reply = await self.transport.send(request, limits=limits)
        except asyncio.CancelledError:
            # The deadline or the caller ended the call; whether the request had left by then is not known, so it counts.
            call.record(Attempt(recipient=self.id, host=host, outcome="cancelled"))
            raise
        except TransportFailure as failure:
            call.record(
                Attempt(
                    recipient=self.id,
                    host=host,
                    outcome=failure.kind.value,
                    elapsed_s=call.clock.monotonic() - started,
                )
            )
            raise self._translated(failure, call) from None
        error = self.codec.classify(reply, now=call.clock.now())
        if error is None and reply.incomplete:
            error = Unavailable(f"{self.id}: the reply broke off before its end", provider=self.id, status=reply.status)
        call.record(
            Attempt(
                recipient=self.id,
                host=host,
                outcome="ok" if error is None else type(error).__name__,
                status=reply.status,
                elapsed_s=call.clock.monotonic() - started,
                wire_bytes=reply.wire_bytes,
                proxied=reply.proxied,
            )
        )
        if error is not None:
            if isinstance(error, CredentialRejected) and self.credential is not None:
                _forget(self.credential, error)
            error.call_id = call.id
            raise error
        return reply

    def _translated(self, failure: TransportFailure, call: Call) -> ProviderError | DeadlineExceeded:
        if failure.kind is FailureKind.TIMEOUT and call.remaining_s() <= 0:
            return DeadlineExceeded(
                f"{self.id} did not answer within {call.deadline_s:g} s",
                deadline_s=call.deadline_s,
                sent=failure.sent,
                call_id=call.id,
            )
        kind = MalformedAnswer if failure.kind in (FailureKind.TOO_LARGE, FailureKind.CODING) else Unavailable
        return kind(f"{self.id}: {failure}", provider=self.id, sent=failure.sent, call_id=call.id)


def _forget(source: CredentialSource, error: CredentialRejected) -> None:
    """Drop a kept credential that the vendor refused; the next call asks its source again."""
    forget = getattr(source, "forget", None)
    if forget is not None and forget():
        error.retryable = True


def _without(secret: Secret, answer: SearchAnswer) -> SearchAnswer:
    """Return *answer* with every spelling of *secret* masked, because vendors echo keys in what they say."""
    mask = secret.masked_in
    return attrs.evolve(
        answer,
        answer=None if answer.answer is None else mask(answer.answer),
        notices=tuple(map(mask, answer.notices)),
        results=tuple(
            attrs.evolve(
                row,
                url=mask(row.url),
                title=mask(row.title),
                snippet=mask(row.snippet),
                content=None if row.content is None else mask(row.content),
            )
            for row in answer.results
        ),
    )


def _first_request(exchange: Exchange) -> HttpRequest | None:
    try:
        step = next(exchange)
        while isinstance(step, Pause):
            step = exchange.send(None)
    except StopIteration:
        return None
    finally:
        exchange.close()
    return step


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _shown(request: HttpRequest) -> WireRequest:
    return WireRequest(
        method=request.method,
        url=request.url,
        headers=dict(request.headers),
        body=request.body.decode("utf-8", "replace") if request.body else None,
    )
