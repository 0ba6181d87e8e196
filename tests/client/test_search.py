"""Searching with a client."""

import asyncio
import logging
from datetime import datetime
from typing import Any

import attrs
import pytest

from websdk import (
    AsyncClient,
    Client,
    Event,
    FilterKey,
    FilterOutcome,
    Filters,
    FilterStatus,
    HttpRequest,
    SearchAnswer,
    SearchRequest,
    Secret,
    Settings,
    Verdict,
    hookimpl,
)
from websdk.errors import (
    ConfigurationError,
    CredentialRejected,
    DeadlineExceeded,
    FiltersUnsupported,
    InvalidRequest,
    NotAuthorized,
    PluginError,
    Unavailable,
    WebSdkError,
)

from .conftest import Loopback, TinyPlugin

KEY = "sk-k+/=&9-canary"


class HeaderAuth:
    """Writes the key into a header."""

    def sign(self, request: HttpRequest, secret: Secret, now: datetime) -> HttpRequest:
        return request.with_headers([("X-Key", secret.reveal())])


def client(server: Loopback, **arguments: Any) -> Client:
    auth = HeaderAuth() if "credentials" in arguments else None
    return Client(Settings(plugins=()), plugins=[TinyPlugin(server.origin, auth)], **arguments)


def test_response_accounts_for_every_asked_filter(rows: Loopback) -> None:
    filters = Filters(include_domains=("docs.example",), recency="week")
    with client(rows) as tested:
        response = tested.search("x", provider="tiny", filters=filters)

    assert [FilterKey.RECENCY] == list(response.unsupported_filters)
    assert {FilterKey.RECENCY: (0, 0, 3), FilterKey.INCLUDE_DOMAINS: (3, 0, 0)} == {
        item.key: (item.kept, item.violated, item.unverified) for item in response.filter_outcomes
    }
    assert response.receipt is not None
    assert [200] == [item.status for item in response.receipt.attempts]


def test_refusal_of_filters_sends_nothing(rows: Loopback) -> None:
    with client(rows) as tested, pytest.raises(FiltersUnsupported) as caught:
        tested.search(
            "x", provider="tiny", filters=Filters(include_domains=("a.example", "b.example")), on_unsupported="refuse"
        )

    assert (FilterKey.INCLUDE_DOMAINS,) == caught.value.keys
    assert rows.asked == []


@pytest.mark.parametrize("extra", [{"max_results": 3}, {"page": 2}, {"filters": Filters()}])
def test_request_value_takes_no_fields_beside_it(rows: Loopback, extra: dict[str, Any]) -> None:
    with client(rows) as tested, pytest.raises(InvalidRequest):
        tested.search(SearchRequest(query="x"), provider="tiny", **extra)

    assert rows.asked == []


def test_unknown_provider_names_its_neighbours(rows: Loopback) -> None:
    with client(rows) as tested, pytest.raises(ConfigurationError, match="did you mean tiny"):
        tested.search("x", provider="tinny")


@pytest.mark.parametrize(
    "answer",
    [
        lambda intent: False,
        lambda intent: None,
        lambda intent: "yes",
        lambda intent: Verdict(allowed=False, reason="not this week"),
        lambda intent: 1 / 0,
    ],
)
def test_anything_but_a_clear_yes_is_a_refusal(rows: Loopback, answer: Any) -> None:
    with client(rows, authorize=answer) as tested, pytest.raises(NotAuthorized) as caught:
        tested.search("x", provider="tiny")

    assert caught.value.sent is False
    assert caught.value.retryable is False
    assert rows.asked == []


def test_permission_function_sees_query_recipient_and_origin_each_time(rows: Loopback) -> None:
    seen = []

    async def authorize(intent: Any) -> Verdict:
        seen.append((intent.operation, intent.recipient, intent.origin, intent.query))
        return Verdict(allowed=True, reason="yes")

    with client(rows, authorize=authorize) as tested:
        tested.search("x", provider="tiny")
        tested.search("x", provider="tiny")

    assert [("search", "tiny", rows.origin, "x")] * 2 == seen


def test_plain_callables_of_the_embedder_never_run_on_the_loop(rows: Loopback) -> None:
    on_loop = []

    def authorize(intent: Any) -> bool:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return True
        on_loop.append(intent)
        return True

    with client(rows, authorize=authorize, credentials={"tiny": authorize_key(on_loop)}) as tested:
        tested.search("x", provider="tiny")

    assert on_loop == []
    assert rows.asked[0][1]["x-key"] == KEY


