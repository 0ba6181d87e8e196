"""What becomes of filters, judged by value (the kinds K01 to K08)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from websdk.declarative import PresetCodec, load_preset
from websdk.errors import InvalidRequest
from websdk.model import Connection, Filters, FilterStatus, SearchRequest

HOSTS = """
[search.filters]
include_domains = { at = "include[]", max = 3 }
exclude_domains = { at = "exclude[]" }
"""


# -- K01, K08: nothing is lost, nothing is made up ------------------------------------------------------------------


def test_filter_that_no_key_declares_is_reported_and_not_sent(make_desk: Callable[..., Any]) -> None:
    desk = make_desk()
    outcomes, _ = desk.explained(filters=Filters(include_domains=["port.example"]))

    assert {"q": "tide tables"} == desk.body(filters=Filters(include_domains=["port.example"]))
    assert FilterStatus.UNSUPPORTED == outcomes["include_domains"].status
    assert outcomes["include_domains"].sent is None
    assert outcomes["include_domains"].reason


def test_filter_that_a_key_declares_is_sent_and_applied(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(HOSTS)
    filters = Filters(include_domains=["port.example"])
    outcomes, _ = desk.explained(filters=filters)

    assert {"q": "tide tables", "include": ["port.example"]} == desk.body(filters=filters)
    assert (FilterStatus.APPLIED, 'include=["port.example"]', None) == (
        outcomes["include_domains"].status,
        outcomes["include_domains"].sent,
        outcomes["include_domains"].reason,
    )


def test_empty_filters_are_neither_sent_nor_reported(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(HOSTS)
    filters = Filters(include_domains=(), recency=None, language=None)

    assert {"q": "tide tables"} == desk.body(filters=filters)
    assert ({}, ()) == desk.explained(filters=filters)


# -- K03: abilities are told apart -----------------------------------------------------------------------------------


def test_second_host_is_reported_when_the_vendor_takes_one(make_desk: Callable[..., Any]) -> None:
    desk = make_desk('filters = { include_domains = { at = "site" } }\n')
    two, one = Filters(include_domains=["a.example", "b.example"]), Filters(include_domains=["a.example"])

    assert {"q": "tide tables"} == desk.body(filters=two)
    assert FilterStatus.UNSUPPORTED == desk.explained(filters=two)[0]["include_domains"].status
    assert {"q": "tide tables", "site": "a.example"} == desk.body(filters=one)
    assert FilterStatus.APPLIED == desk.explained(filters=one)[0]["include_domains"].status


def test_excluded_host_is_reported_when_the_vendor_only_includes(make_desk: Callable[..., Any]) -> None:
    desk = make_desk('filters = { include_domains = { at = "site" } }\n')
    filters = Filters(exclude_domains=["c.example"])

    assert {"q": "tide tables"} == desk.body(filters=filters)
    assert FilterStatus.UNSUPPORTED == desk.explained(filters=filters)[0]["exclude_domains"].status


def test_last_day_is_reported_when_the_vendor_knows_a_first_day_only(make_desk: Callable[..., Any]) -> None:
    desk = make_desk('filters = { dates = { after = "from" } }\n')
    filters = Filters(published_after="2026-01-02", published_before="2026-02-03")
    outcomes, _ = desk.explained(filters=filters)

    assert {"q": "tide tables", "from": "2026-01-02"} == desk.body(filters=filters)
    assert FilterStatus.APPLIED == outcomes["published_after"].status
    assert FilterStatus.UNSUPPORTED == outcomes["published_before"].status


OPERATORS = """
query = { at = "q", max = 60, brackets = true, any = " OR " }
[search.filters]
include_domains = { at = "query-text", pattern = "site:{value}" }
exclude_domains = { at = "query-text", pattern = "-site:{value}" }
"""


def test_operators_follow_the_bracketed_query_and_are_joined_by_the_vendors_or(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(OPERATORS)
    filters = Filters(include_domains=["a.example", "b.example"], exclude_domains=["c.example"])
    outcomes, _ = desk.explained("tide", filters=filters)

    assert "(tide) (site:a.example OR site:b.example) -site:c.example" == desk.body("tide", filters=filters)["q"]
    assert (FilterStatus.EMULATED, "q=(site:a.example OR site:b.example)") == (
        outcomes["include_domains"].status,
        outcomes["include_domains"].sent,
    )
    assert (FilterStatus.EMULATED, "q=-site:c.example") == (
        outcomes["exclude_domains"].status,
        outcomes["exclude_domains"].sent,
    )


@pytest.mark.parametrize("query", ["a OR b", '"high tide"', "(a b)", "-moon tide", "intitle:tide", "a | b", "a AND b"])
def test_operators_of_a_query_stay_inside_the_brackets(make_desk: Callable[..., Any], query: str) -> None:
    desk = make_desk(OPERATORS)
    filters = Filters(include_domains=["a.example"])

    assert f"({query}) site:a.example" == desk.body(query, filters=filters)["q"]


@pytest.mark.parametrize("query", ["a OR b", '"high tide"', "(a b)", "-moon tide", "intitle:tide", "a | b"])
def test_operator_is_not_added_to_operators_without_brackets(make_desk: Callable[..., Any], query: str) -> None:
    desk = make_desk(OPERATORS.replace("brackets = true, ", ""))
    filters = Filters(include_domains=["a.example"])

    assert query == desk.body(query, filters=filters)["q"]
    assert FilterStatus.UNSUPPORTED == desk.explained(query, filters=filters)[0]["include_domains"].status
    assert "tide site:a.example" == desk.body("tide", filters=filters)["q"]


@pytest.mark.parametrize("query", ["tide) OR (moon", "tide)", "(tide", 'high "tide', 'a "b) c" d"', "“high tide"])
def test_query_with_a_lone_bracket_or_quote_cannot_break_out(make_desk: Callable[..., Any], query: str) -> None:
    desk = make_desk(OPERATORS)
    filters = Filters(include_domains=["a.example"])

    assert query == desk.body(query, filters=filters)["q"]
    assert FilterStatus.UNSUPPORTED == desk.explained(query, filters=filters)[0]["include_domains"].status


def test_second_host_is_reported_when_the_vendor_has_no_or(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(OPERATORS.replace(', any = " OR "', ""))
    filters = Filters(include_domains=["a.example", "b.example"], exclude_domains=["c.example", "d.example"])
    outcomes, _ = desk.explained(filters=filters)

    assert FilterStatus.UNSUPPORTED == outcomes["include_domains"].status
    assert "(tide tables) -site:c.example -site:d.example" == desk.body(filters=filters)["q"]


def test_operator_that_the_query_leaves_no_room_for_is_reported(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(OPERATORS)
    query = "t" * 40
    filters = Filters(include_domains=["long-name.example"], exclude_domains=["c.de"])
    outcomes, _ = desk.explained(query, filters=filters)

    assert FilterStatus.UNSUPPORTED == outcomes["include_domains"].status
    assert f"({query}) -site:c.de" == desk.body(query, filters=filters)["q"]


# -- K05, K06: limits and pairs --------------------------------------------------------------------------------------


def test_list_that_is_too_long_is_left_out_whole(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(HOSTS)
    hosts = [f"{letter}.example" for letter in "abcd"]
    outcomes, _ = desk.explained(filters=Filters(include_domains=hosts))

    assert "include" not in desk.body(filters=Filters(include_domains=hosts))
    assert "at most 3 hosts" in (outcomes["include_domains"].reason or "")
    assert hosts[:3] == desk.body(filters=Filters(include_domains=hosts[:3]))["include"]


DATED = """
exclusive = ["dates"]
[search.filters]
recency = { at = "freshness", values = { day = "d", week = "w" } }
dates = { after = "from", before = "to" }
"""


def test_dates_win_over_a_window(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(DATED)
    filters = Filters(recency="week", published_after="2026-01-01")
    outcomes, _ = desk.explained(filters=filters)

    assert {"q": "tide tables", "from": "2026-01-01"} == desk.body(filters=filters)
    assert FilterStatus.UNSUPPORTED == outcomes["recency"].status
    assert FilterStatus.APPLIED == outcomes["published_after"].status


def test_window_without_a_word_becomes_a_date(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(DATED)

    assert {"q": "tide tables", "from": "2025-03-04"} == desk.body(filters=Filters(recency="year"))
    assert {"q": "tide tables", "freshness": "w"} == desk.body(filters=Filters(recency="week"))
    assert "from=2026-02-02" == desk.explained(filters=Filters(recency="month"))[0]["recency"].sent


def test_window_without_a_word_or_a_date_is_reported(make_desk: Callable[..., Any]) -> None:
    desk = make_desk('filters = { recency = { at = "f", values = { day = "d" } } }\n')
    filters = Filters(recency="year")

    assert {"q": "tide tables"} == desk.body(filters=filters)
    assert FilterStatus.UNSUPPORTED == desk.explained(filters=filters)[0]["recency"].status


def test_window_goes_out_when_the_dates_beside_it_cannot(make_desk: Callable[..., Any]) -> None:
    search = """
