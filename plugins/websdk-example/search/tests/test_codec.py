"""The codec alone: it is a function, so a test plays the service by hand."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any

import pytest
from websdk_example_search.codec import MAX_LOOKS, TicketsCodec

from websdk import (
    Adjustment,
    FilterKey,
    Filters,
    FilterStatus,
    HttpRequest,
    HttpResponse,
    MalformedAnswer,
    Pause,
    ProviderRejected,
    RateLimited,
    SearchAnswer,
    SearchRequest,
    Unavailable,
)

CODEC = TicketsCodec(base_url="https://tickets.acme.example")
TODAY = date(2026, 3, 10)


def reply(value: Any) -> HttpResponse:
    return HttpResponse(status=200, body=json.dumps(value).encode())


def play(request: SearchRequest, *replies: HttpResponse) -> tuple[list[HttpRequest | Pause], SearchAnswer]:
    """Run an exchange against *replies*; return what it yielded and what it returned."""
    exchange = CODEC.exchange(request, today=TODAY)
    steps, left = [next(exchange)], list(replies)
    while True:
        try:
            steps.append(exchange.send(None if isinstance(steps[-1], Pause) else left.pop(0)))
        except StopIteration as done:
            return steps, done.value


def test_search_is_started_waited_for_and_fetched() -> None:
    steps, answer = play(
        SearchRequest(query="lift", max_results=5, page=3),
        reply({"id": "job-1", "wait_s": 2}),
        reply({"state": "running", "wait_s": 1}),
        reply({"state": "done", "hits": [{"url": "https://a.example/"}], "more": True}),
    )

    start, pause, look, again, last = steps
    assert isinstance(start, HttpRequest)
    assert {"text": "lift", "limit": 5, "offset": 10} == json.loads(start.body)
    assert (Pause(seconds=2), Pause(seconds=1)) == (pause, again)
    assert isinstance(look, HttpRequest)
    assert "https://tickets.acme.example/searches/job-1" == look.url
    assert look == last
    assert ["https://a.example/"] == [result.url for result in answer.results]
    assert answer.more


def test_dates_go_out_and_everything_else_is_named() -> None:
    filters = Filters(recency="week", published_after=date(2026, 3, 8), country="DE", include_domains=["a.example"])
    request = SearchRequest(query="lift", filters=filters)

    steps, _ = play(request, reply({"id": "j"}), reply({"state": "done", "hits": []}))
    outcomes, adjustments = CODEC.explain(request, today=TODAY)

    assert isinstance(steps[0], HttpRequest)
    assert "2026-03-08" == json.loads(steps[0].body)["since"]
    assert {
        FilterKey.RECENCY: FilterStatus.APPLIED,
        FilterKey.PUBLISHED_AFTER: FilterStatus.APPLIED,
        FilterKey.INCLUDE_DOMAINS: FilterStatus.UNSUPPORTED,
        FilterKey.COUNTRY: FilterStatus.UNSUPPORTED,
    } == {outcome.key: outcome.status for outcome in outcomes}
    assert () == adjustments


def test_count_above_the_cap_is_an_adjustment() -> None:
    _, adjustments = CODEC.explain(SearchRequest(query="lift", max_results=80), today=TODAY)

    [only] = adjustments
    assert isinstance(only, Adjustment)
    assert ("max_results", 80, 50) == (only.what, only.asked, only.sent)


@pytest.mark.parametrize("wait", [None, -1, "soon", 1e9, True])
def test_pause_stays_within_its_bounds_whatever_the_service_says(wait: Any) -> None:
    steps, _ = play(
        SearchRequest(query="lift"), reply({"id": "j", "wait_s": wait}), reply({"state": "done", "hits": []})
    )

    [pause] = [step for step in steps if isinstance(step, Pause)]
    assert 0.05 <= pause.seconds <= 5


@pytest.mark.parametrize("name", [None, "", 7, "../admin", "a/b", "x" * 65])
def test_name_that_is_no_plain_word_never_becomes_an_address(name: Any) -> None:
    with pytest.raises(MalformedAnswer):
        play(SearchRequest(query="lift"), reply({"id": name}))


@pytest.mark.parametrize(
    ("job", "error"),
    [
        ({"state": "failed", "reason": "bad_text"}, ProviderRejected),
        ({"state": "failed"}, Unavailable),
        ({"state": "done"}, MalformedAnswer),
        ({"state": "lost", "hits": []}, MalformedAnswer),
        ([], MalformedAnswer),
    ],
)
def test_failure_inside_a_good_reply_is_a_failure(job: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        play(SearchRequest(query="lift"), reply({"id": "j"}), reply(job))


def test_search_that_never_ends_is_given_up() -> None:
    with pytest.raises(Unavailable):
        play(SearchRequest(query="lift"), reply({"id": "j"}), *[reply({"state": "running"})] * MAX_LOOKS)


def test_odd_fields_never_lose_the_answer() -> None:
    hits = [
        None,
        3,
        {},
        {"url": None},
        {"url": "https://a.example/", "title": 5, "summary": None, "changed_on": "soon"},
    ]

    _, answer = play(SearchRequest(query="lift"), reply({"id": "j"}), reply({"state": "done", "hits": hits}))

    [result] = answer.results
    assert ("", "", None, "soon") == (result.title, result.snippet, result.published, result.published_text)


def test_too_many_searches_is_a_wait_and_not_a_refusal() -> None:
    error = CODEC.classify(HttpResponse(status=409), now=datetime(2026, 3, 10, tzinfo=UTC))

    assert isinstance(error, RateLimited)
