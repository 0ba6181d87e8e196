"""How answers are read: odd rows, markup, partial answers (the kinds K11, K12, K14, K16)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from websdk.declarative.markup import plain_text
from websdk.errors import MalformedAnswer, Unavailable
from websdk.model import ResultKind, SearchAnswer, SearchRequest, Usage

Make = Callable[..., Any]


def urls(answer: SearchAnswer) -> list[str]:
    """Return the addresses in order."""
    return [row.url for row in answer.results]


# -- K11, K12 --------------------------------------------------------------------------------------------------------


def test_missing_fields_lose_no_row_and_invent_no_title(make_desk: Make) -> None:
    rows = [
        {"url": "https://a.example/1", "title": "One", "snippet": "s"},
        {"url": "https://a.example/2", "title": "Two"},
        {"url": "https://a.example/3"},
    ]
    answer = make_desk().answer({"results": rows})

    assert ["https://a.example/1", "https://a.example/2", "https://a.example/3"] == urls(answer)
    assert [("One", "s"), ("Two", ""), ("", "")] == [(row.title, row.snippet) for row in answer.results]
    assert [None, None, None] == [row.published for row in answer.results]


def test_null_fields_behave_like_missing_ones(make_desk: Make) -> None:
    rows = [
        {"url": "https://a.example/1", "title": None, "snippet": None, "date": None},
        {"url": "https://a.example/1"},
    ]
    first, second = make_desk().answer({"results": rows}).results

    assert first == second


def test_rows_without_an_address_are_counted_and_left_out(make_desk: Make) -> None:
    answer = make_desk().answer({"results": [{"title": "One"}, "odd", None, {"url": 3}, {"url": "https://a.example/"}]})

    assert ["https://a.example/"] == urls(answer)
    assert ("2 of the vendor's results had no address and were left out.",) == answer.notices
    assert () == answer.said_by_vendor


ODD = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.floats()
    | st.text(max_size=8)
    | st.just("half \ud83d pair"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
RICH = """
[search.results]
at = ["results", "more.rows"]
title = ["title", "names[0]"]
url = ["url", "https://a.example/{key}"]
key = "id"
snippet = ["snippet", "words"]
content = "passages"
published = ["date", "parts[0]"]
score = "-rank"
html = ["title", "snippet", "content"]
[search.reply]
answer = ["answer", "boxes[0].text"]
usage = { credits = "usage.credits", usd = "header:X-Cost" }
left = "header:X-Left"
notices = ["warnings", "notes"]
incomplete = ["failed", "coverage.degraded"]
more = "next"
wait = ["backoff", "header:X-Reset"]
"""


@settings(max_examples=150, deadline=None)
@given(
    row=st.dictionaries(st.sampled_from("url title names snippet words passages date parts rank id".split()), ODD),
    rest=st.dictionaries(
        st.sampled_from("answer boxes usage warnings notes failed coverage next backoff more".split()), ODD
    ),
)
def test_odd_types_anywhere_never_lose_the_good_row(make_desk: Make, row: dict[str, Any], rest: dict[str, Any]) -> None:
    good = {"url": "https://good.example/", "title": "Good"}
    answer = make_desk(results=RICH).answer({**rest, "results": [row, good, None, 3]})
    found = next(item for item in answer.results if item.url == "https://good.example/")

    assert "Good" == found.title
    assert all(isinstance(item.title + item.snippet + (item.content or ""), str) for item in answer.results)
    (answer.answer or "").encode()
    "".join(answer.notices).encode()
    "".join(item.title + item.snippet for item in answer.results).encode()


def test_everything_that_an_answer_can_say(make_desk: Make) -> None:
    body = {
        "results": [
            {
                "url": "",
                "id": "a/b c",
                "names": ["<b>One</b>"],
                "words": {"tide": [0, 2], "and": [1]},
                "passages": ["p1 &amp; q", "p2"],
                "parts": [[2026, 3, 1]],
                "rank": 2.5,
            }
        ],
        "more": {"rows": [{"url": "https://b.example/", "date": "3 days ago"}]},
        "boxes": [{"text": "Twice a day."}],
        "usage": {"credits": "2"},
        "warnings": [{"code": "X", "message": "ignored"}, "said\nplainly"],
        "notes": {"a": {"warnings": "deep"}},
        "next": "token",
        "backoff": 7,
    }
    answer = make_desk(results=RICH).answer(body, headers=(("X-Left", "1, 900"),))
    first, second = answer.results

    assert ("https://a.example/a%2Fb%20c", "One", "tide and tide", "p1 & q p2", date(2026, 3, 1), -2.5) == (
        first.url,
        first.title,
        first.snippet,
        first.content,
        first.published,
        first.score,
    )
    assert (date(2026, 3, 1), "3 days ago") == (second.published, second.published_text)
    assert ("Twice a day.", Usage(amount=2.0, unit="credits", left=900.0)) == (answer.answer, answer.usage)
    assert ("ignored", "said plainly", "deep") == answer.notices == answer.said_by_vendor
    assert (True, 7.0, False) == (answer.more, answer.pause_s, answer.incomplete)
    assert (ResultKind.SEARCH, ("harbour",)) == (first.kind, first.sources)


def test_results_of_a_family_have_its_kind(make_desk: Make) -> None:
    (row,) = make_desk('family = "code"\n').answer({"results": [{"url": "https://a.example/"}]}).results

    assert ResultKind.CODE == row.kind


@pytest.mark.parametrize(
    "body", ["not json", "", "3", '"text"', "null", {"rows": []}, {"results": None}, {"results": {}}]
)
def test_reply_without_its_list_is_malformed_and_never_an_empty_success(make_desk: Make, body: Any) -> None:
    with pytest.raises(MalformedAnswer) as failure:
        make_desk().answer(body)
    assert "not json" not in str(failure.value)


def test_list_that_a_vendor_leaves_out_is_an_empty_one(make_desk: Make) -> None:
    optional = '\n[search.results]\nat = "results"\noptional = true\nurl = "url"\n'

    assert () == make_desk(results=optional).answer({"total": 0}).results


def test_mixed_list_is_filtered_by_what_a_row_must_hold(make_desk: Make) -> None:
    mixed = '\n[search.results]\nat = "items"\nwhere = { type = ["web", "news"], n = 1 }\nurl = "url"\n'
    rows = [{"url": f"https://{kind}.example/", "type": kind, "n": n} for kind in ("web", "ad", "news") for n in (1, 2)]
    answer = make_desk(results=mixed).answer({"items": rows})

    assert ["https://web.example/", "https://news.example/"] == urls(answer)
    assert () == answer.notices


def test_byte_order_mark_and_broken_escapes_are_read(make_desk: Make) -> None:
    body = b'\xef\xbb\xbf{"results": [{"url": "https://a.example/", "title": "it\\\'s \\\\d \\n"}]}'
    (row,) = make_desk().answer(body).results

    assert "it\\'s \\d" == row.title


def test_deeply_nested_reply_is_malformed(make_desk: Make) -> None:
    with pytest.raises(MalformedAnswer):
        make_desk().answer("[" * 200_000)


# -- K14 -------------------------------------------------------------------------------------------------------------

SOURCES = '\n[search.results]\nat = "results"\nurl = "url"\n[search.reply]\nincomplete = "unresponsive_engines"\n'


def test_failed_sources_are_no_empty_success(make_desk: Make) -> None:
    desk = make_desk(results=SOURCES)

    with pytest.raises(Unavailable):
        desk.answer({"results": [], "unresponsive_engines": [["alpha", "timeout"], ["beta", "access denied"]]})
    assert () == desk.answer({"results": [], "unresponsive_engines": []}).results


def test_rows_beside_a_failed_source_are_a_partial_success_that_names_it(make_desk: Make) -> None:
    row = {"url": "https://a.example/"}
    answer = make_desk(results=SOURCES).answer({"results": [row], "unresponsive_engines": [["alpha", "timeout"]]})

    assert answer.incomplete
    assert ("Some sources of Harbour failed: alpha: timeout.",) == answer.notices == answer.said_by_vendor
    assert 1 == len(answer.results)


# -- K16 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("served", "right"),
    [
        ("A &amp; B", "A & B"),
        ("<strong>x</strong> it&#x27;s", "x it's"),
        ("5 &lt; 6 &amp; 7 &gt; 2", "5 < 6 & 7 > 2"),
        ("the &lt;b&gt; element", "the <b> element"),
        ("AT&amp;amp;T", "AT&amp;T"),
        ("R&D at 3 < 4", "R&D at 3 < 4"),
        ("<p>One</p><p>Two</p>", "One Two"),
        ('<span class="searchmatch">tide</span>s <!-- x --> <br/>low', "tides low"),
        ("<jats:p>Ebb</jats:p><jats:italic>flow</jats:italic>", "Ebb flow"),
        ("a < b > c", "a < b > c"),
    ],
)
def test_markup_is_cleaned_once_where_it_is_declared(make_desk: Make, served: str, right: str) -> None:
    html = '\n[search.results]\nat = "results"\nurl = "url"\ntitle = "t"\nsnippet = "t"\nhtml = "snippet"\n'
    (row,) = make_desk(results=html).answer({"results": [{"url": "https://a.example/", "t": served}]}).results

    assert right == row.snippet
    assert served == row.title


def test_hostile_markup_takes_linear_time() -> None:
    assert plain_text("<a " * 200_000)
    assert plain_text("<!-- " * 200_000)


# -- published -------------------------------------------------------------------------------------------------------


def test_first_readable_date_counts_and_unreadable_words_are_kept(make_desk: Make) -> None:
    dated = '\n[search.results]\nat = "results"\nurl = "url"\npublished = ["a", "b"]\n'

    def published(**fields: Any) -> Any:
        (row,) = make_desk(results=dated).answer({"results": [{"url": "https://a.example/", **fields}]}).results
        return row.published, row.published_text

    assert (date(2026, 2, 3), "2026-02-03") == published(a="spring", b="2026-02-03")
    assert (None, "spring") == published(a="spring")
    assert (datetime(2026, 1, 2, tzinfo=UTC), "1767312000") == published(a=1767312000)
    assert (None, "2026-3") == published(a=[2026, 3])
    assert (None, None) == published(a=None)


def test_reply_may_be_empty_by_rule(make_desk: Make, make_reply: Make, now: datetime) -> None:
    desk = make_desk('errors = [{ status = 422, means = "empty" }]\n')
    response = make_reply("nothing", status=422)
    exchange = desk.codec.exchange(SearchRequest(query="x"), today=now.date())
    next(exchange)

    assert desk.codec.classify(response, now=now) is None
    with pytest.raises(StopIteration) as stop:
        exchange.send(response)
    assert () == stop.value.value.results