[search.filters]
recency = { at = "f", values = { week = "w" } }
dates = { at = "f", range = "{start}to{end}" }
"""
    desk = make_desk(search)
    filters = Filters(recency="week", published_before="2026-02-03")
    outcomes, _ = desk.explained(filters=filters)

    assert {"q": "tide tables", "f": "w"} == desk.body(filters=filters)
    assert FilterStatus.UNSUPPORTED == outcomes["published_before"].status
    assert FilterStatus.APPLIED == outcomes["recency"].status


def test_window_by_date_joins_a_last_day_and_yields_to_a_first_day(make_desk: Callable[..., Any]) -> None:
    desk = make_desk('filters = { dates = { after = "from", before = "to" } }\n')
    both = desk.body(filters=Filters(recency="week", published_before="2026-03-01"))
    outcomes, _ = desk.explained(filters=Filters(recency="week", published_after="2026-01-01"))

    assert {"q": "tide tables", "from": "2026-02-25", "to": "2026-03-01"} == both
    assert FilterStatus.UNSUPPORTED == outcomes["recency"].status


ONE_TEXT = 'filters = { dates = { at = "f", range = "{start}..{end}", format = "M/D/YYYY" } }\n'


@pytest.mark.parametrize(
    ("asked", "sent", "missing"),
    [
        ({"published_after": "2026-01-02", "published_before": "2026-02-03"}, "1/2/2026..2/3/2026", set()),
        ({"published_after": "2026-01-02"}, "1/2/2026..3/4/2026", set()),
        ({"published_after": "2026-05-06"}, "5/6/2026..5/6/2026", set()),
        ({"published_before": "2026-02-03"}, None, {"published_before"}),
        ({"recency": "week"}, "2/25/2026..3/4/2026", set()),
    ],
)
def test_one_text_of_two_dates(
    make_desk: Callable[..., Any], asked: dict[str, Any], sent: str | None, missing: set[str]
) -> None:
    desk = make_desk(ONE_TEXT)
    outcomes, _ = desk.explained(filters=Filters(**asked))

    assert sent == desk.body(filters=Filters(**asked)).get("f")
    assert missing == {key for key, outcome in outcomes.items() if not outcome.status.restricts_in_full}
    assert set(asked) == set(outcomes)


def test_one_sided_patterns_serve_one_sided_ranges(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(
        'filters = { dates = { at = "f", range = "{start}:{end}", after = "{start}:", before = ":{end}" } }\n'
    )

    assert "2026-01-02:" == desk.body(filters=Filters(published_after="2026-01-02"))["f"]
    assert ":2026-01-02" == desk.body(filters=Filters(published_before="2026-01-02"))["f"]
    assert (
        "2026-01-01:2026-01-02"
        == desk.body(filters=Filters(published_after="2026-01-01", published_before="2026-01-02"))["f"]
    )


def test_last_day_that_the_vendor_does_not_count_in_is_moved_by_one(make_desk: Callable[..., Any]) -> None:
    desk = make_desk('filters = { dates = { after = "a", before = "b", inclusive = false } }\n')

    assert "2026-02-04" == desk.body(filters=Filters(published_before="2026-02-03"))["b"]
    assert "9999-12-31" == desk.body(filters=Filters(published_before="9999-12-31"))["b"]


def test_included_hosts_win_where_one_key_serves_both(make_desk: Callable[..., Any]) -> None:
    search = """
