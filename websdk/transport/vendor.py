"""Calls to one vendor: the one place where a codec's steps meet a transport and a credential."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from datetime import datetime
from typing import TypeVar

import attrs

from websdk.credentials import Secret
from websdk.errors import (
    CredentialRejected,
    DeadlineExceeded,
    FetchError,
    MalformedAnswer,
    ProviderError,
    ProviderRejected,
    RateLimited,
    TooLarge,
    Unavailable,
    WebSdkError,
)
from websdk.model.urls import parse
from websdk.protocols.call import Call
from websdk.protocols.search import AuthScheme, CredentialSource
from websdk.protocols.transport import FailureKind, Limits, Transport, TransportFailure
from websdk.transport.sending import send_recorded
from websdk.wire.message import HttpRequest, HttpResponse, Pause

T = TypeVar("T")
Steps = Generator[HttpRequest | Pause, HttpResponse | None, T]
Classify = Callable[[HttpResponse, datetime], ProviderError | FetchError | None]

MAX_REQUESTS = 8  # one exchange needs one or two; start-and-poll vendors a few more; a loop must end
MAX_STEPS = 2 * MAX_REQUESTS + 1  # a pause before each request, and the end
MAX_REPLY_BYTES = 2 * 1024 * 1024


@attrs.frozen
class _Door:
    """A transport, which may be an embedder's, that fails in the way of the protocol alone."""

    transport: Transport

    async def send(self, request: HttpRequest, *, limits: Limits) -> HttpResponse:
        """Send *request* once.

        Raises:
            TransportFailure: No usable reply, whatever else the transport raised.
        """
        try:
            reply: object = await self.transport.send(request, limits=limits)
        except (TransportFailure, WebSdkError):
            raise
        except Exception as exc:  # a library's exceptions hold the request with its key, so that only the kind is told
            words = f"the transport raised {type(exc).__name__}"
        else:
            if isinstance(reply, HttpResponse):
                return reply
            words = "the transport returned no HttpResponse"
        raise TransportFailure(FailureKind.BROKEN, words, sent=True)

    async def aclose(self) -> None:
        """Do nothing: the transport stays its owner's."""


