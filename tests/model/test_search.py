"""Requests to search and to read."""

from __future__ import annotations

import attrs
import pytest

from websdk.errors import InvalidRequest
from websdk.model import FetchRequest, Filters, SearchRequest, SearchResponse, Via


def test_a_request_needs_only_a_query():
    request = SearchRequest(query="  tide tables ")

    assert ("tide tables", 10, 1, Filters()) == (request.query, request.max_results, request.page, request.filters)


@pytest.mark.parametrize("query", ["", "   ", None, 7, "a\x00b", "a\ud800b", "a\x7f", "x" * 8_193])
def test_a_query_that_no_vendor_can_carry_is_refused(query):
    with pytest.raises(InvalidRequest, match="query"):
        SearchRequest(query=query)


@pytest.mark.parametrize("query", ["a\tb\nc", "naïve 日本語 🙂", "x" * 8_192])
def test_a_query_in_any_script_is_kept_as_it_is(query):
    assert query == SearchRequest(query=query).query


@pytest.mark.parametrize("field", ["max_results", "page"])
@pytest.mark.parametrize("value", [0, -1, True, 1.0, "10", None])
def test_a_count_is_a_whole_number_from_one(field, value):
    with pytest.raises(InvalidRequest, match=field):
        SearchRequest(query="x", **{field: value})


def test_filters_are_a_value_of_their_own():
    with pytest.raises(InvalidRequest, match="filters"):
        SearchRequest(query="x", filters={"recency": "week"})


def test_a_refusal_does_not_repeat_the_query():
    with pytest.raises(InvalidRequest) as caught:
        SearchRequest(query="secret\x00")

    assert "secret" not in str(caught.value) + repr(caught.value)


def test_a_response_without_a_word_on_filters_cannot_be_made():
    with pytest.raises(TypeError, match="unsupported_filters"):
        SearchResponse(results=(), provider="brave")


def test_values_cannot_be_changed():
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        SearchRequest(query="x").query = "y"


@pytest.mark.parametrize("via", ["local", "proxy", "render", Via.RENDER])
def test_a_read_names_its_rung(via):
    assert Via(via) is FetchRequest(url="https://a.example/", via=via).via


@pytest.mark.parametrize(
    "wrong",
    [{"url": ""}, {"url": None}, {"url": "x", "via": "climb"}, {"url": "x", "via": None}]
    + [{"url": "x", "max_characters": value} for value in (0, -5, True, "100", 1.5)],
    ids=str,
)
def test_a_read_of_another_kind_is_refused(wrong):
    with pytest.raises(InvalidRequest):
        FetchRequest(**wrong)


def test_the_address_of_a_read_stays_out_of_its_representation():
    assert "secret" not in repr(FetchRequest(url="https://a.example/secret?token=1"))