[search.filters]
include_domains = { at = "site", fixed = { mode = "i" } }
exclude_domains = { at = "site", fixed = { mode = "e" } }
"""
    desk = make_desk(search)
    filters = Filters(include_domains=["a.example"], exclude_domains=["c.example"])
    outcomes, _ = desk.explained(filters=filters)

    assert {"q": "tide tables", "site": "a.example", "mode": "i"} == desk.body(filters=filters)
    assert FilterStatus.UNSUPPORTED == outcomes["exclude_domains"].status
    assert {"q": "tide tables", "site": "c.example", "mode": "e"} == desk.body(
        filters=Filters(exclude_domains=["c.example"])
    )


def test_excluded_hosts_go_out_when_the_included_cannot(make_desk: Callable[..., Any]) -> None:
    desk = make_desk('exclusive = ["domains"]\n' + HOSTS)
    filters = Filters(include_domains=[f"{n}.example" for n in range(4)], exclude_domains=["c.example"])

    assert {"q": "tide tables", "exclude": ["c.example"]} == desk.body(filters=filters)


def test_one_list_with_signs_takes_one_kind(make_desk: Callable[..., Any]) -> None:
    search = """
exclusive = ["domains"]
[search.filters]
include_domains = { at = "hosts[]" }
exclude_domains = { at = "hosts[]", prefix = "-" }
"""
    desk = make_desk(search)

    assert ["a.example"] == desk.body(filters=Filters(include_domains=["a.example"], exclude_domains=["c.example"]))[
        "hosts"
    ]
    assert ["-c.example", "-d.example"] == desk.body(filters=Filters(exclude_domains=["c.example", "d.example"]))[
        "hosts"
    ]


def test_filter_is_reported_beside_a_value_that_switches_it_off(make_desk: Callable[..., Any]) -> None:
    search = """
