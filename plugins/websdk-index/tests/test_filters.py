from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websdk_index import IndexProvider
from websdk_index.filters import conditions, reversed_host

from websdk.model import FilterKey, Filters, FilterStatus
from websdk.model.domains import is_within

TODAY = date(2026, 6, 15)
labels = st.sampled_from(["a", "b", "aa", "example", "com", "x-y", "x", "0"])
hosts = st.lists(labels, min_size=1, max_size=4).map(lambda parts: ".".join([*parts, "test"]))


def admitted(pages: list[tuple[str, date | None, str | None]], filters: Filters) -> list[int]:
    """Return the positions of the pages that the SQL of *filters* lets through."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(
            "CREATE TABLE hosts (id INTEGER PRIMARY KEY, reversed TEXT UNIQUE);"
            "CREATE TABLE pages (id INTEGER PRIMARY KEY, host INTEGER, day INTEGER, language TEXT);"
        )
        for position, (host, day, language) in enumerate(pages):
            name = reversed_host(host)
            connection.execute("INSERT INTO hosts (reversed) VALUES (?) ON CONFLICT DO NOTHING", (name,))
            connection.execute(
                "INSERT INTO pages VALUES (?, (SELECT id FROM hosts WHERE reversed = ?), ?, ?)",
                (position, name, day and day.toordinal(), language),
            )
        where, values = conditions(filters, today=TODAY)
        rows = connection.execute(f"SELECT id FROM pages WHERE 1{where} ORDER BY id", values)
        return [row[0] for row in rows]


@given(st.lists(hosts, min_size=1, max_size=8), st.lists(hosts, max_size=3), st.lists(hosts, max_size=3))
def test_domains_mean_in_sql_what_they_mean_everywhere(
    names: list[str], include: list[str], exclude: list[str]
) -> None:
    expected = [
        position
        for position, host in enumerate(names)
        if (not include or any(is_within(host, domain) for domain in include))
        and not any(is_within(host, domain) for domain in exclude)
    ]

    assert expected == admitted(
        [(host, None, None) for host in names], Filters(include_domains=include, exclude_domains=exclude)
    )


days = st.dates(date(2026, 6, 1), date(2026, 6, 20))


@given(
    st.lists(st.none() | days, max_size=8),
    st.none() | days,
    st.none() | days,
    st.none() | st.sampled_from(["day", "week", "month"]),
)
def test_dates_are_inclusive_and_pages_without_one_never_pass(
    dates: list[date | None], after: date | None, before: date | None, recency: str | None
) -> None:
    if after and before and after > before:
        after, before = before, after
    filters = Filters(published_after=after, published_before=before, recency=recency)
    first = max((day for day in (after, filters.recency and filters.recency.start(TODAY)) if day), default=None)
    asked = bool(filters.asked())
    expected = [
        position
        for position, day in enumerate(dates)
        if not asked or (day is not None and (first is None or day >= first) and (before is None or day <= before))
    ]

    assert expected == admitted([("a.test", day, None) for day in dates], filters)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [("pt", ["pt", "pt-br"]), ("pt-BR", ["pt-br"]), ("p", None), ("en", ["en"]), ("fr", [])],
)
def test_a_language_takes_its_regions_and_not_its_neighbours(asked: str, expected: list[str] | None) -> None:
    known = ["pt", "pt-br", "ptx", "en", None]
    if expected is None:
        return
    found = admitted([("a.test", None, tag) for tag in known], Filters(language=asked))

    assert expected == [known[position] for position in found]


def test_the_thousand_domains_that_a_request_may_name_are_all_applied() -> None:
    wanted = [f"h{number}.test" for number in range(1_000)]

    assert [0, 1] == admitted(
        [("h999.test", None, None), ("www.h0.test", None, None), ("h1000.test", None, None)],
        Filters(include_domains=wanted),
    )


def test_every_asked_filter_has_one_outcome_and_what_pages_do_not_say_is_unsupported() -> None:
    filters = Filters(
        recency="week",
        published_after=date(2026, 1, 1),
        published_before=date(2026, 2, 1),
        include_domains=["a.test"],
        exclude_domains=["b.test"],
        country="DE",
        language="de",
        safe_search="strict",
        topic="news",
    )
    provider = IndexProvider()
    outcomes = provider.filter_outcomes(filters)

    assert filters.asked() == tuple(outcome.key for outcome in outcomes)
    assert (FilterKey.COUNTRY, FilterKey.SAFE_SEARCH, FilterKey.TOPIC) == provider.unsupported_filters(filters)
    assert all((outcome.status is FilterStatus.APPLIED) == (outcome.reason is None) for outcome in outcomes)
    assert provider.filter_keys == {outcome.key for outcome in outcomes if outcome.status is FilterStatus.APPLIED}


def test_filters_narrow_a_search(desk: Any) -> None:
    desk.write("old.md", "---\ndate: 2020-01-01\nlang: de\n---\ngears")
    desk.write("new.md", "---\ndate: 2026-06-10\nlang: en-GB\n---\ngears")
    desk.add(base_url="https://docs.example.com/")
    new, old = "https://docs.example.com/new.md", "https://docs.example.com/old.md"

    assert [new] == desk.urls("gears", recency="week")
    assert [old] == desk.urls("gears", published_before=date(2020, 1, 1))
    assert [new] == desk.urls("gears", language="en")
    assert {new, old} == set(desk.urls("gears", include_domains=["example.com"], country="DE"))
    assert [] == desk.urls("gears", exclude_domains=["example.com"])
    assert [] == desk.urls("gears", include_domains=["ample.com"])


def test_the_language_that_is_given_stands_for_pages_that_state_none(desk: Any) -> None:
    desk.write("a.md", "gears")
    desk.write("b.md", "---\nlang: en\n---\ngears")
    desk.add(language="de")

    assert ["https://docs.example.com/a.md"] == desk.urls("gears", language="de")
    assert ["https://docs.example.com/b.md"] == desk.urls("gears", language="en")


def test_dates_taken_from_files_are_said_to_be(desk: Any) -> None:
    desk.write("a.md", "gears")
    desk.write("b.md", "---\ndate: 2026-06-14\n---\ngears")
    desk.add()

    dated = desk.answer("gears", published_after=date(2020, 1, 1))
    texts: Callable[..., Any] = lambda answer: sorted(row.published_text.split()[0] for row in answer.results)  # noqa: E731

    assert "1 of the results state no date; the date of the file was taken" in dated.notices
    assert ["2026-06-14", "file"] == texts(dated)
    assert () == desk.answer("gears").notices
