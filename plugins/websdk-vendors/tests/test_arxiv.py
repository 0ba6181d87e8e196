"""arXiv: what is asked, what becomes of each filter, and what is made of its feeds."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from websdk_vendors.arxiv import ArxivCodec
from websdk_vendors.arxiv_query import expression

from websdk import (
    FilterKey,
    Filters,
    FilterStatus,
    HttpRequest,
    InvalidRequest,
    MalformedAnswer,
    ProviderRejected,
    SearchRequest,
    Unavailable,
)

CODEC = ArxivCodec()
TODAY = date(2026, 3, 10)
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" '
    'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">'
)
ENTRY = """
<entry>
  <id>http://arxiv.org/abs/2603.00001v1</id>
  <published>2026-03-01T18:00:00Z</published>
  <updated>2026-03-05T18:00:00Z</updated>
  <title>Tides and\n    their &lt;tables&gt;</title>
  <summary>  A study of
    tides. </summary>
  <link href="https://arxiv.org/abs/2603.00001v1" rel="alternate" type="text/html"/>
  <link title="pdf" href="https://arxiv.org/pdf/2603.00001v1" rel="related" type="application/pdf"/>
</entry>
"""


def feed(*entries: str, total: object = 1) -> bytes:
    return f"{HEAD}<opensearch:totalResults>{total}</opensearch:totalResults>{''.join(entries)}</feed>".encode()


def asked(request: HttpRequest) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}


def ask(play: Any, body: bytes = feed(ENTRY), **fields: Any) -> Any:
    return play(CODEC.exchange(SearchRequest(**{"query": "tides", **fields}), today=TODAY), body)


def test_entry_becomes_a_result(play: Any) -> None:
    request, answer = ask(play, max_results=5, page=3)

    [result] = answer.results
    assert {"search_query": "(all:tides)", "start": "10", "max_results": "5"} == asked(request)
    assert "https://export.arxiv.org/api/query" == request.url.partition("?")[0]
    assert "https://arxiv.org/abs/2603.00001v1" == result.url
    assert "Tides and their <tables>" == result.title
    assert "A study of tides." == result.snippet
    assert datetime(2026, 3, 1, 18, tzinfo=UTC) == result.published
    assert "2026-03-01T18:00:00Z" == result.published_text
    assert 3.0 == answer.pause_s


@pytest.mark.parametrize(("total", "more"), [(1, False), (2, True), ("many", None), ("", None)])
def test_next_page_exists_when_more_are_counted(play: Any, total: object, more: bool | None) -> None:
    _, answer = ask(play, feed(ENTRY, total=total))

    assert more is answer.more


@pytest.mark.parametrize(
    ("filters", "range_"),
    [
        ({"recency": "week"}, "202603030000 TO 202603112359"),
        ({"published_after": "2026-01-02"}, "202601020000 TO 202603112359"),
        ({"published_before": "2026-01-02"}, "199108010000 TO 202601022359"),
        ({"published_after": "2026-01-02", "published_before": "2026-02-03"}, "202601020000 TO 202602032359"),
        ({"published_after": "2026-01-02", "recency": "day"}, "202603090000 TO 202603112359"),
    ],
)
def test_dates_restrict_the_whole_query(play: Any, filters: dict[str, Any], range_: str) -> None:
    request, _ = ask(play, query="au:hinton OR au:lecun", filters=Filters(**filters))
    outcomes, _ = CODEC.explain(SearchRequest(query="tides", filters=Filters(**filters)), today=TODAY)

    assert f"(au:hinton OR au:lecun) AND submittedDate:[{range_}]" == asked(request)["search_query"]
    assert {FilterStatus.EMULATED} == {outcome.status for outcome in outcomes}
    assert {f"search_query=submittedDate:[{range_}]"} == {outcome.sent for outcome in outcomes}


@pytest.mark.parametrize(
    ("filters", "status"),
    [
        ({"include_domains": ["arxiv.org"]}, FilterStatus.APPLIED),
        ({"include_domains": ["nature.com", "org"]}, FilterStatus.APPLIED),
        ({"include_domains": ["export.arxiv.org", "notarxiv.org"]}, FilterStatus.UNSUPPORTED),
        ({"exclude_domains": ["arxiv.org"]}, FilterStatus.UNSUPPORTED),
        ({"exclude_domains": ["nature.com"]}, FilterStatus.APPLIED),
        ({"topic": "quant-ph"}, FilterStatus.EMULATED),
        ({"topic": "cs"}, FilterStatus.UNSUPPORTED),
        ({"country": "DE"}, FilterStatus.UNSUPPORTED),
        ({"language": "de"}, FilterStatus.UNSUPPORTED),
        ({"safe_search": "strict"}, FilterStatus.UNSUPPORTED),
    ],
)
def test_every_other_filter_has_its_outcome(play: Any, filters: dict[str, Any], status: FilterStatus) -> None:
    request = SearchRequest(query="tides", filters=Filters(**filters))

    [outcome], _ = CODEC.explain(request, today=TODAY)
    sent, _ = ask(play, filters=Filters(**filters))

    assert status is outcome.status
    assert (status is FilterStatus.UNSUPPORTED) == (outcome.reason is not None)
    assert (status is FilterStatus.EMULATED) == (" AND " in asked(sent)["search_query"])


def test_undeclared_keys_are_those_that_no_value_of_which_works() -> None:
    assert frozenset(FilterKey) - CODEC.filter_keys == {FilterKey.COUNTRY, FilterKey.LANGUAGE, FilterKey.SAFE_SEARCH}


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("graph networks", "(all:graph AND all:networks)"),
        ('"graph networks" 2026', '(all:"graph networks" AND all:2026)'),
        ("au:hinton", "(au:hinton)"),
        ("(ti:a OR ti:b) ANDNOT au:c", "((ti:a OR ti:b) ANDNOT au:c)"),
        ("Romeo and Juliet", "(all:Romeo AND all:and AND all:Juliet)"),
        ("AND", '(all:"AND")'),
        ("state-of-the-art C++", "(all:state-of-the-art AND all:C++)"),
        # What does not close is words: it must not reach behind its brackets and loosen a filter.
        ("ti:a) OR (ti:b", '(all:"ti a" AND all:"OR" AND all:"ti b")'),
        ('ti:"a OR ti:b', '(all:"ti a" AND all:"OR" AND all:"ti b")'),
        ('x OR y\\" z"', '(all:x AND all:"OR" AND all:y AND all:z)'),
        ("all:x] OR all:[y", '(all:"all x" AND all:"OR" AND all:"all y")'),
        ("-x", "(all:x)"),
        ("http://a.example/?q=1", '(all:"http //a.example/?q=1")'),
        ('() "" :', ""),
    ],
)
def test_query_is_words_or_an_expression_that_closes(query: str, wanted: str) -> None:
    assert wanted == expression(query)


def test_query_without_a_word_is_refused_unsent() -> None:
    with pytest.raises(InvalidRequest):
        CODEC.explain(SearchRequest(query="()"), today=TODAY)


def test_count_and_last_page_are_bounded() -> None:
    _, [adjustment] = CODEC.explain(SearchRequest(query="tides", max_results=500), today=TODAY)

    assert ("max_results", 500, 200) == (adjustment.what, adjustment.asked, adjustment.sent)
    assert ((), ()) == CODEC.explain(SearchRequest(query="tides", max_results=100, page=300), today=TODAY)
    with pytest.raises(InvalidRequest):
        CODEC.explain(SearchRequest(query="tides", max_results=100, page=301), today=TODAY)


def test_error_inside_a_good_reply_is_a_failure_without_its_text(play: Any) -> None:
    entry = "<entry><id>http://arxiv.org/api/errors#canary</id><title>Error</title><summary>canary</summary></entry>"

    with pytest.raises(ProviderRejected) as caught:
        ask(play, feed(entry))

    assert "canary" not in str(caught.value)


def test_empty_page_is_a_failure_only_where_results_are_counted(play: Any) -> None:
    _, nothing = ask(play, feed(total=0))
    _, behind = ask(play, feed(total=20), page=3, max_results=10)

    assert () == nothing.results == behind.results
    with pytest.raises(Unavailable) as caught:
        ask(play, feed(total=7))
    assert caught.value.retryable


LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html><body>Rate exceeded.</body></html>",
        b"not xml at all",
        b'{"entries": []}',
        feed(ENTRY)[:-30],
        f"{LAUGHS}<feed xmlns='http://www.w3.org/2005/Atom'><title>&b;</title></feed>".encode(),
        b'<!DOCTYPE x SYSTEM "http://a.example/x.dtd"><feed xmlns="http://www.w3.org/2005/Atom"/>',
        b'<?xml version="1.0" encoding="no-such-thing"?><feed xmlns="http://www.w3.org/2005/Atom"/>',
    ],
    ids=["nothing", "html", "text", "json", "torn", "entities", "external", "encoding"],
)
def test_reply_that_is_no_safe_feed_is_malformed(play: Any, body: bytes) -> None:
    with pytest.raises(MalformedAnswer):
        ask(play, body)


def test_entry_with_missing_fields_never_loses_the_answer(play: Any) -> None:
    bare = "<entry><id>http://arxiv.org/abs/1</id><published>soon</published></entry>"

    _, answer = ask(play, feed("<entry/>", bare, ENTRY, total=3))

    first, second = answer.results
    assert ("http://arxiv.org/abs/1", "", None, "soon") == (
        first.url,
        first.title,
        first.published,
        first.published_text,
    )
    assert "A study of tides." == second.snippet
