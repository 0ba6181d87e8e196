"""Duplicates are joined, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.model import ResultKind, SearchResult
from websdk.search.merge import merge, passage_of, select


def result(url="https://a.example/x", source="brave", **fields):
    return SearchResult(url=url, sources=(source,), **fields)


results = st.lists(
    st.builds(
        SearchResult,
        url=st.sampled_from(
            ["https://a.example/x", "https://A.example:443/x", "https://a.example/x#1", "http://b.example"]
        ),
        snippet=st.sampled_from(["one", "two"]),
        kind=st.sampled_from(ResultKind),
        sources=st.sampled_from([("brave",), ("exa",), ("brave", "exa")]),
    ),
    max_size=12,
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("https://A.example/x", "https://a.example:443/x"),
        ("https://a.example", "https://a.example/"),
    ],
    ids=["case and port", "empty path"],
)
def test_two_spellings_of_one_address_are_one_result(first, second):
    merged = merge([result(first), result(second, source="exa")])

    assert [first] == [item.url for item in merged]
    assert ("brave", "exa") == merged[0].sources


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("https://a.example/x?b=1&c=2", "https://a.example/x?c=2&b=1"),
        ("https://a.example/x", "https://a.example/X"),
        ("https://a.example/x", "https://a.example/x/"),
        ("https://a.example/x#one", "https://a.example/x#two"),
        ("http://a.example/x", "https://a.example/x"),
        ("https://a.example/x?utm_source=n", "https://a.example/x"),
    ],
    ids=["query order", "path case", "trailing slash", "fragment", "scheme", "tracking mark"],
)
def test_different_addresses_stay_apart(first, second):
    assert [first, second] == [item.url for item in merge([result(first), result(second)])]


def test_different_passages_of_one_page_stay_apart():
    assert 2 == len(merge([result(snippet="one"), result(snippet="two")]))


def test_a_search_excerpt_and_a_page_stay_apart_and_the_page_comes_first():
    merged = merge([result(snippet="one"), result(snippet="one", kind=ResultKind.PAGE)])

    assert [ResultKind.PAGE, ResultKind.SEARCH] == [item.kind for item in merged]


@given(results=results)
def test_merging_twice_is_merging_once(results):
    once = merge(results)

    assert once == merge(once)


@given(results=results)
def test_the_order_of_the_first_ones_is_kept(results):
    kept = [(item.url, item.snippet, item.kind) for item in merge(results)]
    given_order = [(item.url, item.snippet, item.kind) for item in results]

    for pages in (True, False):
        part = [item for item in kept if (item[2] is ResultKind.PAGE) is pages]
        assert part == sorted(part, key=given_order.index)


@given(results=results)
def test_no_source_is_lost_or_invented(results):
    merged = merge(results)

    assert {source for item in results for source in item.sources} == {
        source for item in merged for source in item.sources
    }
    assert all(len(item.sources) == len(set(item.sources)) for item in merged)


@pytest.mark.parametrize(
    ("snippet", "content", "passage"),
    [
        ("s", None, "s"),
        ("", "long", "long"),
        ("lon", "long", "long"),
        ("highlight", "long", "highlight\n\nlong"),
        ("", None, ""),
    ],
)
def test_the_passage_loses_neither_excerpt_nor_content(snippet, content, passage):
    assert passage == passage_of(result(snippet=snippet, content=content))


def test_a_preview_shows_the_first_results():
    assert (0, 1) == select([result(), result(), result()], 2)


def test_each_kind_of_source_keeps_a_place():
    rows = [result(), result(), result(), result(kind=ResultKind.CODE)]

    assert (0, 3) == select(rows, 2)
    assert (0, 3, 1) == select(rows, 3)


def test_one_place_goes_to_the_first_result():
    assert (0,) == select([result(), result(kind=ResultKind.CODE)], 1)


@given(results=results, places=st.integers(1, 12))
def test_as_many_places_are_used_as_there_are(results, places):
    chosen = select(results, places)

    assert min(places, len(results)) == len(set(chosen))
