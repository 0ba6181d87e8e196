"""The vendors' own packages and our presets ask for the same thing in the same way, but for the choices on record.

Each case asks one question twice, through the package and through a client, and compares what a server on loopback
saw. ``tests/data/clients/differences.toml`` holds every difference with its reason: one that is not listed fails, and
so does a listed one that is no longer there.
"""

from __future__ import annotations

import inspect
import json
import tomllib
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import attrs
import pytest

from websdk import Client, Filters, SearchResponse, Settings
from websdk.declarative import bundled_preset_texts, load_preset
from websdk.fetch import FetchOptions
from websdk.settings import ConnectionSettings

from .conftest import ABSENT, Recorder

pytestmark = [
    pytest.mark.clients,
    pytest.mark.requires("clients"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # what the packages import is theirs
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # and so is what they leave open
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

KEY = "sk-demo-123"
QUERY = "tide tables, naïve & 100% c++ #1"
PAGE = "https://port.example/tides"
WANTED, UNWANTED = ["a.example", "b.example"], ["c.example"]
START, END = date(2026, 1, 2), date(2026, 2, 3)
FIRST_SECOND, LAST_SECOND = "2026-01-02T00:00:00Z", "2026-02-03T23:59:59Z"
UNIX_START, UNIX_END = 1767312000, 1770163199
DATA = Path(__file__).parents[1] / "data"


# -- the packages ----------------------------------------------------------------------------------------------------


def tavily(origin: str, key: str | None) -> Any:
    from tavily import TavilyClient

    return TavilyClient(key, api_base_url=origin)


def exa(origin: str, key: str | None) -> Any:
    from exa_py import Exa

    return Exa(key, base_url=origin)


def parallel(origin: str, key: str | None) -> Any:
    from parallel import Parallel

    return Parallel(api_key=key, base_url=origin, max_retries=0)


def firecrawl(origin: str, key: str | None) -> Any:
    from firecrawl import Firecrawl

    return Firecrawl(api_key=key, api_url=origin, max_retries=1)


def linkup(origin: str, key: str | None) -> Any:
    from linkup import LinkupClient

    return LinkupClient(api_key=key, base_url=f"{origin}/v1")


def perplexity(origin: str, key: str | None) -> Any:
    from perplexity import Perplexity

    return Perplexity(api_key=key, base_url=origin, max_retries=0)


def serpapi(origin: str, key: str | None) -> Any:
    from serpapi import Client as SerpApi

    client = SerpApi(api_key=key)
    client.BASE_DOMAIN = origin  # the package takes no address
    return client


def elsewhere(origin: str, host: str) -> Any:
    """Return what carries calls to the recorder where a package lets nobody change its address."""
    import httpx

    class Elsewhere(httpx.HTTPTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            assert host == request.url.host
            request.url = request.url.copy_with(scheme="http", host="127.0.0.1", port=urlsplit(origin).port)
            return super().handle_request(request)

    return Elsewhere()


def ollama(origin: str, key: str | None) -> Any:
    from ollama import Client as Ollama

    return Ollama(headers={"Authorization": f"Bearer {key}"}, transport=elsewhere(origin, "ollama.com"))


def you(origin: str, key: str | None) -> Any:
    import httpx
    from youdotcom import You

    return You(api_key_auth=key, client=httpx.Client(transport=elsewhere(origin, "ydc-index.io")))


def valyu(origin: str, key: str | None) -> Any:
    from valyu import Valyu

    return Valyu(api_key=key, base_url=f"{origin}/v1")


def meilisearch(origin: str, key: str | None) -> Any:
    from meilisearch import Client as Meilisearch

    return Meilisearch(origin, key)


def typesense(origin: str, key: str | None) -> Any:
    from typesense import Client as Typesense

    node = {"host": "127.0.0.1", "port": urlsplit(origin).port, "protocol": "http"}
    return Typesense({"nodes": [node], "api_key": key, "num_retries": 0, "connection_timeout_seconds": 5})


def opensearch(origin: str, key: str | None) -> Any:
    from opensearchpy import OpenSearch

    return OpenSearch([origin], http_auth=tuple(str(key).split(":")))


def elasticsearch(origin: str, key: str | None) -> Any:
    from elasticsearch import Elasticsearch

    return Elasticsearch(origin, api_key=key)


PACKAGES: dict[str, Callable[[str, str | None], Any]] = {
    made.__name__: made
    for made in (
        tavily,
        exa,
        parallel,
        firecrawl,
        linkup,
        perplexity,
        serpapi,
        ollama,
        you,
        valyu,
        meilisearch,
        typesense,
        opensearch,
        elasticsearch,
    )
}


# -- the questions ---------------------------------------------------------------------------------------------------


@attrs.frozen
class Case:
    """One question.

    Attributes:
        vendor: The preset's id.
        name: What the question is about.
        theirs: Asks it through the package.
        ours: What our client is asked: filters and count of a search; ``None`` for the read of a page.
        key: The key, where one is used.
        settings: What the operator gives.
        page: The page of results.
    """

    vendor: str
    name: str
    theirs: Callable[[Any], Any]
    ours: dict[str, Any] | None = None
    key: str | None = KEY
    settings: dict[str, str] = attrs.field(factory=dict)
    page: int = 1

    def __str__(self) -> str:
        return f"{self.vendor}-{self.name}"


FIELDS = {"index": "pages", "country_field": "land", "language_field": "tongue", "topic_field": "kind"}
EVERYTHING_OF_AN_INDEX = {
    "include_domains": WANTED,
    "exclude_domains": UNWANTED,
    "published_after": START,
    "published_before": END,
    "country": "DE",
    "topic": "news",
}
ONE_BODY = {
    "query": {
        "bool": {
            "must": [{"multi_match": {"query": QUERY, "fields": ["title", "content"]}}],
            "filter": [
                {"range": {"published": {"gte": "2026-01-02"}}},
                {"range": {"published": {"lte": "2026-02-03"}}},
                {"terms": {"domains": WANTED}},
                {"term": {"land": "DE"}},
                {"term": {"tongue": "de"}},
                {"term": {"kind": "news"}},
            ],
            "must_not": [{"terms": {"domains": UNWANTED}}],
        }
    },
    "size": 5,
    "from": 5,
}

SEARCHES = [
    Case(
        "tavily",
        "window",
        lambda client: client.search(
            QUERY,
            max_results=5,
            time_range="week",
            include_domains=WANTED,
            exclude_domains=UNWANTED,
            topic="news",
            language="de",
            filter_by_language=True,
            include_usage=True,
        ),
        {
            "recency": "week",
            "include_domains": WANTED,
            "exclude_domains": UNWANTED,
            "topic": "news",
            "language": "de",
        },
    ),
    Case(
        "tavily",
        "keyless-dates",
        lambda client: client.search(
            QUERY, max_results=5, start_date="2026-01-02", end_date="2026-02-03", country="germany", include_usage=True
        ),
        {"published_after": START, "published_before": END, "country": "DE"},
        key=None,
    ),
    Case(
        "exa",
        "everything",
        lambda client: client.search(
            QUERY,
            num_results=5,
            include_domains=WANTED,
            exclude_domains=UNWANTED,
            start_published_date=FIRST_SECOND,
            end_published_date=LAST_SECOND,
            category="news",
            moderation=True,
            user_location="DE",
            contents={"highlights": True},
        ),
        {
            "include_domains": WANTED,
            "exclude_domains": UNWANTED,
            "published_after": START,
            "published_before": END,
            "topic": "news",
            "safe_search": "strict",
            "country": "DE",
        },
    ),
    Case(
        "parallel",
        "wanted-hosts",
        lambda client: client.search(
            search_queries=[QUERY],
            objective=QUERY,
            advanced_settings={
                "max_results": 5,
                "location": "DE",
                "source_policy": {"after_date": "2026-01-02", "include_domains": WANTED},
            },
        ),
        {"published_after": START, "include_domains": WANTED, "country": "DE"},
    ),
    Case(
        "parallel",
        "unwanted-hosts",
        lambda client: client.search(
            search_queries=[QUERY],
            objective=QUERY,
            advanced_settings={"max_results": 5, "source_policy": {"exclude_domains": UNWANTED}},
        ),
        {"exclude_domains": UNWANTED},
    ),
    Case(
        "firecrawl",
        "window",
        lambda client: client.search(
            QUERY, limit=5, tbs="qdr:w", country="DE", include_domains=WANTED, sources=["news"]
        ),
        {"recency": "week", "country": "DE", "include_domains": WANTED, "topic": "news"},
    ),
    Case(
        "firecrawl",
        "keyless-dates",
        lambda client: client.search(
            QUERY, limit=5, tbs="cdr:1,cd_min:01/02/2026,cd_max:02/03/2026", exclude_domains=UNWANTED
        ),
        {"published_after": START, "published_before": END, "exclude_domains": UNWANTED},
        key=None,
    ),
    Case(
        "linkup",
        "everything",
        lambda client: client.search(
            QUERY,
            depth="standard",
            output_type="searchResults",
            from_date=START,
            to_date=END,
            include_domains=WANTED,
            exclude_domains=UNWANTED,
            max_results=5,
        ),
        {
            "published_after": START,
            "published_before": END,
            "include_domains": WANTED,
            "exclude_domains": UNWANTED,
        },
    ),
    Case(
        "perplexity",
        "window",
        lambda client: client.search.create(
            query=QUERY,
            max_results=5,
            country="DE",
            search_recency_filter="week",
            search_domain_filter=WANTED,
            search_language_filter=["de"],
            search_mode="academic",
        ),
        {"recency": "week", "country": "DE", "include_domains": WANTED, "language": "de", "topic": "academic"},
    ),
    Case(
        "perplexity",
        "dates",
        lambda client: client.search.create(
            query=QUERY,
            max_results=5,
            search_after_date_filter="01/02/2026",
            search_before_date_filter="02/03/2026",
            search_domain_filter=["-c.example"],
        ),
        {"published_after": START, "published_before": END, "exclude_domains": UNWANTED},
    ),
    Case(
        "serpapi",
        "everything",
        lambda client: client.search(
            engine="google",
            q=f"({QUERY}) (site:a.example OR site:b.example) -site:c.example",
            num=5,
            start=5,
            tbs="qdr:w",
            gl="de",
            hl="de",
            safe="active",
        ),
        {
            "recency": "week",
            "include_domains": WANTED,
            "exclude_domains": UNWANTED,
            "country": "DE",
            "language": "de",
            "safe_search": "strict",
        },
        page=2,
    ),
    Case("ollama", "plain", lambda client: client.web_search(QUERY, max_results=5), {}),
    Case(
        "you",
        "window",
        lambda client: client.search(
            query=QUERY,
            count=5,
            offset=1,
            freshness="week",
            country="de",
            language="de",
            safesearch="strict",
            include_domains=WANTED,
        ),
        {"recency": "week", "country": "DE", "language": "de", "safe_search": "strict", "include_domains": WANTED},
        page=2,
    ),
    Case(
        "you",
        "dates",
        lambda client: client.search(
            query=QUERY, count=5, freshness="2026-01-02to2026-02-03", exclude_domains=UNWANTED
        ),
        {"published_after": START, "published_before": END, "exclude_domains": UNWANTED},
    ),
    Case(
        "valyu",
        "everything",
        lambda client: client.search(
            QUERY,
            search_type="news",
            max_num_results=5,
            relevance_threshold=0.0,
            included_sources=WANTED,
            excluded_sources=UNWANTED,
            country_code="DE",
            start_date="2026-01-02",
            end_date="2026-02-03",
        ),
        {
            "include_domains": WANTED,
            "exclude_domains": UNWANTED,
            "country": "DE",
            "published_after": START,
            "published_before": END,
            "topic": "news",
        },
    ),
    Case(
        "meilisearch",
        "everything",
        lambda client: client.index("pages").search(
            QUERY,
            {
                "limit": 5,
                "offset": 5,
                "filter": f"published >= {UNIX_START} AND published <= {UNIX_END}"
                ' AND (domains = "a.example" OR domains = "b.example") AND domains != "c.example"'
                ' AND land = "DE" AND kind = "news"',
                "locales": ["de"],
                "attributesToCrop": ["content"],
                "cropLength": 60,
                "showRankingScore": True,
            },
        ),
        {**EVERYTHING_OF_AN_INDEX, "language": "de"},
        settings={key: value for key, value in FIELDS.items() if key != "language_field"},
        page=2,
    ),
    Case(
        "typesense",
        "everything",
        lambda client: client.collections["pages"].documents.search(
            {
                "q": QUERY,
                "query_by": "title,content",
                "per_page": 5,
                "page": 2,
                "highlight_start_tag": "",
                "highlight_end_tag": "",
                "filter_by": f"published:>={UNIX_START} && published:<={UNIX_END}"
                " && (domains:=a.example || domains:=b.example) && domains:!=c.example"
                " && land:=DE && tongue:=de && kind:=news",
            }
        ),
        {**EVERYTHING_OF_AN_INDEX, "language": "de"},
        settings=FIELDS,
        page=2,
    ),
    Case(
        "opensearch",
        "everything",
        lambda client: client.search(index="pages", body=ONE_BODY),
        {**EVERYTHING_OF_AN_INDEX, "language": "de"},
        key="reader:sk-demo-123",
        settings=FIELDS,
        page=2,
    ),
    Case(
        "elasticsearch",
        "everything",
        lambda client: client.search(index="pages", query=ONE_BODY["query"], size=5, from_=5),
        {**EVERYTHING_OF_AN_INDEX, "language": "de"},
        settings=FIELDS,
        page=2,
    ),
]

READS = [
    Case("tavily", "page", lambda client: client.extract([PAGE], format="markdown", extract_depth="basic")),
    Case("exa", "page", lambda client: client.get_contents([PAGE], text=True)),
    Case("parallel", "page", lambda client: client.extract(urls=[PAGE], advanced_settings={"full_content": True})),
    Case("firecrawl", "page", lambda client: client.scrape(PAGE, formats=["rawHtml"])),
    Case("linkup", "page", lambda client: client.fetch(PAGE, include_raw_content=True)),
    Case("ollama", "page", lambda client: client.web_fetch(PAGE)),
    Case("you", "page", lambda client: client.contents(urls=[PAGE], formats=["html"])),
    Case("valyu", "page", lambda client: client.contents([PAGE], response_length="max")),
]


# -- the comparison --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def differences() -> dict[str, dict[str, dict[str, Any]]]:
    """The choices on record: vendor, place, and what stands there on each side."""
    listed: dict[str, dict[str, dict[str, Any]]] = tomllib.loads((DATA / "clients/differences.toml").read_text("utf-8"))
    return listed


def reply_of(vendor: str, example: str) -> Any:
    return json.loads((DATA / f"examples/{vendor}/{example}.json").read_text("utf-8"))["reply"]["body"]


def open_client(case: Case, origin: str) -> Client:
    connection = ConnectionSettings(
        vendor=case.vendor, base_url=origin, settings=case.settings, credential="own" if case.key else None
    )
    settings = Settings(
        connections={case.vendor: connection},
        plugins=(),
        fetch=FetchOptions(docs_index_discovery=False, proxy=case.vendor),
    )
    return Client(settings, credentials={"own": case.key} if case.key else None)


def compared(recorder: Recorder, case: Case, example: str, ask: Callable[[Client], Any]) -> dict[str, dict[str, Any]]:
    """Ask twice, and return what differs."""
    recorder.answer = reply_of(case.vendor, example)
    read = case.theirs(PACKAGES[case.vendor](recorder.origin, case.key))
    with open_client(case, recorder.origin) as client:
        answer = ask(client)
    if isinstance(answer, SearchResponse):
        assert answer.results
        assert all(result.url in str(read) for result in answer.results)
    theirs, ours = recorder.requests
    return {
        place: {"theirs": theirs.get(place, ABSENT), "ours": ours.get(place, ABSENT)}
        for place in sorted(theirs.keys() | ours.keys())
        if theirs.get(place, ABSENT) != ours.get(place, ABSENT)
    }


def on_record(differences: dict[str, dict[str, dict[str, Any]]], section: str) -> dict[str, dict[str, Any]]:
    """Return the differences listed for one case, reasons left aside."""
    listed = differences.get(section, {})
    assert all(entry.get("reason", "").endswith(".") for entry in listed.values())
    return {
        place: {side: value for side, value in entry.items() if side != "reason"} for place, entry in listed.items()
    }


@pytest.mark.parametrize("case", SEARCHES, ids=str)
def test_search_goes_out_as_the_vendors_package_sends_it(case: Case, recorder: Recorder, differences: Any) -> None:
    assert case.ours is not None
    filters = Filters(**case.ours)
    found = compared(
        recorder,
        case,
        "results",
        lambda client: client.search(QUERY, provider=case.vendor, max_results=5, page=case.page, filters=filters),
    )

    assert on_record(differences, str(case)) == found


@pytest.mark.parametrize("case", READS, ids=str)
def test_page_is_asked_for_as_the_vendors_package_does(case: Case, recorder: Recorder, differences: Any) -> None:
    found = compared(recorder, case, "page", lambda client: client.fetch(PAGE, via="proxy", provider=case.vendor))

    assert on_record(differences, str(case)) == found


def _words_of_you() -> Iterator[tuple[str, str, set[str]]]:
    from youdotcom import models

    yield "you", "country", {item.value for item in models.Country}
    yield "you", "language", {item.value for item in models.Language}


def _words_of_valyu() -> Iterator[tuple[str, str, set[str]]]:
    from valyu.types import SUPPORTED_COUNTRY_CODES, SearchType

    yield "valyu", "country", set(SUPPORTED_COUNTRY_CODES) - {"ALL"}  # ALL is no country
    yield "valyu", "topic", set(get_args(SearchType))


def _words_of_others() -> Iterator[tuple[str, str, set[str]]]:
    from exa_py.api import Category
    from perplexity import Perplexity
    from tavily import TavilyClient

    yield "exa", "topic", set(get_args(Category))
    search = inspect.signature(TavilyClient.search).parameters
    yield "tavily", "topic", set(get_args(search["topic"].annotation))
    yield "tavily", "recency", set(get_args(search["time_range"].annotation))
    create = get_type_hints(type(Perplexity(api_key=KEY).search).create)
    yield "perplexity", "topic", _texts(create["search_mode"])
    yield "perplexity", "recency", _texts(create["search_recency_filter"]) - {"hour"}  # no window of ours


def _texts(annotation: Any) -> set[str]:
    """Return every word of a nest of unions."""
    if get_origin(annotation) is Literal:
        return set(get_args(annotation))
    return set().union(*map(_texts, get_args(annotation)))


def test_words_of_presets_are_those_of_the_packages() -> None:
    for vendor, key, theirs in (*_words_of_you(), *_words_of_valyu(), *_words_of_others()):
        preset = load_preset(bundled_preset_texts()[vendor], name=vendor)
        assert preset.search is not None
        rule = getattr(preset.search.filters, key)
        ours = {theirs_or_none or word for word, theirs_or_none in rule.values.items()}

        assert {word.casefold() for word in theirs} == {word.casefold() for word in ours}, (vendor, key)


def test_every_package_has_its_case_and_no_choice_stands_without_one(differences: Any) -> None:
    cases = {str(case) for case in SEARCHES + READS}

    assert set(PACKAGES) == {case.vendor for case in SEARCHES}
    assert set(differences) <= cases
    assert len(cases) == len(SEARCHES + READS)
