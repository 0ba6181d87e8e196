"""Each bundled preset against what is known of its vendor: the call, the count, the page, every filter."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest

from websdk.credentials import Secret
from websdk.declarative import Preset, PresetCodec, PresetReader, bundled_preset_texts
from websdk.errors import AskAgain, FetchError, NotFound, Unreadable
from websdk.model import Filters, FilterStatus, SearchRequest
from websdk.wire import HttpResponse
from websdk.wire.message import HttpRequest
from websdk.wire.status import Meaning, meaning

TODAY = date(2026, 3, 4)
NOW = datetime(2026, 3, 4, tzinfo=UTC)
START, END = date(2026, 1, 2), date(2026, 2, 3)
SEARCHING = sorted(name for name, text in bundled_preset_texts().items() if "\n[search]\n" in text)
READING = sorted(name for name, text in bundled_preset_texts().items() if re.search(r"^\[fetch\]", text, re.MULTILINE))
FILTERS = ["include_domains", "exclude_domains", "country", "language", "safe_search", "topic"]
KNOWN_READERS = """
brightdata cloudflare diffbot exa firecrawl jina linkup ollama parallel scrapingbee tavily valyu you zyte
""".split()


def wire(codec: PresetCodec, **fields: Any) -> HttpRequest:
    """Return the unsigned request of a search."""
    request = next(codec.exchange(SearchRequest(query="tide tables", **fields), today=TODAY))
    assert isinstance(request, HttpRequest)
    return request


def outcome(codec: PresetCodec, **filters: Any) -> Any:
    """Return the outcome of the first of *filters*."""
    outcomes, _ = codec.explain(SearchRequest(query="tide tables", filters=Filters(**filters)), today=TODAY)
    return next(item for item in outcomes if item.key == next(iter(filters)))


def bare(place: str) -> str:
    """Return a place without its mark for lists, as outcomes name it."""
    return place.removesuffix("[]")


# -- the files -------------------------------------------------------------------------------------------------------


def test_every_known_vendor_has_a_preset(facts: dict[str, Any]) -> None:
    assert sorted(facts) == SEARCHING
    assert 36 == len(SEARCHING)
    assert KNOWN_READERS == READING


def test_presets_stay_short_and_say_where_their_facts_come_from() -> None:
    texts = bundled_preset_texts()
    lengths = [len(text.splitlines()) for name, text in texts.items() if name in SEARCHING]

    assert statistics.median(lengths) <= 45
    assert [] == [
        name for name, text in texts.items() if not re.match(r"# .*Facts?: .*20\d\d-\d\d", text.replace("\n# ", " "))
    ]


def test_vendors_that_can_leave_out_images_and_link_targets_are_asked_to_for_evidence(
    presets: dict[str, Preset],
) -> None:
    asked = {name: preset.fetch.evidence for name, preset in presets.items() if preset.fetch and preset.fetch.evidence}

    assert {
        "jina": {"header:X-Retain-Images": "none", "header:X-Retain-Links": "text"},
        "tavily": {"format": "text"},
    } == asked


def test_developer_sources_are_a_family_of_their_own(presets: dict[str, Preset]) -> None:
    code = {name for name, preset in presets.items() if preset.search is not None and preset.search.family == "code"}

    assert {"stackexchange", "hn-algolia"} == code


def test_some_vendors_work_without_a_key(codecs: dict[str, PresetCodec], presets: dict[str, Preset]) -> None:
    hosted = {
        name for name in codecs if presets[name].vendor.base_url is not None and not codecs[name].needs_credential
    }

    assert hosted == {
        "crossref",
        "firecrawl",
        "gdelt",
        "hn-algolia",
        "marginalia",
        "mediawiki",
        "mediawiki-rest",
        "openalex",
        "semantic-scholar",
        "stackexchange",
        "tavily",
    }


# -- the call --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SEARCHING)
def test_call_goes_where_the_vendor_answers(name: str, codecs: dict[str, PresetCodec], facts: dict[str, Any]) -> None:
    fact, request = facts[name], wire(codecs[name])
    base = (fact["base"] or "http://127.0.0.1:9200").replace("{language}", "en")
    path = re.sub(r"\{(index|collection)\}", "pages", fact["path"])

    assert (fact["method"], base + path) == (request.method, request.url.partition("?")[0])
    assert any("tide" in part for part in (request.url, request.body.decode()))


@pytest.mark.parametrize("name", SEARCHING)
def test_key_goes_where_the_vendor_looks_and_nowhere_else(
    name: str, codecs: dict[str, PresetCodec], facts: dict[str, Any], presets: dict[str, Preset]
) -> None:
    auth, rule = codecs[name].auth, presets[name].vendor.auth
    if auth is None or rule is None:
        assert facts[name]["auth"] is None
        return
    signed = auth.sign(wire(codecs[name]), Secret("sk-demo-123:x"), NOW)
    carrier = [header for header, value in signed.headers if "sk-demo-123" in value]
    carrier += ["the address"] if "sk-demo-123" in signed.url else []

    if name != "searxng":  # the operator's own gate stands before it
        assert facts[name]["auth"].lower() == rule.at.lower()
        assert facts[name]["scheme"] == rule.scheme
    assert ([rule.at[7:]] if rule.at.startswith("header:") else ["the address"]) == carrier or rule.scheme == "Basic"
    assert b"sk-demo-123" not in signed.body


@pytest.mark.parametrize("name", SEARCHING)
def test_counts_reach_the_vendors_limits_and_no_further(
    name: str, codecs: dict[str, PresetCodec], facts: dict[str, Any]
) -> None:
    count = facts[name].get("count")
    if count is None or "max" not in count:
        return
    most = count["max"]
    _, none = codecs[name].explain(SearchRequest(query="x", max_results=most), today=TODAY)
    _, (adjustment,) = codecs[name].explain(SearchRequest(query="x", max_results=most + 1), today=TODAY)

    assert () == none
    assert ("max_results", most + 1, most) == (adjustment.what, adjustment.asked, adjustment.sent)


@pytest.mark.parametrize("name", SEARCHING)
def test_second_page_is_asked_for_in_the_vendors_unit(
    name: str, codecs: dict[str, PresetCodec], facts: dict[str, Any]
) -> None:
    page = facts[name].get("page")
    if page is None:
        return
    value = {"page_offset": 1, "page0": 1, "page1": 2, "start0": 10, "start1": 11}[page["style"]]
    first, second = wire(codecs[name], max_results=10), wire(codecs[name], max_results=10, page=2)
    added = set(_leaves(second)) - set(_leaves(first))

    assert {(page["key"], str(value))} == added


# -- filters ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SEARCHING)
@pytest.mark.parametrize("key", FILTERS)
def test_filter_that_the_vendor_has_goes_out_and_no_other(
    name: str, key: str, codecs: dict[str, PresetCodec], facts: dict[str, Any], presets: dict[str, Preset]
) -> None:
    codec, fact = codecs[name], facts[name].get(key)
    found = outcome(codec, **{key: _value(key, codec, name)})
    if presets[name].search.site is not None and key.endswith("domains"):  # type: ignore[union-attr]
        assert FilterStatus.APPLIED == found.status
        assert found.sent is None
        return
    if fact is None:
        assert FilterStatus.UNSUPPORTED == found.status
        return
    place = {"host": "host", "endpoint": "path"}.get(fact.get("style"), bare(fact.get("key") or ""))

    assert FilterStatus.UNSUPPORTED != found.status
    assert (found.sent or "").startswith((f"{place}=", f"header:{place}="))


@pytest.mark.parametrize("name", SEARCHING)
def test_lists_reach_the_vendors_limits_and_no_further(
    name: str, codecs: dict[str, PresetCodec], facts: dict[str, Any], presets: dict[str, Preset]
) -> None:
    for key in ("include_domains", "exclude_domains"):
        fact = facts[name].get(key) or {}
        most = fact.get("max") or (1 if fact.get("style", "").startswith("single") else None)
        if most is None:
            continue
        hosts = [f"h{number}.example" for number in range(most + 1)]

        assert FilterStatus.APPLIED == outcome(codecs[name], **{key: hosts[:most]}).status
        assert FilterStatus.UNSUPPORTED == outcome(codecs[name], **{key: hosts}).status


@pytest.mark.parametrize("name", SEARCHING)
def test_windows_go_out_as_the_vendors_words_or_as_dates(
    name: str, codecs: dict[str, PresetCodec], facts: dict[str, Any]
) -> None:
    recency = facts[name].get("recency")
    for window in ("day", "week", "month", "year"):
        found = outcome(codecs[name], recency=window)
        if recency is None:
            assert FilterStatus.UNSUPPORTED == found.status
        elif window in recency["words"]:
            assert f"{bare(recency['key'])}={recency['words'][window]}" == found.sent
        else:
            assert FilterStatus.APPLIED == found.status
            assert _spelt(_start(window), facts[name]["dates"]["format"]) in (found.sent or "")


@pytest.mark.parametrize("name", SEARCHING)
def test_dates_go_out_in_the_vendors_spelling(name: str, codecs: dict[str, PresetCodec], facts: dict[str, Any]) -> None:
    dates = facts[name].get("dates")
    outcomes, _ = codecs[name].explain(
        SearchRequest(query="x", filters=Filters(published_after=START, published_before=END)), today=TODAY
    )
    if dates is None:
        assert {FilterStatus.UNSUPPORTED} == {item.status for item in outcomes}
        return
    first, last = outcomes
    start = _spelt(START, dates["format"])
    end = _spelt(date(2026, 2, 4) if name == "mojeek" else END, dates["format"], last=True)

    assert (FilterStatus.APPLIED, True) == (first.status, start in (first.sent or ""))
    if dates["style"] == "start_only":
        assert FilterStatus.UNSUPPORTED == last.status
    else:
        assert (FilterStatus.APPLIED, True) == (last.status, end in (last.sent or ""))
    if dates["style"] == "one_string":
        text = dates["template"].replace("{start}", start).replace("{end}", end)
        assert f"{dates['key']}={text}" == first.sent == last.sent
    if dates["style"] == "two_keys":
        assert f"{dates['start_key']}={start}" == first.sent
        assert f"{dates['end_key']}={end}" == last.sent


def test_what_was_asked_is_accounted_for_at_every_vendor(codecs: dict[str, PresetCodec]) -> None:
    everything = Filters(
        recency="week",
        published_after=START,
        published_before=END,
        include_domains=["a.example", "b.example"],
        exclude_domains=["c.example"],
        country="DE",
        language="de",
        safe_search="strict",
        topic="news",
    )
    for name, codec in codecs.items():
        outcomes, _ = codec.explain(SearchRequest(query="x", filters=everything), today=TODAY)

        assert everything.asked() == tuple(item.key for item in outcomes), name
        assert all(item.reason for item in outcomes if not item.status.restricts_in_full), name
        assert all(item.sent is None for item in outcomes if item.status is FilterStatus.UNSUPPORTED), name


# -- losses that others pass over in silence -------------------------------------------------------------------------


def test_losses_known_from_elsewhere_are_reported_here(codecs: dict[str, PresetCodec]) -> None:
    two = ["a.example", "b.example"]

    assert FilterStatus.UNSUPPORTED == outcome(codecs["google-cse"], include_domains=two).status
    assert FilterStatus.APPLIED == outcome(codecs["google-cse"], include_domains=two[:1]).status
    assert "country=united states" == outcome(codecs["tavily"], country="US").sent
    assert FilterStatus.UNSUPPORTED == outcome(codecs["searxng"], country="US").status
    assert 'includeDomains=["a.example","b.example"]' == outcome(codecs["firecrawl"], include_domains=two).sent
    assert "[0].location_code=2840" == outcome(codecs["dataforseo"], country="US").sent
    assert "country=US" == outcome(codecs["you"], country="US").sent
    assert 'excludeDomains=["a.example","b.example"]' == outcome(codecs["exa"], exclude_domains=two).sent
    assert (
        FilterStatus.UNSUPPORTED
        == outcome(codecs["parallel"], exclude_domains=two, include_domains=["c.example"]).status
    )
    assert "tbs=qdr:w" == outcome(codecs["serpapi"], recency="week").sent


@pytest.mark.parametrize(
    ("name", "filters"),
    [
        ("exa", {"published_after": START}),
        ("you", {"recency": "week"}),
        ("searxng", {"recency": "week"}),
        ("searxng", {"include_domains": ["a.example"]}),
        ("linkup", {"published_after": START}),
    ],
)
def test_vendor_that_may_relax_a_filter_is_said_to(
    name: str, filters: dict[str, Any], codecs: dict[str, PresetCodec]
) -> None:
    request = SearchRequest(query="x", filters=Filters(**filters))

    assert 1 == len(codecs[name].caveats(request, today=TODAY))


def test_vendor_without_filters_reports_them_all(codecs: dict[str, PresetCodec]) -> None:
    filters = Filters(recency="week", include_domains=["docs.example"], country="DE")

    assert {FilterStatus.UNSUPPORTED} == {item.status for item in codecs["ollama"].filter_outcomes(filters)}
    assert frozenset() == codecs["ollama"].filter_keys


# -- help ------------------------------------------------------------------------------------------------------------


def _value(key: str, codec: PresetCodec, name: str) -> Any:
    if key == "topic":
        return codec.topics[0] if codec.topics else "news"
    site = {"mediawiki": "wikipedia.org", "mediawiki-rest": "wikipedia.org", "stackexchange": "stackoverflow.com"}
    values = {
        "include_domains": [site.get(name, "a.example")],
        "exclude_domains": ["c.example"],
        "country": "DE",
        "language": "de",
        "safe_search": "strict",
    }
    return values[key]


def _start(window: str) -> date:
    starts = {"day": date(2026, 3, 3), "week": date(2026, 2, 25), "month": date(2026, 2, 2), "year": date(2025, 3, 4)}
    return starts[window]


def _spelt(day: date, form: str, *, last: bool = False) -> str:
    moment = datetime(day.year, day.month, day.day, *((23, 59, 59) if last else (0, 0, 0)), tzinfo=UTC)
    return {
        "YYYY-MM-DD": f"{moment:%Y-%m-%d}",
        "MM/DD/YYYY": f"{moment:%m/%d/%Y}",
        "M/D/YYYY": f"{day.month}/{day.day}/{day.year}",
        "YYYYMMDD": f"{moment:%Y%m%d}",
        "YYYYMMDDHHMMSS": f"{moment:%Y%m%d%H%M%S}",
        "date-time": f"{moment:%Y-%m-%dT%H:%M:%S}Z",
        "unix": str(int(moment.timestamp())),
    }[form]


def _leaves(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Yield every place of a request with its value."""
    import json
    from urllib.parse import parse_qsl, urlsplit

    yield from parse_qsl(urlsplit(request.url).query, keep_blank_values=True)
    for name, value in request.headers:
        yield f"header:{name}", value
    if request.body:
        yield from _inside(json.loads(request.body), "")


def _inside(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _inside(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _inside(item, f"{path}[{position}]")
    else:
        yield path, str(value)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 410, 418, 425, 429, 451, *range(500, 512)])
def test_a_status_that_jina_tells_in_words_means_what_it_means_elsewhere(
    readers: dict[str, PresetReader], status: int
) -> None:
    told = {"data": {"content": "Sorry", "warning": f"Target URL returned error {status}: Sorry"}}
    failure = readers["jina"].classify(HttpResponse(status=200, body=json.dumps(told).encode()), now=NOW)
    expected: dict[Meaning, type[FetchError]] = {Meaning.NOT_THERE: NotFound, Meaning.ASK_AGAIN: AskAgain}

    assert expected.get(meaning(status), Unreadable) is type(failure)
