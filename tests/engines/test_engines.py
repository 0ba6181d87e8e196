"""Presets of private engines, end to end: what comes back is exactly what a plain reading of the filters keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import settings as limits
from hypothesis import strategies as st

from websdk import Client, FilterKey, Filters, SearchResponse
from websdk.errors import ConfigurationError, InvalidRequest, ProviderRejected
from websdk.model.domains import is_within

from .conftest import ENGINES, FIELDS, ROWS, Engines
from .grammars import tokens

Opened = Callable[..., Client]
START, END = date(2026, 1, 2), date(2026, 2, 3)
ALL = [row["url"] for row in ROWS]
# Every example is a call over a socket; the fixtures hold nothing that one example leaves for the next.
over_a_socket = limits(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


# -- the plain reading -----------------------------------------------------------------------------------------------


def passes(row: dict[str, Any], key: FilterKey, value: Any) -> bool:
    """Tell whether a row fulfils one filter."""
    host = row["url"].split("/")[2]
    day = date.fromisoformat(row["published"][:10]) if "published" in row else None
    match key:
        case FilterKey.INCLUDE_DOMAINS:
            return any(is_within(host, domain) for domain in value)
        case FilterKey.EXCLUDE_DOMAINS:
            return not any(is_within(host, domain) for domain in value)
        case FilterKey.PUBLISHED_AFTER:
            return day is not None and day >= value
        case FilterKey.PUBLISHED_BEFORE:
            return day is not None and day <= value
        case FilterKey.COUNTRY:
            return bool(row["land"] == value)
        case FilterKey.LANGUAGE:
            return bool(row["tongue"] == value)
        case FilterKey.TOPIC:
            return bool(row["kind"] == value)
    raise AssertionError(key)


def kept(filters: Filters, response: SearchResponse) -> list[str]:
    """Return the rows that remain when every filter that is not reported is applied."""
    applied = [key for key in filters.asked() if key not in response.unsupported_filters]
    return [row["url"] for row in ROWS if all(passes(row, key, filters[key]) for key in applied)]


def found(response: SearchResponse) -> list[str]:
    return [result.url for result in response.results]


def asked(client: Client, engine: str, filters: Filters, query: str = "tide") -> SearchResponse:
    return client.search(query, provider=engine, filters=filters, max_results=50)


# -- ordinary values -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_every_filter_is_applied_by_the_engine_and_keeps_its_rows(engine: str, opened: Opened) -> None:
    cases: dict[str, Any] = {
        "include_domains": ["port.example", "or.test"],
        "exclude_domains": ["port.example", "test"],
        "published_after": START,
        "published_before": END,
        "country": "NO",
        "language": "or",
        "topic": "not",
    }
    everything = ALL
    for key, value in cases.items():
        filters = Filters(**{key: value})
        response = asked(opened(engine), engine, filters)
        if engine == "meilisearch" and key == "language":  # the engine reads the query by it, and filters nothing
            assert [FilterKey.LANGUAGE] == list(response.unsupported_filters)
            continue

        assert () == response.unsupported_filters, key
        assert kept(filters, response) == found(response), key
        assert 0 < len(found(response)) < len(everything), key


@pytest.mark.parametrize("engine", ENGINES)
def test_either_of_two_hosts_beside_another_filter(engine: str, opened: Opened) -> None:
    filters = Filters(include_domains=["port.example", "shop.test"], country="DE", exclude_domains=["www.port.example"])

    assert [ALL[0]] == found(asked(opened(engine), engine, filters))


@pytest.mark.parametrize("engine", ENGINES)
def test_days_count_in_full_at_both_ends(engine: str, opened: Opened) -> None:
    response = asked(opened(engine), engine, Filters(published_after=START, published_before=END))

    assert [ALL[number] for number in (0, 1, 2, 5, 7, 8)] == found(response)


@pytest.mark.parametrize("engine", ENGINES)
def test_later_pages_go_on_where_the_first_ended(engine: str, opened: Opened) -> None:
    filters = Filters(exclude_domains=["port.example"])
    pages = [
        found(opened(engine).search("tide", provider=engine, filters=filters, max_results=3, page=page))
        for page in (1, 2, 3)
    ]

    assert [url for url, row in zip(ALL, ROWS, strict=True) if "port.example" not in row["domains"]] == [
        url for page in pages for url in page
    ]


# -- any values ------------------------------------------------------------------------------------------------------

HOSTS = st.one_of(
    st.sampled_from(sorted({domain for row in ROWS for domain in row["domains"]} | {"port", "ort.example", "_.test"})),
    st.from_regex(r"[a-z0-9_](?:[a-z0-9-]{0,8}[a-z0-9])?\.[a-z]{2,8}", fullmatch=True),
)
DAYS = st.dates(date(2025, 12, 1), date(2026, 4, 1))
WORDS = st.one_of(
    st.sampled_from([row["kind"] for row in ROWS]), st.from_regex(r"[a-z][a-z0-9_-]{0,31}", fullmatch=True)
)
ASKED = st.fixed_dictionaries(
    {},
    optional={
        "include_domains": st.lists(HOSTS, max_size=4),
        "exclude_domains": st.lists(HOSTS, max_size=4),
        "published_after": DAYS,
        "published_before": DAYS,
        "country": st.sampled_from(["DE", "FR", "NO", "IN", "TO", "ME", "IS", "LA"]),
        "language": st.sampled_from(["de", "en", "or", "no", "to", "hi", "not", "and", "pt-BR", "zh-Hans"]),
        "topic": WORDS,
    },
)
# Signs that end a value, join terms, stand for anything or open a bracket in one of the languages.
SIGNS = "\"'`\\()[]{}*?:=<>!&|,; \n\t"
PIECES = [
    *SIGNS,
    " OR ",
    " AND ",
    " NOT ",
    " or ",
    " and true",
    "&&",
    "||",
    "userQuery()",
    "land",
    "DE",
    "port.example",
    '"}}, {"match_all": {"',
]
HOSTILE = (
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=8)
    .map("".join)
    .filter(lambda text: any(sign in text for sign in SIGNS))
)


@pytest.mark.parametrize("engine", ENGINES)
@given(fields=ASKED, query=HOSTILE)
@over_a_socket
def test_any_filters_and_any_query_keep_exactly_their_rows(
    engine: str, opened: Opened, fields: dict[str, Any], query: str
) -> None:
    try:
        filters = Filters(**fields)
    except InvalidRequest:
        assume(False)
    assume(engine != "typesense" or not any(map(is_taken_for_another, filters.include_domains)))
    assume(engine != "typesense" or not any(map(is_taken_for_another, filters.exclude_domains)))
    response = asked(opened(engine), engine, filters, "tide " + query)

    assert kept(filters, response) == found(response)


def is_taken_for_another(host: str) -> bool:
    """Tell whether Typesense, for which signs are no part of a word, takes a host for another one of the rows."""
    return any(tokens(host) == tokens(domain) and host != domain for row in ROWS for domain in row["domains"])


def forced(key: FilterKey, value: Any) -> Filters:
    """Return filters with a value that their own checks refuse, as if these let it pass."""
    filters = Filters()
    object.__setattr__(filters, key.value, value)
    return filters


@pytest.mark.parametrize("key", [FilterKey.COUNTRY, FilterKey.TOPIC, FilterKey.LANGUAGE, *("include", "exclude")])
@pytest.mark.parametrize("engine", ENGINES)
@given(text=HOSTILE)
@over_a_socket
def test_no_text_in_a_filter_changes_what_the_others_mean(
    engine: str, key: FilterKey | str, opened: Opened, text: str
) -> None:
    """The checks of filters refuse such texts; presets do not rely on it."""
    key = FilterKey(f"{key}_domains") if key in ("include", "exclude") else FilterKey(key)
    value = (text, "port.example") if key.value.endswith("_domains") else text
    with pytest.raises(InvalidRequest):
        Filters(**{key.value: value})
    filters = forced(key, value)
    object.__setattr__(filters, "published_after", START)
    response = asked(opened(engine), engine, filters)

    assert kept(filters, response) == found(response)


@pytest.mark.parametrize("key", ["published_after", "published_before"])
@given(text=HOSTILE, day=DAYS)
def test_a_date_is_a_date_and_nothing_more(key: str, text: str, day: date) -> None:
    with pytest.raises(InvalidRequest):
        Filters(**{key: f"{day}{text}"})


# -- what the operator gives -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("engine", ENGINES)
def test_fields_of_any_name_filter_or_are_refused(engine: str, field: str, opened: Opened) -> None:
    """Words of a language make bad names: the engine may refuse them, and never reads anything else into them."""
    filters = Filters(country="DE", exclude_domains=["www.port.example"])
    try:
        response = asked(opened(engine, country_field=field), engine, filters)
    except ProviderRejected:
        assert field not in ("land", "land_code", "land-code", "meta.land")
        return

    assert () == response.unsupported_filters
    assert [ALL[0], ALL[8]] == found(response)


@pytest.mark.parametrize("setting", ["country_field", "domain_field", "published_field"])
@pytest.mark.parametrize("engine", ENGINES)
@given(text=HOSTILE)
@over_a_socket
def test_hostile_names_of_fields_are_refused_before_anything_is_sent(
    engine: str, setting: str, opened: Opened, engines: Engines, text: str
) -> None:
    asked_before = len(engines.filters)
    with pytest.raises(ConfigurationError):
        opened_once(opened, engine, **{setting: text})

    assert asked_before == len(engines.filters)


@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "vespa"])
@given(text=HOSTILE)
@over_a_socket
def test_hostile_names_of_indexes_are_refused_before_anything_is_sent(
    engine: str, opened: Opened, engines: Engines, text: str
) -> None:
    asked_before = len(engines.filters)
    with pytest.raises(ConfigurationError):
        opened_once(opened, engine, index=text)

    assert asked_before == len(engines.filters)


def opened_once(opened: Opened, engine: str, **settings: str) -> Iterable[str]:
    """Search with settings that are used once."""
    return found(asked(opened(engine, **settings), engine, Filters(country="DE", include_domains=["port.example"])))


# -- what an engine cannot tell apart --------------------------------------------------------------------------------


def test_hosts_that_typesense_takes_for_one_are_marked(opened: Opened) -> None:
    """Signs are no part of its words unless the collection says so, so that a-b.test and ab.test are the same."""
    response = asked(opened("typesense"), "typesense", Filters(include_domains=["a-b.test"]))
    outcome = response.filter_outcomes[0]

    assert {ALL[5]: (), ALL[6]: (FilterKey.INCLUDE_DOMAINS,)} == {row.url: row.violates for row in response.results}
    assert (1, 1) == (outcome.kept, outcome.violated)
