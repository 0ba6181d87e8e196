"""From a vendor's rows to admitted results."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.budget.candidates import Admitted, CandidateLimits, admit
from websdk.model import FilterKey, FilterOutcome, Filters, FilterStatus, SearchResult

TODAY = date(2026, 3, 4)


def admitted(*rows: SearchResult, filters: Filters | None = None, **options: object) -> Admitted:
    wanted = filters or Filters()
    outcomes = [FilterOutcome(key=key, status=FilterStatus.APPLIED) for key in wanted.asked()]
    arguments = {"provider": "vendor", "max_results": 10, "today": TODAY, **options}
    return admit(rows, outcomes, wanted, **arguments)  # type: ignore[arg-type]


def row(url: str, **fields: object) -> SearchResult:
    return SearchResult(url=url, **fields)  # type: ignore[arg-type]


def urls(result: Admitted) -> list[str]:
    return [item.url for item in result.results]


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a.example/x",
        "javascript:alert(1)",
        "data:text/html,x",
        "/relative",
        "",
        "https://user:secret@a.example/",
        "https://a.example/" + "x" * 2_048,
        "http://",
        "https://a.example/\ud800",
    ],
)
def test_row_without_a_usable_address_is_left_out_and_counted(url: str) -> None:
    result = admitted(row(url), row("https://b.example/"))

    assert urls(result) == ["https://b.example/"]
    assert result.notices == ("1 result without a usable web address was left out",)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("https://A.example/x", "https://a.example:443/x"),
        ("https://a.example", "https://a.example/"),
        ("https://a.example/a/../x", "https://a.example/x"),
    ],
)
def test_one_address_in_two_spellings_is_one_result(first: str, second: str) -> None:
    result = admitted(row(first, title="first"), row(second, title="second"))

    assert ["first"] == [item.title for item in result.results]


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
)
def test_different_pages_stay_apart(first: str, second: str) -> None:
    assert urls(admitted(row(first), row(second))) == [first, second]


@pytest.mark.parametrize("odd", [row(None), row(5), row(b"https://a.example/"), {"url": "https://a.example/"}, None])  # type: ignore[arg-type]
def test_row_of_another_kind_loses_no_other_row(odd: object) -> None:
    result = admitted(odd, row("https://b.example/"))  # type: ignore[arg-type]

    assert ["https://b.example/"] == urls(result)
    assert "1 result without a usable web address was left out" in result.notices


def test_field_of_another_kind_is_as_good_as_none() -> None:
    odd = row("https://a.example/", title=None, snippet=5, content=b"x", score="9", published="2026-03-01")

    result = admitted(odd, filters=Filters(recency="week"))

    assert [SearchResult(url="https://a.example/", sources=("vendor",))] == list(result.results)
    assert (0, 0, 1) == (result.outcomes[0].kept, result.outcomes[0].violated, result.outcomes[0].unverified)


def test_fields_are_bounded_and_cleaned() -> None:
    limits = CandidateLimits(title=10, snippet=12)
    [result] = admitted(
        row(
            "https://a.example/",
            title=" One\n\ttitle\x00 that is long",
            snippet="a\u202eb\U000e0041c",
            score=float("inf"),
        ),
        limits=limits,
    ).results

    assert result.title == "One title…"
    assert result.snippet == "abc"
    assert result.score is None
    assert result.sources == ("vendor",)


def test_cut_title_keeps_a_letter_with_its_marks() -> None:
    family = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}"
    [result] = admitted(
        row("https://a.example/", title="abcd" + family + "efgh"), limits=CandidateLimits(title=8)
    ).results

    assert result.title == "abcd…"


def test_subdomains_count_as_inside_and_lookalikes_do_not() -> None:
    filters = Filters(include_domains=("port.example",))
    result = admitted(
        row("https://port.example/a"),
        row("https://docs.port.example/b"),
        row("https://port.example.test/c"),
        row("https://shop.test/port.example"),
        row("https://airport.example/d"),
        filters=filters,
    )
    [outcome] = result.outcomes

    assert [(), (), *[(FilterKey.INCLUDE_DOMAINS,)] * 3] == [item.violates for item in result.results]
    assert (2, 3, 0) == (outcome.kept, outcome.violated, outcome.unverified)
    assert result.notices == ("3 results break an asked filter and are marked",)


def test_dropped_results_are_counted_and_change_no_outcome() -> None:
    filters = Filters(exclude_domains=("shop.test",))
    rows = (row("https://a.example/"), row("https://www.shop.test/"))
    flagged, dropped = admitted(*rows, filters=filters), admitted(*rows, filters=filters, enforce="drop")

    assert urls(dropped) == ["https://a.example/"]
    assert flagged.outcomes == dropped.outcomes
    assert dropped.notices == ("1 result that breaks an asked filter was left out",)


def test_results_without_a_date_are_unverified_and_not_marked() -> None:
    filters = Filters(recency="week")
    result = admitted(
        row("https://a.example/1", published=date(2026, 2, 25)),
        row("https://a.example/2", published=datetime(2026, 2, 24, 23, 0, tzinfo=UTC)),
        row("https://a.example/3", published_text="a while ago"),
        filters=filters,
    )
    [outcome] = result.outcomes

    assert [(), (FilterKey.RECENCY,), ()] == [item.violates for item in result.results]
    assert (1, 1, 1) == (outcome.kept, outcome.violated, outcome.unverified)


def test_unsupported_filter_is_checked_and_stays_unsupported() -> None:
    filters = Filters(published_before=date(2026, 1, 1))
    outcome = FilterOutcome(key=FilterKey.PUBLISHED_BEFORE, status=FilterStatus.UNSUPPORTED, reason="no such key")
    result = admit(
        [row("https://a.example/", published=date(2026, 2, 2))],
        [outcome],
        filters,
        provider="v",
        max_results=5,
        today=TODAY,
    )

    assert result.outcomes[0].status is FilterStatus.UNSUPPORTED
    assert result.outcomes[0].violated == 1


def test_filter_that_results_cannot_show_has_no_counts() -> None:
    [outcome] = admitted(row("https://a.example/"), filters=Filters(country="DE")).outcomes

    assert (None, None, None) == (outcome.kept, outcome.violated, outcome.unverified)


def test_more_rows_than_asked_are_cut_after_duplicates_and_drops() -> None:
    filters = Filters(include_domains=("a.example",))
    rows = [
        row("https://x.example/"),
        row("https://a.example/1"),
        row("https://a.example/1"),
        row("https://a.example/2"),
    ]

    assert urls(admitted(*rows, filters=filters, enforce="drop", max_results=2)) == [
        "https://a.example/1",
        "https://a.example/2",
    ]


def test_rows_beyond_the_asked_number_are_counted_and_not_lost_in_silence() -> None:
    rows = [row(f"https://a.example/{number}") for number in range(5)]

    assert admitted(*rows, max_results=5).notices == ()
    assert admitted(*rows, max_results=4).notices == ("1 result beyond the asked number was left out",)
    assert admitted(*rows, max_results=2).notices == ("3 results beyond the asked number were left out",)


hosts = st.sampled_from(["a.example", "b.example", "sub.a.example", "c.test"])
days = st.none() | st.dates(date(2025, 1, 1), date(2026, 3, 4))
rows_of = st.lists(
    st.builds(lambda host, n, day: row(f"https://{host}/{n}", published=day), hosts, st.integers(0, 9), days)
)


@given(rows_of, st.sampled_from(["day", "week", "month", "year"]), st.lists(hosts, min_size=1, max_size=2))
def test_every_result_is_kept_broken_or_unverified(rows: list[SearchResult], recency: str, include: list[str]) -> None:
    filters = Filters(recency=recency, include_domains=include)
    result = admitted(*rows, filters=filters, max_results=1_000)

    for outcome in result.outcomes:
        assert outcome.kept is not None
        assert outcome.violated is not None
        assert outcome.unverified is not None
        assert len(result.results) == outcome.kept + outcome.violated + outcome.unverified


@given(rows_of)
def test_admitting_twice_changes_nothing(rows: list[SearchResult]) -> None:
    once = admitted(*rows, max_results=1_000)

    assert once.results == admitted(*once.results, max_results=1_000).results