[search.filters]
country = { at = "country", unless = { topic = ["news"] } }
dates = { after = "from", unless = { topic = ["news"] } }
topic = { at = "topic", values = ["news", "general"] }
"""
    desk = make_desk(search)
    news = Filters(country="DE", recency="week", topic="news")
    outcomes, _ = desk.explained(filters=news)

    assert {"q": "tide tables", "topic": "news"} == desk.body(filters=news)
    assert FilterStatus.UNSUPPORTED == outcomes["country"].status == outcomes["recency"].status
    assert "DE" == desk.body(filters=Filters(country="DE", topic="general"))["country"]


# -- K07: vocabularies -----------------------------------------------------------------------------------------------

LANGUAGES = """
[search.filters.language]
at = "lang"
[search.filters.language.values]
zh-Hans = "zh-hans"
zh-Hant = "zh-hant"
en-US = "en-us"
en-GB = "en-gb"
de = "de"
ja = "jp"
fr-CA = "fr"
"""


@pytest.mark.parametrize(
    ("asked", "sent", "status"),
    [
        ("DE", "de", FilterStatus.APPLIED),
        ("en-us", "en-us", FilterStatus.APPLIED),
        ("zh", None, FilterStatus.UNSUPPORTED),
        ("en", None, FilterStatus.UNSUPPORTED),
        ("de-AT", None, FilterStatus.UNSUPPORTED),
        ("tlh", None, FilterStatus.UNSUPPORTED),
        ("ja", "jp", FilterStatus.APPLIED),
        ("fr-CA", "fr", FilterStatus.APPROXIMATE),
    ],
)
def test_value_outside_the_vocabulary_is_never_sent(
    make_desk: Callable[..., Any], asked: str, sent: str | None, status: FilterStatus
) -> None:
    desk = make_desk(LANGUAGES)
    outcomes, adjustments = desk.explained(filters=Filters(language=asked))

    assert sent == desk.body(filters=Filters(language=asked)).get("lang")
    assert status == outcomes["language"].status
    assert (status is FilterStatus.APPROXIMATE) == bool(adjustments)


def test_mapped_language_shows_as_an_adjustment(make_desk: Callable[..., Any]) -> None:
    (adjustment,) = make_desk(LANGUAGES).explained(filters=Filters(language="fr-CA"))[1]

    assert ("language", "fr-CA", "fr") == (adjustment.what, adjustment.asked, adjustment.sent)


def test_language_with_a_region_is_not_cut_for_a_vendor_without_a_table(make_desk: Callable[..., Any]) -> None:
    desk = make_desk('filters = { language = { at = "hl" } }\n')

    assert "hl" not in desk.body(filters=Filters(language="de-AT"))
    assert "de" == desk.body(filters=Filters(language="de"))["hl"]


def test_country_does_not_stand_in_for_a_language(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(LANGUAGES)
    filters = Filters(country="BR")

    assert {"q": "tide tables"} == desk.body(filters=filters)
    assert FilterStatus.UNSUPPORTED == desk.explained(filters=filters)[0]["country"].status


def test_words_take_the_case_and_prefix_of_the_vendor(make_desk: Callable[..., Any]) -> None:
    search = """
