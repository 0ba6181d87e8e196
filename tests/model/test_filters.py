"""What a search is narrowed by."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.errors import InvalidRequest
from websdk.model import (
    FilterKey,
    FilterOutcome,
    Filters,
    FilterStatus,
    Recency,
    SafeSearch,
    accounted,
    outcomes_from_keys,
    unsupported_keys,
)

TODAY = date(2026, 3, 31)
HOSTS = st.sampled_from(["a.example", "b.example", "docs.c.example", "xn--bcher-kva.example"])
FILTERS = st.builds(
    Filters,
    recency=st.none() | st.sampled_from(Recency),
    published_after=st.none() | st.dates(date(2000, 1, 1), date(2010, 1, 1)),
    published_before=st.none() | st.dates(date(2010, 1, 2), date(2026, 1, 1)),
    include_domains=st.lists(HOSTS, max_size=3),
    exclude_domains=st.lists(HOSTS, max_size=3),
    country=st.none() | st.sampled_from(["DE", "gb", "US"]),
    language=st.none() | st.sampled_from(["de", "pt-br", "zh-hans"]),
    safe_search=st.none() | st.sampled_from(SafeSearch),
    topic=st.none() | st.sampled_from(["news", "finance"]),
)


def test_nothing_is_asked_for_by_default():
    assert () == Filters().asked()


@pytest.mark.parametrize(
    "empty", [{"recency": ""}, {"include_domains": []}, {"exclude_domains": None}, {"country": ""}, {"topic": None}]
)
def test_an_empty_value_is_no_filter(empty):
    assert () == Filters(**empty).asked()


@pytest.mark.parametrize(("word", "days"), [("day", 1), ("week", 7), ("month", 30), ("year", 365)])
def test_a_window_has_the_same_length_for_every_vendor(word, days):
    recency = Filters(recency=word).recency

    assert days == recency.days
    assert TODAY - timedelta(days=days) == recency.start(TODAY)


@pytest.mark.parametrize(
    ("given_values", "kept"),
    [
        ({"country": "de"}, ("country", "DE")),
        ({"language": "PT-br"}, ("language", "pt-BR")),
        ({"language": "ZH-hANS-tw"}, ("language", "zh-Hans-TW")),
        ({"published_after": "2026-03-31"}, ("published_after", TODAY)),
        ({"include_domains": ["Docs.Python.ORG."]}, ("include_domains", ("docs.python.org",))),
        ({"include_domains": ["bücher.example"]}, ("include_domains", ("xn--bcher-kva.example",))),
        ({"exclude_domains": ("a.example", "A.example")}, ("exclude_domains", ("a.example",))),
    ],
)
def test_a_value_is_kept_in_its_one_spelling(given_values, kept):
    name, value = kept

    assert value == getattr(Filters(**given_values), name)


@pytest.mark.parametrize(
    "wrong",
    [
        {"recency": "fortnight"},
        {"recency": 7},
        {"country": "UK"},
        {"country": "Germany"},
        {"country": 49},
        {"language": "english"},
        {"language": "de_DE"},
        {"safe_search": "on"},
        {"topic": "two words"},
        {"topic": "News"},
        {"published_after": "31.03.2026"},
        {"published_before": datetime(2026, 3, 31, 12)},
        {"published_after": 20260331.5},
        {"include_domains": "docs.python.org"},
        {"include_domains": ["https://docs.python.org"]},
        {"include_domains": ["docs.python.org/3"]},
        {"include_domains": ["docs.python.org:443"]},
        {"include_domains": ["*.python.org"]},
        {"include_domains": [""]},
        {"include_domains": [None]},
        {"exclude_domains": ["user@a.example"]},
        {"exclude_domains": ["192.0.2.1"]},
        {"include_domains": [f"h{number}.example" for number in range(1001)]},
    ],
    ids=str,
)
def test_a_value_of_another_kind_is_refused_by_name(wrong):
    with pytest.raises(InvalidRequest, match=next(iter(wrong))) as caught:
        Filters(**wrong)

    assert not caught.value.sent


def test_the_refusal_of_a_domain_names_its_position_and_not_the_text():
    with pytest.raises(InvalidRequest, match="item 2") as caught:
        Filters(include_domains=["a.example", "https://secret.example/token"])

    assert "secret" not in str(caught.value)


def test_a_window_that_ends_before_it_begins_is_refused():
    with pytest.raises(InvalidRequest, match="lies behind"):
        Filters(published_after="2026-02-01", published_before="2026-01-31")


def test_one_day_is_a_window():
    assert Filters(published_after=TODAY, published_before=TODAY).published_after == TODAY


@given(FILTERS)
def test_what_is_asked_is_what_has_a_value(filters):
    asked = filters.asked()

    assert [key for key in FilterKey if filters[key] not in (None, ())] == list(asked)
    assert list(asked) == list(filters)


@given(FILTERS, st.sets(st.sampled_from(FilterKey)))
def test_taking_keys_away_leaves_the_others_untouched(filters, keys):
    rest = filters.without(*keys)

    assert set(filters.asked()) - keys == set(rest.asked())
    assert all(filters[key] == rest[key] for key in rest.asked())


@given(FILTERS, st.sets(st.sampled_from(FilterKey)))
def test_naming_keys_gives_one_outcome_for_each_asked_filter(filters, named):
    outcomes = outcomes_from_keys(filters, named)

    assert filters.asked() == tuple(outcome.key for outcome in outcomes)
    assert tuple(key for key in filters.asked() if key in named) == unsupported_keys(outcomes)
    assert all((outcome.reason is None) == (outcome.key not in named) for outcome in outcomes)


@given(st.lists(st.builds(FilterOutcome, key=st.sampled_from(FilterKey), status=st.sampled_from(FilterStatus))))
def test_a_key_is_unsupported_when_any_outcome_falls_short(outcomes):
    short = {outcome.key for outcome in outcomes if outcome.status not in ("applied", "emulated")}

    assert [key for key in FilterKey if key in short] == list(unsupported_keys(outcomes))


OUTCOMES = st.lists(st.builds(FilterOutcome, key=st.sampled_from(FilterKey), status=st.sampled_from(FilterStatus)))


@given(FILTERS, OUTCOMES)
def test_every_asked_filter_has_exactly_one_outcome_whatever_a_provider_says(filters, outcomes):
    told = accounted(outcomes, filters)

    assert filters.asked() == tuple(outcome.key for outcome in told)
    for outcome in told:
        said = {item.status for item in outcomes if item.key is outcome.key}
        assert outcome.status in (said or {FilterStatus.UNSUPPORTED})
        assert not outcome.status.restricts_in_full or all(status.restricts_in_full for status in said)


@given(FILTERS, OUTCOMES)
def test_an_account_that_is_whole_stays_as_it_is(filters, outcomes):
    told = accounted(outcomes, filters)

    assert told == accounted(told, filters)