@attrs.define(kw_only=True)
class VendorCaller:
    """How one vendor is called.

    Attributes:
        id: Id of the vendor in receipts and errors.
        transport: Sends and reads within bounds.
        auth: Writes the credential into a request; ``None`` where the vendor takes none.
        credential: Where the credential comes from; ``None`` where none is configured.
        origins: Origins that the credential may go to; empty for wherever the codec goes.
        needs_credential: Whether a call without one is refused unsent.
        credential_hint: How to give the credential, for the refusal.
        max_reply_bytes: Ceiling for a reply's body, raw and decoded.
        min_interval_s: Seconds that the vendor wants between two calls; a call too early is refused, nobody sleeps.
        remark: What a plan should say about these calls; ``None`` for nothing.
    """

    id: str
    transport: Transport
    auth: AuthScheme | None = None
    credential: CredentialSource | None = None
    origins: frozenset[str] = frozenset()
    needs_credential: bool = False
    credential_hint: str = "configure one"
    max_reply_bytes: int = MAX_REPLY_BYTES
    min_interval_s: float = 0.0
    remark: str | None = None
    _not_before: float | None = attrs.field(default=None, init=False)

    async def secret(self, call: Call) -> Secret | None:
        """Return the credential, or ``None`` where none is configured and none is needed.

        Raises:
            CredentialRejected: There is none where one is needed, or its source failed; nothing was sent.
        """
        if self.credential is not None:
            return await self._asked(self.credential, call)
        if self.needs_credential:
            raise CredentialRejected(
                f"{self.id} needs a credential: {self.credential_hint}", provider=self.id, sent=False, call_id=call.id
            )
        return None

    async def _asked(self, source: CredentialSource, call: Call) -> Secret:
        try:
            return await source.get(call)
        except WebSdkError:
            raise
        except Exception as exc:  # an embedder's own failure may tell the secret, so that only its kind is told
            kind = type(exc).__name__
        raise CredentialRejected(
            f"{self.id}: the source of the credential raised {kind}", provider=self.id, sent=False, call_id=call.id
        )

    def signed(self, request: HttpRequest, secret: Secret | None, now: datetime) -> HttpRequest:
        """Return *request* with *secret* in its place.

        Raises:
            ProviderRejected: The request goes to an origin that the credential is not for; nothing was sent.
            CredentialRejected: The signing scheme failed; nothing was sent.
        """
        if secret is None or self.auth is None:
            return request
        target = parse(request.url)
        if self.origins and (target is None or target.origin not in self.origins):
            raise ProviderRejected(
                f"{self.id}: the credential belongs to another origin and was not sent", provider=self.id, sent=False
            )
        try:
            return self.auth.sign(request, secret, now)
        except WebSdkError:
            raise
        except Exception as exc:  # it holds the secret, and so may what it raises
            kind = type(exc).__name__
        raise CredentialRejected(f"{self.id}: the signing scheme raised {kind}", provider=self.id, sent=False)

    async def drive(self, steps: Steps[T], classify: Classify, secret: Secret | None, call: Call) -> T:
        """Run an exchange to its end, within the deadline of *call*.

        Raises:
            RateLimited: The call comes before the vendor's interval is over; nothing was sent.
            FetchError: The vendor says that a page did not come.
            ProviderError: The vendor, the connection or the credential failed.
            DeadlineExceeded: The call's time ran out.
        """
        self._keep_pace(call)
        reply: HttpResponse | None = None
        try:
            for _ in range(MAX_STEPS):
                try:
                    step = steps.send(reply)
                except StopIteration as done:
                    outcome: T = done.value
                    return outcome
                if len(call.attempts) >= MAX_REQUESTS:
                    break
                if isinstance(step, Pause):
                    await self._pause(step, call)
                    reply = None
                else:
                    reply = await self._send(self.signed(step, secret, call.clock.now()), classify, call)
        finally:
            steps.close()
        raise MalformedAnswer(
            f"{self.id}: the exchange did not end within {MAX_REQUESTS} requests", provider=self.id, call_id=call.id
        )

    def _keep_pace(self, call: Call) -> None:
        """Refuse a call that comes before the vendor's interval is over, and begin the next interval.

        Raises:
            RateLimited: It comes too early; nothing was sent.
        """
        if not self.min_interval_s:
            return
        now = call.clock.monotonic()
        if self._not_before is not None and now < self._not_before:
            wait_s = self._not_before - now
            raise RateLimited(
                f"{self.id} wants {self.min_interval_s:g} s between two calls; ask again in {wait_s:.1f} s",
                provider=self.id,
                wait_s=wait_s,
                sent=False,
                call_id=call.id,
            )
        self._not_before = now + self.min_interval_s

    async def _pause(self, pause: Pause, call: Call) -> None:
        if not pause.seconds <= call.remaining_s():  # what is no number ends the call too
            raise self._late(f"{self.id} asks to wait longer than the call may take", call, sent=bool(call.attempts))
        await asyncio.sleep(pause.seconds)

    async def _send(self, request: HttpRequest, classify: Classify, call: Call) -> HttpResponse:
        limits = Limits(max_bytes=self.max_reply_bytes, timeout_s=call.remaining_s())
        error: ProviderError | FetchError | None = None

        def outcome(reply: HttpResponse) -> str:
            nonlocal error
            error = self._judged(reply, classify, call)
            return "ok" if error is None else type(error).__name__

        await call.pay()
        try:
            reply = await send_recorded(
                _Door(self.transport), request, limits=limits, recipient=self.id, call=call, outcome=outcome
            )
        except TransportFailure as failure:
            raise self._untransported(failure, call) from None
        if error is not None:
            self._forget_rejected(error)
            error.call_id = call.id
            raise error
        return reply

    def _judged(self, reply: HttpResponse, classify: Classify, call: Call) -> ProviderError | FetchError | None:
        error = classify(reply, call.clock.now())
        if error is None and reply.incomplete:
            return Unavailable(f"{self.id}: the reply broke off before its end", provider=self.id, status=reply.status)
        return error

    def _forget_rejected(self, error: ProviderError | FetchError) -> None:
        """Drop a kept credential that the vendor refused; the next call asks its source again."""
        forget = getattr(self.credential, "forget", None)
        if isinstance(error, CredentialRejected) and forget is not None and forget():
            error.retryable = True

    def _untransported(self, failure: TransportFailure, call: Call) -> WebSdkError:
        if failure.kind is FailureKind.TIMEOUT and call.remaining_s() <= 0:
            return self._late(f"{self.id} did not answer within {call.deadline_s:g} s", call, sent=failure.sent)
        if failure.kind is FailureKind.TOO_LARGE and call.operation == "fetch":
            limit = failure.limit_bytes or self.max_reply_bytes
            return TooLarge(f"{self.id}: {failure}", limit_bytes=limit, sent=failure.sent, call_id=call.id)
        unusable = failure.kind in (FailureKind.TOO_LARGE, FailureKind.CODING)
        kind = MalformedAnswer if unusable else Unavailable
        return kind(f"{self.id}: {failure}", provider=self.id, sent=failure.sent, call_id=call.id)

    def _late(self, message: str, call: Call, *, sent: bool) -> DeadlineExceeded:
        return DeadlineExceeded(message, deadline_s=call.deadline_s, sent=sent, call_id=call.id)