[search.filters]
country = { at = "gl", case = "lower" }
language = { at = "lr", prefix = "lang_", values = ["de", "en-GB"], case = "upper" }
safe_search = { at = "safe", values = { off = false, strict = true } }
"""
    desk = make_desk(search)
    body = desk.body(filters=Filters(country="DE", language="en-gb", safe_search="strict"))

    assert {"q": "tide tables", "gl": "de", "lr": "lang_EN-GB", "safe": True} == body
    assert FilterStatus.UNSUPPORTED == desk.explained(filters=Filters(safe_search="moderate"))[0]["safe_search"].status


# -- forms -----------------------------------------------------------------------------------------------------------


def test_hint_is_approximate_with_its_reason(make_desk: Callable[..., Any]) -> None:
    desk = make_desk('filters = { country = { at = "cc", approximate = "a boost", fixed = { weight = 9 } } }\n')
    outcome = desk.explained(filters=Filters(country="DE"))[0]["country"]

    assert {"q": "tide tables", "cc": "DE", "weight": 9} == desk.body(filters=Filters(country="DE"))
    assert (FilterStatus.APPROXIMATE, "a boost", "cc=DE") == (outcome.status, outcome.reason, outcome.sent)


def test_caveat_is_carried_as_a_notice_of_an_applied_filter(make_desk: Callable[..., Any]) -> None:
    desk = make_desk('filters = { country = { at = "cc", caveat = "It may relax." } }\n')
    answer = desk.answer({"results": []}, filters=Filters(country="DE"))

    assert FilterStatus.APPLIED == answer.filter_outcomes[0].status
    assert ("It may relax.",) == answer.notices
    assert () == desk.answer({"results": []}).notices


def test_joined_lists_and_headers(make_desk: Callable[..., Any]) -> None:
    search = """
[search.filters]
include_domains = { at = "header:X-Site", join = ", " }
exclude_domains = { at = "exclude", join = "|", max = 2 }
"""
    desk = make_desk(search)
    wire = desk.wire(
        filters=Filters(include_domains=["a.example", "b.example"], exclude_domains=["c.example", "d.example"])
    )

    assert "a.example, b.example" == wire.header("x-site")
    assert b'"exclude":"c.example|d.example"' in wire.body


TERMS = """
fixed = { yql = "select * where userQuery()" }
terms = { at = "yql", join = " and ", any = " or " }
[search.filters]
dates = { at = "filter-terms", after = "{field} >= {start}", before = "{field} <= {end}", format = "unix" }
include_domains = { at = "filter-terms", pattern = '{field} contains "{value}"' }
exclude_domains = { at = "filter-terms", pattern = '!({field} contains "{value}")' }
topic = { at = "filter-terms", pattern = "kind = {value}" }
"""
FIELDS = """
[vendor.settings]
domain_field = { about = "host field", default = "host" }
published_field = { about = "date field", default = "" }
"""


def test_terms_of_several_filters_follow_the_fixed_text(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(TERMS, vendor=FIELDS, settings={"published_field": "day"})
    filters = Filters(
        include_domains=["a.example", "b.example"],
        exclude_domains=["c.example"],
        topic="news",
        published_after="2026-01-02",
    )

    assert (
        'select * where userQuery() and day >= 1767312000 and (host contains "a.example" or host contains "b.example") '
        'and !(host contains "c.example") and kind = news'
    ) == desk.body(filters=filters)["yql"]


def test_term_whose_field_is_not_configured_is_reported_with_the_setting(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(TERMS, vendor=FIELDS)
    outcome = desk.explained(filters=Filters(published_after="2026-01-02"))[0]["published_after"]

    assert FilterStatus.UNSUPPORTED == outcome.status
    assert "published_field" in (outcome.reason or "")
    assert "select * where userQuery()" == desk.body(filters=Filters(published_after="2026-01-02"))["yql"]


def test_fragments_are_put_into_lists_of_the_body_with_their_types(make_desk: Callable[..., Any]) -> None:
    search = """
