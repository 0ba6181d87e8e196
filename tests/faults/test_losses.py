"""Losses that programs and vendors pass over in silence: here each of them is said, or does not happen.

Every test is one case found in the wild: a filter that was asked for and did not act, without a word to the caller.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from websdk import Client, FilterKey, Filters, FilterStatus, SearchPlan, SearchResponse
from websdk.errors import ConfigurationError

from .conftest import Vendor

Make = Callable[..., Client]
TWO = ["a.example", "b.example"]


def plan(client: Client, name: str, **asked: Any) -> SearchPlan:
    return client.plan(
        "tide tables", provider=name, max_results=asked.pop("max_results", None), filters=Filters(**asked)
    )


def search(client: Client, name: str, **asked: Any) -> SearchResponse:
    return client.search("tide tables", provider=name, filters=Filters(**asked))


def sent(found: SearchPlan) -> Any:
    """Return the values of the planned request: its body, or its query."""
    assert found.request is not None
    if found.request.body is not None:
        return json.loads(found.request.body)
    return {key: values[0] for key, values in parse_qs(urlsplit(found.request.url).query).items()}


def status(found: SearchPlan | SearchResponse, key: str) -> FilterStatus:
    return next(item.status for item in found.filter_outcomes if item.key == key)


# -- programs --------------------------------------------------------------------------------------------------------


def test_google_takes_one_host_so_that_two_are_reported_and_not_cut_to_the_first(client: Make) -> None:
    two = plan(client("google-cse", engine="e1"), "google-cse", include_domains=TWO)
    one = plan(client("google-cse", engine="e1"), "google-cse", include_domains=TWO[:1])

    assert (FilterKey.INCLUDE_DOMAINS,) == two.unsupported_filters
    assert "siteSearch" not in sent(two)
    assert () == one.unsupported_filters
    assert "a.example" == sent(one)["siteSearch"]


def test_tavily_gets_a_country_by_its_english_name_and_never_as_a_code(client: Make) -> None:
    known, unknown = (plan(client("tavily"), "tavily", country=code) for code in ("US", "VA"))

    assert "united states" == sent(known)["country"]
    assert FilterStatus.APPROXIMATE == status(known, "country")
    assert "country" not in sent(unknown)
    assert (FilterKey.COUNTRY,) == unknown.unsupported_filters


def test_searxng_has_no_number_of_results_and_no_country_and_both_are_said(client: Make) -> None:
    found = plan(client("searxng"), "searxng", country="US", max_results=50)

    assert ["max_results"] == [item.what for item in found.adjustments]
    assert (FilterKey.COUNTRY,) == found.unsupported_filters
    assert {"q", "format"} == set(sent(found))  # above all no language in place of the country


def test_firecrawl_gets_every_host(client: Make) -> None:
    found = plan(client("firecrawl"), "firecrawl", include_domains=TWO)

    assert TWO == sent(found)["includeDomains"]
    assert () == found.unsupported_filters


def test_dataforseo_gets_hosts_as_operators_and_a_country_as_its_number(client: Make) -> None:
    (task,) = sent(plan(client("dataforseo"), "dataforseo", include_domains=TWO, country="DE"))

    assert "(tide tables) (site:a.example OR site:b.example)" == task["keyword"]
    assert 2276 == task["location_code"]
    assert task.keys().isdisjoint({"domain", "location_name"})


def test_you_gets_a_country_in_upper_case(client: Make) -> None:
    found = plan(client("you"), "you", country="us")

    assert "US" == sent(found)["country"]
    assert () == found.unsupported_filters


def test_unwanted_hosts_of_exa_are_not_sent_as_wanted_ones(client: Make) -> None:
    body = sent(plan(client("exa"), "exa", exclude_domains=TWO))

    assert TWO == body["excludeDomains"]
    assert "includeDomains" not in body


# -- vendors ---------------------------------------------------------------------------------------------------------


def test_unwanted_hosts_that_parallel_would_ignore_beside_wanted_ones_are_reported(client: Make) -> None:
    both = plan(client("parallel"), "parallel", include_domains=TWO, exclude_domains=["c.example"])
    alone = plan(client("parallel"), "parallel", exclude_domains=["c.example"])

    assert (FilterKey.EXCLUDE_DOMAINS,) == both.unsupported_filters
    assert {"include_domains": TWO} == sent(both)["advanced_settings"]["source_policy"]
    assert () == alone.unsupported_filters


def test_exa_may_relax_a_restriction_which_is_said_and_seen_in_the_rows(client: Make, vendor: Vendor) -> None:
    vendor.answer = {
        "results": [
            {"url": "https://a.example/1", "title": "In time", "publishedDate": "2026-02-20T00:00:00.000Z"},
            {"url": "https://a.example/2", "title": "Too early", "publishedDate": "2025-02-20T00:00:00.000Z"},
            {"url": "https://a.example/3", "title": "Undated"},
        ],
        "notices": [{"code": "RESTRICTIONS_RELAXED", "message": "The date was relaxed."}],
    }
    response = search(client("exa"), "exa", published_after=date(2026, 1, 2))
    (outcome,) = response.filter_outcomes

    assert "The date was relaxed." in response.notices
    assert any("leaves out pages whose date it does not know" in notice for notice in response.notices)
    assert (1, 1, 1) == (outcome.kept, outcome.violated, outcome.unverified)
    assert [(), (FilterKey.PUBLISHED_AFTER,), ()] == [row.violates for row in response.results]


def test_window_that_you_widens_by_a_word_of_the_query_is_said_and_seen_in_the_rows(
    client: Make, vendor: Vendor
) -> None:
    vendor.answer = {
        "results": {
            "web": [
                {"url": "https://a.example/1", "title": "New", "page_age": "2026-03-02T08:00:00"},
                {"url": "https://a.example/2", "title": "Old", "page_age": "2025-06-02T08:00:00"},
            ]
        }
    }
    response = client("you").search("tide tables of 2025", provider="you", filters=Filters(recency="week"))

    assert any("takes the wider of the two" in notice for notice in response.notices)
    assert [(), (FilterKey.RECENCY,)] == [row.violates for row in response.results]


def test_kagi_gets_no_lens_by_its_id_which_it_would_ignore_beside_filters(client: Make) -> None:
    body = sent(plan(client("kagi"), "kagi", include_domains=TWO, exclude_domains=["c.example"], recency="week"))

    assert {"sites_included": TWO, "sites_excluded": ["c.example"], "time_relative": "week"} == body["lens"]
    assert "lens_id" not in body
    with pytest.raises(ConfigurationError, match="there is no setting"):
        plan(client("kagi", lens_id="7"), "kagi")


def test_serpapi_gets_its_window_at_the_key_that_acts_and_rows_outside_are_marked(client: Make, vendor: Vendor) -> None:
    vendor.answer = {
        "organic_results": [
            {"link": "https://a.example/1", "title": "New", "date": "Mar 2, 2026"},
            {"link": "https://a.example/2", "title": "Old", "date": "Jan 2, 2020"},
        ]
    }
    tested = client("serpapi")
    query = sent(plan(tested, "serpapi", recency="week"))
    response = search(tested, "serpapi", recency="week")

    assert "qdr:w" == query["tbs"]
    assert "as_qdr" not in query
    assert [(), (FilterKey.RECENCY,)] == [row.violates for row in response.results]


def test_engines_of_searxng_that_answer_unfiltered_are_warned_of_and_seen_in_the_rows(
    client: Make, vendor: Vendor
) -> None:
    vendor.answer = {
        "results": [
            {"url": "https://a.example/1", "title": "Good", "publishedDate": "2026-03-02T08:00:00"},
            {"url": "https://a.example/2", "title": "Old", "publishedDate": "2024-03-02T08:00:00"},
            {"url": "https://elsewhere.test/3", "title": "Elsewhere", "publishedDate": None},
        ],
        "unresponsive_engines": [],
    }
    response = search(client("searxng"), "searxng", recency="week", include_domains=["a.example"])

    assert {"time", "site:"} == {word for word in ("time", "site:") for text in response.notices if word in text}
    assert [(), (FilterKey.RECENCY,), (FilterKey.INCLUDE_DOMAINS,)] == [row.violates for row in response.results]


def test_dates_that_linkup_does_not_return_are_counted_as_unverified(client: Make, vendor: Vendor) -> None:
    vendor.answer = {
        "results": [
            {"type": "text", "name": name, "url": f"https://a.example/{name}", "content": "x"} for name in ("1", "2")
        ]
    }
    response = search(client("linkup"), "linkup", published_after=date(2026, 1, 2))
    (outcome,) = response.filter_outcomes

    assert (FilterStatus.APPLIED, 0, 0, 2) == (outcome.status, outcome.kept, outcome.violated, outcome.unverified)
    assert any("cannot be checked" in notice for notice in response.notices)
    assert [(), ()] == [row.violates for row in response.results]