def authorize_key(on_loop: list[Any]) -> Any:
    def make() -> str:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return KEY
        on_loop.append("credential")
        return KEY

    return make


@pytest.mark.parametrize("status", [401, 500])
def test_key_is_nowhere_in_a_failure_or_a_log(rows: Loopback, status: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    rows.serve("/search", f"refused {KEY} sk-k%2B%2F%3D%269-canary", status=status, kind="text/plain")
    with client(rows, credentials={"tiny": KEY}) as tested, pytest.raises(WebSdkError) as caught:
        tested.search("canary-query", provider="tiny")

    told = f"{caught.value} {caught.value!r} {caught.value.__cause__!r} {caught.value.__context__!r} {caplog.text}"
    assert rows.asked[0][1]["x-key"] == KEY
    for canary in (KEY, "sk-k%2B", "canary-query"):
        assert canary not in told


def test_refused_connection_is_told_apart_from_a_rejected_key(loopback: Loopback) -> None:
    loopback.close()
    with client(loopback) as tested, pytest.raises(Unavailable) as caught:
        tested.search("x", provider="tiny")

    assert caught.value.sent is False
    assert caught.value.retryable is True
    assert caught.value.call_id


def test_deadline_ends_a_search_whose_vendor_is_silent(rows: Loopback) -> None:
    import threading

    release = threading.Event()

    def silent() -> Any:
        release.wait(10)
        return 200, {}, b"{}"

    rows.replies["/search"] = silent
    with client(rows) as tested, pytest.raises(DeadlineExceeded) as caught:
        tested.search("x", provider="tiny", timeout_s=0.2)
    release.set()

    assert isinstance(caught.value, TimeoutError)
    assert caught.value.sent is True


def test_rejected_credential_is_not_retryable_when_it_was_given(rows: Loopback) -> None:
    rows.serve("/search", "no", status=401)
    with client(rows, credentials={"tiny": KEY}) as tested, pytest.raises(CredentialRejected) as caught:
        tested.search("x", provider="tiny")

    assert caught.value.retryable is False


@pytest.mark.parametrize(
    "arguments",
    [
        {"on_unsupported": "Refuse"},
        {"enforce_filters": "remove"},
        {"timeout_s": float("nan")},
        {"timeout_s": float("inf")},
        {"timeout_s": "3"},
        {"provider": 5},
        {"provider": ["tiny"]},
    ],
)
def test_argument_of_the_wrong_kind_is_refused_unsent(rows: Loopback, arguments: dict[str, Any]) -> None:
    with client(rows) as tested, pytest.raises(InvalidRequest, match=r"provider|timeout_s|on_unsupported|enforce"):
        tested.search("x", **{"provider": "tiny", **arguments})

    assert [] == rows.asked


def failing_source() -> str:
    raise ValueError(f"no token for {KEY}")


def test_failure_of_a_credential_source_is_one_of_this_tree_and_tells_no_secret(rows: Loopback) -> None:
    with client(rows, credentials={"tiny": failing_source}) as tested, pytest.raises(CredentialRejected) as caught:
        tested.search("x", provider="tiny")

    assert "ValueError" in str(caught.value)
    assert KEY not in str(caught.value)
    assert (None, None) == (caught.value.__cause__, caught.value.__context__)
    assert caught.value.sent is False
    assert [] == rows.asked


@pytest.mark.parametrize("given", ["", "  ", lambda: "", lambda: None, lambda: 5, lambda: b"key"])
def test_credential_that_is_none_is_a_configuration_failure(rows: Loopback, given: Any) -> None:
    with (
        pytest.raises(ConfigurationError, match="credential"),
        client(rows, credentials={"tiny": given}) as tested,
    ):
        tested.search("x", provider="tiny")

    assert [] == rows.asked


@pytest.mark.parametrize("given", [f" {KEY}\n", lambda: f"{KEY}\n"])
def test_outer_blanks_of_a_key_are_not_sent(rows: Loopback, given: Any) -> None:
    with client(rows, credentials={"tiny": given}) as tested:
        tested.search("x", provider="tiny")

    assert KEY == rows.asked[0][1]["x-key"]


def test_observer_that_raises_changes_nothing(rows: Loopback, caplog: pytest.LogCaptureFixture) -> None:
    seen: list[Event] = []

    class Watching:
        @hookimpl
        def websdk_event(self, event: Event) -> None:
            seen.append(event)
            raise RuntimeError("observer")

    tested = Client(Settings(plugins=()), plugins=[TinyPlugin(rows.origin), Watching()])
    with tested:
        response = tested.search("canary-query", provider="tiny")

    assert len(response.results) == 3
    assert ["search.finished"] == [event.name for event in seen]
    assert "canary-query" not in repr(seen)


def test_foreign_transport_carries_vendor_calls(loopback: Loopback) -> None:
    from websdk import HttpResponse, Limits

    @attrs.define
    class Carrying:
        sent: list[HttpRequest] = attrs.field(factory=list)

        async def send(self, request: HttpRequest, *, limits: Limits) -> HttpResponse:
            self.sent.append(request)
            return HttpResponse(status=200, body=b'{"rows": []}')

        async def aclose(self) -> None:
            pass

    carrying = Carrying()
    with client(loopback, transport=carrying) as tested:
        tested.search("x", provider="tiny")

    assert len(carrying.sent) == 1
    assert loopback.asked == []


def test_search_can_be_cancelled_and_the_client_used_again(rows: Loopback) -> None:
    import threading

    release = threading.Event()
    waiting = rows.replies["/search"]
    reached = threading.Event()

    def slow() -> Any:
        reached.set()
        release.wait(10)
        return waiting()

    async def work() -> int:
        async with AsyncClient(Settings(plugins=()), plugins=[TinyPlugin(rows.origin)]) as tested:
            rows.replies["/search"] = slow
            task = asyncio.create_task(tested.search("x", provider="tiny"))
            await asyncio.to_thread(reached.wait, 10)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            release.set()
            rows.replies["/search"] = waiting
            response = await tested.search("x", provider="tiny")
            left = [item for item in asyncio.all_tasks() if item is not asyncio.current_task()]
            assert left == []
            return len(response.results)

    assert asyncio.run(work()) == 3


@attrs.frozen
class Careless:
    """A provider whose account of the filters is as a test says."""

    named: Any = ()
    outcomes: Any = None
    id: str = "careless"
    filter_keys: frozenset[FilterKey] = frozenset()

    def unsupported_filters(self, filters: Filters) -> Any:
        return self.named

    async def search(self, request: SearchRequest, *, call: Any) -> SearchAnswer:
        return SearchAnswer(filter_outcomes=self.outcomes, answer="\ud800", notices=("\udfff",))

    @hookimpl
    def websdk_search_providers(self, assembly: Any) -> list[Any]:
        return [self]


ASKED = Filters(recency="week", country="DE")


@pytest.mark.parametrize(
    "outcomes",
    [
        (),
        (FilterOutcome(key=FilterKey.COUNTRY, status=FilterStatus.APPLIED),) * 2,
        tuple(FilterOutcome(key=key, status=FilterStatus.APPLIED) for key in FilterKey if key is not FilterKey.RECENCY),
    ],
)
def test_filter_that_a_provider_passes_over_is_reported(outcomes: Any) -> None:
    with Client(Settings(plugins=()), plugins=[Careless(outcomes=outcomes)]) as tested:
        response = tested.search("x", provider="careless", filters=ASKED)

    assert [FilterKey.RECENCY, FilterKey.COUNTRY] == [outcome.key for outcome in response.filter_outcomes]
    assert FilterKey.RECENCY in response.unsupported_filters


@pytest.mark.parametrize("named", ["recency", ("since",), None, 5])
def test_provider_that_names_filters_nobody_knows_is_blamed_before_it_is_asked(named: Any) -> None:
    with (
        Client(Settings(plugins=()), plugins=[Careless(named=named)]) as tested,
        pytest.raises(PluginError, match="careless: unsupported_filters"),
    ):
        tested.search("x", provider="careless", filters=ASKED)


def test_texts_of_a_provider_can_be_written_out() -> None:
    with Client(Settings(plugins=()), plugins=[Careless()]) as tested:
        response = tested.search("x", provider="careless")

    assert (None, ("",)) == (response.answer, response.notices)
