"""The provider that drives a codec over a transport."""

import asyncio
from collections.abc import Callable, Generator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import attrs
import pytest

from websdk.client.credentials import GivenCredential, KeptCredential
from websdk.credentials import MASK, Secret
from websdk.errors import (
    CredentialRejected,
    DeadlineExceeded,
    MalformedAnswer,
    ProviderRejected,
    RateLimited,
    Unavailable,
    WebSdkError,
)
from websdk.model import (
    Adjustment,
    FilterKey,
    FilterOutcome,
    Filters,
    FilterStatus,
    SearchAnswer,
    SearchRequest,
    SearchResult,
)
from websdk.protocols import Call, FailureKind, Limits, TransportFailure
from websdk.search.http_provider import HttpSearchProvider
from websdk.transport.vendor import MAX_REQUESTS, VendorCaller
from websdk.wire import HttpRequest, HttpResponse, Pause

KEY = "sk-demo-k+/=&9"
TODAY = date(2026, 3, 4)


@attrs.define
class HandClock:
    """A clock that moves when it is told to."""

    seconds: float = 0.0

    def now(self) -> datetime:
        return datetime(2026, 3, 4, 12, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        return self.seconds


@attrs.define
class ScriptedTransport:
    """Answers each request from a list, and keeps what it was sent."""

    replies: list[HttpResponse | Exception]
    sent: list[HttpRequest] = attrs.field(factory=list)

    async def send(self, request: HttpRequest, *, limits: Limits) -> HttpResponse:
        self.sent.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    async def aclose(self) -> None:
        pass


class HeaderAuth:
    """Writes the key into one header."""

    def sign(self, request: HttpRequest, secret: Secret, now: datetime) -> HttpRequest:
        return request.with_headers([("X-Key", secret.reveal())])


Steps = Callable[[SearchRequest], Generator[HttpRequest | Pause, HttpResponse | None, SearchAnswer]]


def one_request(request: SearchRequest) -> Generator[HttpRequest | Pause, HttpResponse | None, SearchAnswer]:
    reply = yield HttpRequest(method="GET", url="https://api.vendor.example/search?q=x")
    assert reply is not None
    text = reply.body.decode()
    return SearchAnswer(
        results=(SearchResult(url="https://a.example/", title=text),),
        notices=(f"said {text}",),
        said_by_vendor=(f"said {text}",),
    )


@attrs.define
class PlainCodec:
    """A vendor that takes a country and nothing else."""

    steps: Steps = one_request
    id: str = "vendor"
    filter_keys: frozenset[FilterKey] = frozenset({FilterKey.COUNTRY})

    def explain(
        self, request: SearchRequest, *, today: date
    ) -> tuple[tuple[FilterOutcome, ...], tuple[Adjustment, ...]]:
        outcomes = tuple(
            FilterOutcome(key=key, status=FilterStatus.APPLIED if key in self.filter_keys else FilterStatus.UNSUPPORTED)
            for key in request.filters.asked()
        )
        return outcomes, (Adjustment(what="max_results", asked=99, sent=20, reason="20 at most"),)

    def exchange(
        self, request: SearchRequest, *, today: date
    ) -> Generator[HttpRequest | Pause, HttpResponse | None, SearchAnswer]:
        return self.steps(request)

    def classify(self, response: HttpResponse, *, now: datetime) -> Any:
        kinds = {401: CredentialRejected, 429: RateLimited}
        kind = kinds.get(response.status)
        return None if kind is None else kind("vendor refused", provider=self.id, status=response.status)


def call(deadline_s: float = 5.0) -> Call:
    return Call.start(id="c1", operation="search", clock=HandClock(), deadline_s=deadline_s)


def ok(body: str = "hello") -> HttpResponse:
    return HttpResponse(status=200, body=body.encode(), wire_bytes=len(body))


def provider(*replies: HttpResponse | Exception, steps: Steps = one_request, **fields: Any) -> HttpSearchProvider:
    caller = VendorCaller(id="vendor", transport=ScriptedTransport(list(replies)), **fields)
    return HttpSearchProvider(codec=PlainCodec(steps=steps), caller=caller)


def search(tested: HttpSearchProvider, running: Call | None = None) -> SearchAnswer:
    return asyncio.run(tested.search(SearchRequest(query="x"), call=running or call()))


def failure(tested: HttpSearchProvider, kind: type[WebSdkError], running: Call | None = None) -> Any:
    with pytest.raises(kind) as caught:
        search(tested, running)
    return caught.value


def test_answer_carries_outcomes_and_adjustments_of_the_codec() -> None:
    tested = provider(ok())
    request = SearchRequest(query="x", filters=Filters(country="DE", topic="news"))
    answer = asyncio.run(tested.search(request, call=call()))

    assert answer.filter_outcomes is not None
    assert [(FilterKey.COUNTRY, "applied"), (FilterKey.TOPIC, "unsupported")] == [
        (item.key, item.status) for item in answer.filter_outcomes
    ]
    assert ["max_results"] == [item.what for item in answer.adjustments]
    assert (FilterKey.TOPIC,) == tested.unsupported_filters(request.filters)


def test_attempt_is_recorded_with_host_and_status() -> None:
    running = call()
    search(provider(ok()), running)
    [attempt] = running.receipt("vendor").attempts

    assert "api.vendor.example:443" == attempt.host
    assert ("ok", 200, 5) == (attempt.outcome, attempt.status, attempt.wire_bytes)


def test_credential_goes_to_its_origin_only() -> None:
    tested = provider(
        ok(), auth=HeaderAuth(), credential=GivenCredential(KEY), origins=frozenset({"https://api.vendor.example"})
    )
    search(tested)
    foreign = provider(
        ok(), auth=HeaderAuth(), credential=GivenCredential(KEY), origins=frozenset({"https://other.example"})
    )
    error = failure(foreign, ProviderRejected)

    assert KEY == tested.caller.transport.sent[0].header("x-key")  # type: ignore[attr-defined]
    assert error.sent is False
    assert foreign.caller.transport.sent == []  # type: ignore[attr-defined]


def test_missing_credential_is_refused_before_anything_is_sent() -> None:
    tested = provider(ok(), auth=HeaderAuth(), needs_credential=True, credential_hint="set VENDOR_KEY")
    error = failure(tested, CredentialRejected)

    assert error.sent is False
    assert "set VENDOR_KEY" in str(error)
    assert tested.caller.transport.sent == []  # type: ignore[attr-defined]


@pytest.mark.parametrize("echo", [KEY, "sk-demo-k%2B%2F%3D%269", "c2stZGVtby1rKy89Jjk="])
def test_key_that_the_vendor_echoes_is_masked(echo: str) -> None:
    answer = search(provider(ok(f"key {echo}!"), auth=HeaderAuth(), credential=GivenCredential(KEY)))

    assert answer.notices == answer.said_by_vendor == (f"said key {MASK}!",)
    assert answer.results[0].title == f"key {MASK}!"


def test_plan_masks_the_credential_and_sends_nothing() -> None:
    tested = provider(auth=HeaderAuth(), credential=GivenCredential(KEY))
    plan = tested.plan(SearchRequest(query="x"), today=TODAY)

    assert plan.request is not None
    assert {"X-Key": MASK} == plan.request.headers
    assert tested.caller.transport.sent == []  # type: ignore[attr-defined]


def test_rejected_credential_is_forgotten_and_worth_another_try() -> None:
    asked = []

    class Expiring:
        async def get(self, call: Call) -> Secret:
            asked.append(1)
            return Secret(f"token-{len(asked)}", expires_at=datetime(2026, 3, 5, tzinfo=UTC))

    tested = provider(HttpResponse(status=401), ok(), ok(), auth=HeaderAuth(), credential=KeptCredential(Expiring()))
    error = failure(tested, CredentialRejected)
    search(tested)
    search(tested)

    assert error.retryable is True
    assert ["token-1", "token-2", "token-2"] == [item.header("x-key") for item in tested.caller.transport.sent]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("kind", "expected", "sent"),
    [
        (FailureKind.RESOLVE, Unavailable, False),
        (FailureKind.CONNECT, Unavailable, False),
        (FailureKind.TLS, Unavailable, False),
        (FailureKind.BROKEN, Unavailable, True),
        (FailureKind.TOO_LARGE, MalformedAnswer, True),
        (FailureKind.CODING, MalformedAnswer, True),
    ],
)
def test_failure_of_the_connection_becomes_one_of_the_vendor(
    kind: FailureKind, expected: type[WebSdkError], sent: bool
) -> None:
    running = call()
    error = failure(provider(TransportFailure(kind, "no reply", sent=sent)), expected, running)

    assert error.sent is sent
    assert error.call_id == "c1"
    assert error.__cause__ is None
    assert [kind.value] == [item.outcome for item in running.attempts]


