"""Bright Data: the address in the body, the JSON in the JSON, and whose status is whose."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from websdk_vendors.brightdata import Bearer, BrightDataCodec, origin

from websdk import (
    ConfigurationError,
    CredentialRejected,
    FilterKey,
    Filters,
    FilterStatus,
    HttpRequest,
    HttpResponse,
    MalformedAnswer,
    ProviderRejected,
    RateLimited,
    SearchRequest,
    Secret,
    Unavailable,
)

CODEC = BrightDataCodec(zone="serp1")
TODAY = date(2026, 3, 10)
ROW = {"link": "https://a.example/", "title": "Tides", "description": "Tables of tides", "rank": 1}
PAGE: dict[str, Any] = {"general": {"query": "tides"}, "organic": [ROW]}


def ask(play: Any, body: Any = PAGE, **fields: Any) -> Any:
    request = SearchRequest(**{"query": "tides", **fields})
    return play(CODEC.exchange(request, today=TODAY), json.dumps(body).encode())


def page(request: HttpRequest) -> dict[str, str]:
    """Return the parameters of the address inside the body."""
    return {name: values[0] for name, values in parse_qs(urlsplit(json.loads(request.body)["url"]).query).items()}


def test_address_of_the_search_page_stands_in_the_body(play: Any) -> None:
    request, answer = ask(play, query="a&b=c tides", max_results=5, page=3)

    body = json.loads(request.body)
    assert ("POST", "https://api.brightdata.com/request") == (request.method, request.url)
    assert {"zone": "serp1", "format": "json", "method": "GET"} == {key: body[key] for key in body if key != "url"}
    assert "https://www.google.com/search" == body["url"].partition("?")[0]
    assert {"q": "a&b=c tides", "num": "5", "start": "10", "brd_json": "1"} == page(request)
    [result] = answer.results
    assert ("https://a.example/", "Tides", "Tables of tides") == (result.url, result.title, result.snippet)


@pytest.mark.parametrize(
    ("filters", "sent"),
    [
        ({"recency": "day"}, "qdr:d"),
        ({"recency": "year"}, "qdr:y"),
        ({"published_after": "2026-01-02"}, "cdr:1,cd_min:1/2/2026,cd_max:3/10/2026"),
        ({"published_before": "2026-01-02"}, "cdr:1,cd_min:1/1/1990,cd_max:1/2/2026"),
        (
            {"recency": "week", "published_after": "2026-01-02", "published_before": "2026-03-09"},
            "cdr:1,cd_min:3/3/2026,cd_max:3/9/2026",
        ),
    ],
)
def test_dates_share_one_key_and_all_hold(play: Any, filters: dict[str, Any], sent: str) -> None:
    request, _ = ask(play, filters=Filters(**filters))
    outcomes, _ = CODEC.explain(SearchRequest(query="tides", filters=Filters(**filters)), today=TODAY)

    assert sent == page(request)["tbs"]
    assert {(FilterStatus.APPLIED, f"tbs={sent}")} == {(outcome.status, outcome.sent) for outcome in outcomes}


@pytest.mark.parametrize(
    ("filters", "status", "parameter"),
    [
        ({"country": "DE"}, FilterStatus.APPROXIMATE, ("gl", "de")),
        ({"language": "pt-BR"}, FilterStatus.APPROXIMATE, ("hl", "pt")),
        ({"safe_search": "strict"}, FilterStatus.APPLIED, ("safe", "active")),
        ({"safe_search": "off"}, FilterStatus.APPLIED, ("safe", "off")),
        ({"safe_search": "moderate"}, FilterStatus.UNSUPPORTED, ("safe", None)),
        ({"topic": "news"}, FilterStatus.UNSUPPORTED, ("tbm", None)),
    ],
)
def test_single_filters_have_their_outcome(
    play: Any, filters: dict[str, Any], status: FilterStatus, parameter: tuple[str, str | None]
) -> None:
    request, _ = ask(play, filters=Filters(**filters))
    [outcome], _ = CODEC.explain(SearchRequest(query="tides", filters=Filters(**filters)), today=TODAY)

    name, value = parameter
    assert status is outcome.status
    assert value == page(request).get(name)
    assert (status is FilterStatus.APPLIED) == (outcome.reason is None)


def test_hosts_follow_the_query(play: Any) -> None:
    filters = Filters(include_domains=["a.example", "b.example"], exclude_domains=["c.a.example"])

    request, _ = ask(play, filters=filters)

    assert "tides site:a.example OR site:b.example -site:c.a.example" == page(request)["q"]


@pytest.mark.parametrize(
    "query", ['"high tide"', "tide OR ebb", "tide -ebb", "site:x.example tide", "(tide)", "a | b", "intitle:tide"]
)
def test_hosts_are_not_put_beside_operators(play: Any, query: str) -> None:
    filters = Filters(include_domains=["a.example"], exclude_domains=["b.example"])

    request, _ = ask(play, query=query, filters=filters)
    outcomes, _ = CODEC.explain(SearchRequest(query=query, filters=filters), today=TODAY)

    assert query == page(request)["q"]
    assert [FilterStatus.UNSUPPORTED] * 2 == [outcome.status for outcome in outcomes]


@pytest.mark.parametrize("query", ["tides", "e-mail state-of-the-art", "what is 12:30", "or and not"])
def test_words_are_no_operators(play: Any, query: str) -> None:
    request, _ = ask(play, query=query, filters=Filters(include_domains=["a.example"]))

    assert f"{query} site:a.example" == page(request)["q"]


def test_count_is_clamped_to_a_page() -> None:
    _, [adjustment] = CODEC.explain(SearchRequest(query="tides", max_results=50), today=TODAY)

    assert (50, 10) == (adjustment.asked, adjustment.sent)


def test_undeclared_is_the_topic_alone() -> None:
    assert frozenset(FilterKey) - CODEC.filter_keys == {FilterKey.TOPIC}


@pytest.mark.parametrize("body", [json.dumps(PAGE), PAGE], ids=["text", "object"])
def test_page_inside_the_record_of_its_fetch_is_read(play: Any, body: Any) -> None:
    _, answer = ask(play, {"status_code": 200, "headers": {}, "body": body})

    assert ["https://a.example/"] == [result.url for result in answer.results]


def test_page_without_results_is_an_empty_answer(play: Any) -> None:
    _, answer = ask(play, {"general": {"results_cnt": 0}})

    assert () == answer.results


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (429, RateLimited),
        (403, ProviderRejected),
        (401, ProviderRejected),
        (502, Unavailable),
        ("200", MalformedAnswer),
        (None, MalformedAnswer),
    ],
)
def test_status_of_the_page_is_not_that_of_the_key(play: Any, status: Any, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        ask(play, {"status_code": status, "headers": {"x-brd-err-msg": "canary"}, "body": "canary"})

    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        [],
        "text",
        {},
        {"error": "canary"},
        {"general": {}, "organic": "canary"},
        {"status_code": 200, "body": "<html>canary</html>"},
        {"status_code": 200, "body": None},
        {"status_code": 200, "body": "[]"},
    ],
)
def test_answer_of_another_shape_is_malformed(play: Any, body: Any) -> None:
    with pytest.raises(MalformedAnswer) as caught:
        ask(play, body)

    assert "canary" not in str(caught.value)


def test_odd_rows_never_lose_the_answer(play: Any) -> None:
    rows = [None, 3, {}, {"link": 5}, {"url": "https://b.example/", "title": None}, ROW]

    _, answer = ask(play, {"organic": rows})

    assert ["https://b.example/", "https://a.example/"] == [result.url for result in answer.results]


def test_missing_zone_is_a_matter_of_settings() -> None:
    exchange = BrightDataCodec(zone=None).exchange(SearchRequest(query="tides"), today=TODAY)

    with pytest.raises(ConfigurationError, match="zone under"):
        next(exchange)


def test_refused_key_is_a_refused_key() -> None:
    error = CODEC.classify(HttpResponse(status=401), now=datetime(2026, 3, 10, tzinfo=UTC))

    assert isinstance(error, CredentialRejected)


def test_key_goes_into_its_header_and_to_its_origin() -> None:
    request = HttpRequest(method="POST", url="https://api.brightdata.com/request")

    signed = Bearer().sign(request, Secret("k"), datetime(2026, 3, 10, tzinfo=UTC))

    assert "Bearer k" == signed.header("Authorization")
    assert "https://api.brightdata.com" == origin(request.url)