query = { at = "query.bool.must[0].match.text" }
[search.filters]
include_domains = { at = "query.bool.filter[]", pattern = '{"terms": {"{field}": "{values}"}}' }
dates = { at = "query.bool.filter[]", after = '{"range": {"{field}": {"gte": "{start}"}}}', format = "unix" }
"""
    desk = make_desk(search, vendor=FIELDS, settings={"published_field": "day"})
    body = desk.body(filters=Filters(include_domains=["a.example"], published_after="2026-01-02"))

    assert {
        "query": {
            "bool": {
                "must": [{"match": {"text": "tide tables"}}],
                "filter": [{"range": {"day": {"gte": 1767312000}}}, {"terms": {"host": ["a.example"]}}],
            }
        }
    } == body


SITE = """
site = "{language}.harbour.example"
[search.filters.language]
at = "host"
values = ["de", "en"]
"""
EDITION = """
[vendor.settings]
language = { about = "edition", default = "en" }
"""


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"include_domains": ["harbour.example"]}, FilterStatus.APPLIED),
        ({"include_domains": ["other.example", "en.harbour.example"]}, FilterStatus.APPLIED),
        ({"include_domains": ["de.harbour.example"]}, FilterStatus.UNSUPPORTED),
        ({"include_domains": ["de.harbour.example"], "language": "de"}, FilterStatus.APPLIED),
        ({"exclude_domains": ["other.example"]}, FilterStatus.APPLIED),
        ({"exclude_domains": ["harbour.example"]}, FilterStatus.UNSUPPORTED),
    ],
)
def test_hosts_are_decided_here_where_the_vendor_is_one_site(
    make_desk: Callable[..., Any], asked: dict[str, Any], status: FilterStatus
) -> None:
    desk = make_desk(SITE, vendor=EDITION)
    outcome = desk.explained(filters=Filters(**asked))[0][next(iter(asked))]

    assert (status, None) == (outcome.status, outcome.sent)


def test_language_stands_in_the_host_from_the_table_alone(
    make_desk: Callable[..., Any], make_text: Callable[..., str]
) -> None:
    text = make_text(SITE, vendor=EDITION).replace("https://api.", "https://{language}.")
    codec = PresetCodec(load_preset(text, name="harbour"), Connection(name="harbour"))

    def url(**filters: Any) -> str:
        return codec.preview(SearchRequest(query="x", filters=Filters(**filters)), today=date(2026, 3, 4)).url

    assert "https://en.harbour.example/search" == url()
    assert "https://de.harbour.example/search" == url(language="de")
    assert "https://en.harbour.example/search" == url(language="fr")


TOPICS = """
[search.filters.topic]
at = "kind"
values = { images = "img" }
[search.topics]
news = { path = "/news", at = "news" }
images = { at = "pictures" }
"""


def test_topic_can_have_its_own_path_and_list(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(TOPICS)
    rows = {"results": [{"url": "https://a.example/"}], "news": [{"url": "https://n.example/"}], "pictures": []}

    assert "https://api.harbour.example/news" == desk.wire(filters=Filters(topic="news")).url
    assert {"q": "tide tables", "kind": "img"} == desk.body(filters=Filters(topic="images"))
    assert ["https://n.example/"] == [row.url for row in desk.answer(rows, filters=Filters(topic="news")).results]
    assert () == desk.answer(rows, filters=Filters(topic="images")).results
    assert FilterStatus.UNSUPPORTED == desk.explained(filters=Filters(topic="maps"))[0]["topic"].status


def test_outcomes_without_a_query_say_nothing_was_sent(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(HOSTS)
    outcomes = desk.codec.filter_outcomes(Filters(include_domains=["a.example"], recency="day"))

    assert [("recency", "unsupported", None), ("include_domains", "applied", None)] == [
        (str(o.key), str(o.status), o.sent) for o in outcomes
    ]


def test_refused_request_is_refused_before_anything_is_rendered(make_desk: Callable[..., Any]) -> None:
    desk = make_desk('query = { at = "q", max = 5 }\n')

    with pytest.raises(InvalidRequest):
        desk.explained("too long")
    with pytest.raises(InvalidRequest):
        desk.wire("too long")
