"""What holds for any filters at any vendor."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from websdk.declarative import PresetCodec
from websdk.errors import InvalidRequest
from websdk.model import Filters, FilterStatus, SearchRequest
from websdk.testing.strategies import filters, queries
from websdk.wire.message import HttpRequest

TODAY = date(2026, 3, 4)


def wire(codec: PresetCodec, query: str, asked: Filters, **fields: Any) -> HttpRequest:
    """Return the unsigned request."""
    request = next(codec.exchange(SearchRequest(query=query, filters=asked, **fields), today=TODAY))
    assert isinstance(request, HttpRequest)
    return request


@settings(max_examples=60, deadline=None)
@given(asked=filters(), query=queries())
def test_outcomes_are_exactly_what_was_asked_and_agree_with_the_wire(
    codecs: dict[str, PresetCodec], asked: Filters, query: str
) -> None:
    for name, codec in codecs.items():
        request = SearchRequest(query=query, filters=asked)
        try:
            outcomes, _ = codec.explain(request, today=TODAY)
        except InvalidRequest:
            with pytest.raises(InvalidRequest):
                next(codec.exchange(request, today=TODAY))
            continue
        lost = [item.key for item in outcomes if item.status is FilterStatus.UNSUPPORTED]
        full = wire(codec, query, asked)

        assert asked.asked() == tuple(item.key for item in outcomes), name
        assert full == wire(codec, query, asked.without(*lost)), name
        assert full.url.isascii(), name
        assert all(value.isprintable() for _, value in full.headers), name
        assert (full == wire(codec, query, Filters())) == all(item.sent is None for item in outcomes) or any(
            item.sent and item.key in ("topic", "language", "country") for item in outcomes
        ), name


@settings(max_examples=40, deadline=None)
@given(asked=filters())
def test_each_filter_that_goes_out_shows_when_it_is_taken_away(codecs: dict[str, PresetCodec], asked: Filters) -> None:
    """A date that two filters share, and a default that says the same, are the only ones that may not."""
    for name, codec in codecs.items():
        outcomes, _ = codec.explain(SearchRequest(query="x", filters=asked), today=TODAY)
        full = wire(codec, "x", asked)
        for item in outcomes:
            is_default = item.key in ("topic", "country", "language")
            if item.sent is None or is_default:
                continue

            assert full != wire(codec, "x", asked.without(item.key)), (name, item.key)


@settings(max_examples=30, deadline=None)
@given(count=st.integers(1, 3000), page=st.integers(1, 2000))
def test_any_count_and_page_is_sent_within_the_rule_or_refused(
    codecs: dict[str, PresetCodec], count: int, page: int
) -> None:
    for name, codec in codecs.items():
        request = SearchRequest(query="x", max_results=count, page=page)
        try:
            _, adjustments = codec.explain(request, today=TODAY)
        except InvalidRequest:
            assert page > 1, name
            continue

        assert wire(codec, "x", Filters(), max_results=count, page=page), name
        assert all(item.asked == count and item.sent != count for item in adjustments), name