def test_reply_that_breaks_off_is_no_answer() -> None:
    error = failure(provider(HttpResponse(status=200, body=b"{}", incomplete=True)), Unavailable)

    assert error.retryable is True


def test_exchange_that_never_ends_is_stopped() -> None:
    def endless(request: SearchRequest) -> Generator[HttpRequest | Pause, HttpResponse | None, SearchAnswer]:
        while True:
            yield HttpRequest(method="GET", url="https://api.vendor.example/poll")

    tested = provider(*[ok()] * 50, steps=endless)
    failure(tested, MalformedAnswer)

    assert len(tested.caller.transport.sent) == MAX_REQUESTS  # type: ignore[attr-defined]


@pytest.mark.parametrize("seconds", [60, float("inf"), float("nan")])
def test_pause_longer_than_the_call_ends_it_at_once(seconds: float) -> None:
    def waiting(request: SearchRequest) -> Generator[HttpRequest | Pause, HttpResponse | None, SearchAnswer]:
        yield Pause(seconds=seconds)
        return SearchAnswer()

    assert failure(provider(steps=waiting), DeadlineExceeded).sent is False


def test_call_before_the_interval_is_over_is_refused_unsent() -> None:
    tested = provider(ok(), ok(), min_interval_s=5.0)
    clock = HandClock()

    def at(seconds: float) -> Call:
        clock.seconds = seconds
        return Call.start(id="c1", operation="search", clock=clock, deadline_s=5)

    search(tested, at(0))
    error = failure(tested, RateLimited, at(3))
    search(tested, at(5))

    assert (False, True, 2.0) == (error.sent, error.retryable, error.wait_s)
    assert 2 == len(tested.caller.transport.sent)  # type: ignore[attr-defined]


def test_cancelled_request_is_recorded_as_perhaps_sent() -> None:
    class Hanging:
        async def send(self, request: HttpRequest, *, limits: Limits) -> HttpResponse:
            await asyncio.Event().wait()
            raise AssertionError

        async def aclose(self) -> None:
            pass

    running = call(deadline_s=0.05)
    tested = HttpSearchProvider(codec=PlainCodec(), caller=VendorCaller(id="vendor", transport=Hanging()))

    async def limited() -> None:
        async with running.within_deadline():
            await tested.search(SearchRequest(query="x"), call=running)

    with pytest.raises(DeadlineExceeded) as caught:
        asyncio.run(limited())

    assert caught.value.sent is True
    assert ["cancelled"] == [item.outcome for item in running.attempts]
