"""Pages through a reader: the four shapes of failure, addresses, statuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from websdk.declarative import PresetReader, load_preset
from websdk.errors import (
    AskAgain,
    ConfigurationError,
    FetchError,
    MalformedAnswer,
    NotFound,
    ProviderRejected,
    RateLimited,
    Unreadable,
    WebSdkError,
)
from websdk.model import Connection
from websdk.protocols.fetch import CheckedUrl, RawDocument
from websdk.wire.message import HttpRequest, HttpResponse

Make = Callable[..., Any]
HREF = "https://port.example/tides?day=1"
URL = CheckedUrl(href=HREF, scheme="https", host="port.example", port=443, origin="https://port.example")
HEAD = 'schema = 1\n[vendor]\nname = "Ferry"\nbase_url = "https://api.ferry.example"\n[fetch]\npath = "/read"\n'
LISTED = """
url = "urls[]"
[fetch.page]
at = "results"
url = ["id", "url"]
served_url = "url"
html = "html"
markdown = "text"
title = "title"
published = "date"
status = "meta.status"
[fetch.failures]
at = "failed"
where = { state = "error" }
url = "url"
status = "status"
key = "tag"
values = { GONE = "not_found", SLOW = "ask_again" }
[fetch.reply]
notices = "warning"
"""


def reader(text: str) -> PresetReader:
    """Return the reader of a preset."""
    return PresetReader(load_preset(HEAD + text, name="ferry"), Connection(name="ferry"))


def read(codec: PresetReader, response: HttpResponse, now: datetime) -> RawDocument:
    """Run one exchange as a provider does: classify first, then parse."""
    exchange = codec.exchange(URL)
    next(exchange)
    error = codec.classify(response, now=now)
    if error is not None:
        raise error
    with pytest.raises(StopIteration) as stop:
        exchange.send(response)
    document = stop.value.value
    assert isinstance(document, RawDocument)
    return document


def test_address_goes_to_its_place() -> None:
    request = next(reader(LISTED).exchange(URL))

    assert isinstance(request, HttpRequest)
    assert ("https://api.ferry.example/read", {"urls": [HREF]}) == (request.url, json.loads(request.body))


def test_values_for_evidence_are_written_over_the_fixed_ones() -> None:
    asks = 'fixed = { format = "markdown", depth = 1, tags = ["a", "b"] }\n'
    codec = reader(asks + 'evidence = { format = "text", tags = [], "header:X-Links" = "none" }\n' + LISTED)
    plain, evidence = (next(codec.exchange(URL, for_evidence=asked)) for asked in (False, True))

    assert isinstance(plain, HttpRequest)
    assert isinstance(evidence, HttpRequest)
    assert {"format": "markdown", "depth": 1, "tags": ["a", "b"], "urls": [HREF]} == json.loads(plain.body)
    assert {"format": "text", "depth": 1, "tags": [], "urls": [HREF]} == json.loads(evidence.body)
    assert (None, "none") == tuple(dict(sent.headers).get("X-Links") for sent in (plain, evidence))


def test_address_in_a_query_is_escaped_whole() -> None:
    request = next(reader('method = "GET"\nurl = "url"\npage = { html = "body" }\n').exchange(URL))

    assert isinstance(request, HttpRequest)
    assert "https://api.ferry.example/read?url=https%3A%2F%2Fport.example%2Ftides%3Fday%3D1" == request.url


def test_html_is_preferred_and_everything_named_is_carried(make_reply: Make, now: datetime) -> None:
    row = {
        "id": HREF,
        "url": "https://www.port.example/tides",
        "html": "<h1>Tides</h1>",
        "text": "# Tides",
        "title": "Tides",
        "date": "2026-03-01",
        "meta": {"status": 200},
    }
    page = read(reader(LISTED), make_reply({"results": [row], "warning": "from a cache"}), now)

    assert (b"<h1>Tides</h1>", "text/html; charset=utf-8", False) == (page.body, page.content_type, page.is_markdown)
    assert ("https://www.port.example/tides", "Tides", "2026-03-01", 200) == (
        page.served_url,
        page.title,
        str(page.published),
        page.status,
    )
    assert ("ferry", ("from a cache",), page.notices) == (page.reader, page.notices, page.said_by_vendor)


def test_markdown_is_the_fallback_and_says_so(make_reply: Make, now: datetime) -> None:
    page = read(reader(LISTED), make_reply({"results": [{"id": HREF, "text": "# Tides", "html": None}]}), now)

    assert (b"# Tides", True, None) == (page.body, page.is_markdown, page.served_url)


def test_served_address_stays_unknown_where_no_path_names_it(make_reply: Make, now: datetime) -> None:
    codec = reader('url = "url"\npage = { markdown = "content" }\n')

    assert read(codec, make_reply({"content": "x", "url": HREF}), now).served_url is None
    assert not codec.names_served_url
    assert reader(LISTED).names_served_url


def test_row_is_found_by_address_and_never_by_position(make_reply: Make, now: datetime) -> None:
    rows = [{"id": "https://other.example/", "text": "other"}, {"url": HREF + "#top", "text": "right"}]

    assert b"right" == read(reader(LISTED), make_reply({"results": rows}), now).body
    with pytest.raises(MalformedAnswer):
        read(reader(LISTED), make_reply({"results": rows[:1]}), now)


def test_empty_list_of_pages_is_about_no_page_at_all(make_reply: Make, now: datetime) -> None:
    with pytest.raises(Unreadable) as failure:
        read(reader(LISTED), make_reply({"results": []}), now)

    assert "vendor_failure" == failure.value.seen
    assert "another page" not in str(failure.value)


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        ({"url": HREF, "state": "error", "tag": "GONE"}, NotFound),
        ({"url": HREF, "state": "error", "tag": "SLOW"}, AskAgain),
        ({"url": HREF, "state": "error", "tag": "OTHER", "status": 404}, NotFound),
        ({"url": HREF, "state": "error", "status": 503}, AskAgain),
        ({"url": HREF, "state": "error", "status": "odd"}, Unreadable),
        ({"url": HREF, "state": "error"}, Unreadable),
    ],
)
def test_failure_listed_in_a_good_reply(make_reply: Make, now: datetime, entry: Any, kind: type[FetchError]) -> None:
    with pytest.raises(kind) as failure:
        read(reader(LISTED), make_reply({"results": [], "failed": [3, entry]}), now)
    assert HREF not in str(failure.value)


def test_failure_of_another_page_is_not_ours(make_reply: Make, now: datetime) -> None:
    failed = [{"url": "https://other.example/", "state": "error"}, {"url": HREF, "state": "success"}]
    body = {"results": [{"id": HREF, "text": "x"}], "failed": failed}

    assert b"x" == read(reader(LISTED), make_reply(body), now).body


INLINE = """
url = "urls[]"
[fetch.page]
at = "results"
url = "url"
markdown = "content"
[fetch.failures]
at = "results"
where = { status = "failed" }
url = "url"
"""


def test_failure_among_the_pages(make_reply: Make, now: datetime) -> None:
    with pytest.raises(Unreadable):
        read(reader(INLINE), make_reply({"results": [{"url": HREF, "status": "failed", "content": "sorry"}]}), now)


ERRORS = """
url = "url"
page = { markdown = "text" }
errors = [
  { at = "errorCode", equals = 404, means = "not_found" },
  { at = "warning", begins = "Target URL returned error 5", means = "ask_again" },
  { at = "errorCode", means = "unreadable" },
]
"""


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"errorCode": 404, "text": "x"}, NotFound),
        ({"errorCode": 500, "text": "x"}, Unreadable),
        ({"warning": "Target URL returned error 503: x", "text": "x"}, AskAgain),
        ({"text": ""}, Unreadable),
        ({"text": None}, Unreadable),
        ({}, Unreadable),
    ],
)
def test_failure_inside_a_good_status(make_reply: Make, now: datetime, body: Any, kind: type[FetchError]) -> None:
    with pytest.raises(kind):
        read(reader(ERRORS), make_reply(body), now)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(404, NotFound), (410, NotFound), (429, AskAgain), (503, AskAgain), (403, Unreadable), (301, Unreadable)],
)
def test_status_of_the_page_is_apart_from_that_of_the_vendor(
    make_reply: Make, now: datetime, status: int, kind: type[FetchError]
) -> None:
    row = {"id": HREF, "text": "Not here", "meta": {"status": status}}

    with pytest.raises(kind):
        read(reader(LISTED), make_reply({"results": [row]}), now)


def test_status_of_the_vendor_is_the_vendors_failure(make_reply: Make, now: datetime) -> None:
    assert isinstance(reader(LISTED).classify(make_reply({}, status=429), now=now), RateLimited)
    assert isinstance(reader(LISTED).classify(make_reply({}, status=404), now=now), ProviderRejected)
    assert isinstance(reader(LISTED).classify(make_reply({"error": "x"}), now=now), ProviderRejected)


def test_whole_body_is_the_page(now: datetime) -> None:
    codec = reader('url = "url"\npage = { html = "body", served_url = "header:Served" }\n')
    headers = (("Content-Type", "text/html; charset=koi8-r"), ("served", "https://www.port.example/"))
    page = read(codec, HttpResponse(status=200, body=b"<p>x", headers=headers), now)

    assert (b"<p>x", "text/html; charset=koi8-r", "https://www.port.example/") == (
        page.body,
        page.content_type,
        page.served_url,
    )
    with pytest.raises(Unreadable):
        read(codec, HttpResponse(status=200, body=b" \n"), now)


def test_preset_without_the_table_does_not_read(make_text: Make) -> None:
    with pytest.raises(ConfigurationError):
        PresetReader(load_preset(make_text(), name="harbour"), Connection(name="harbour"))


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.just(10**400) | st.floats() | st.text(max_size=6) | st.just(HREF),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from("results failed warning error id url html text title date meta state status tag".split())


@settings(max_examples=150, deadline=None)
@given(body=st.dictionaries(KEYS, ODD) | ODD, row=st.dictionaries(KEYS, ODD))
def test_odd_replies_are_typed_failures_or_pages(make_reply: Make, now: datetime, body: Any, row: Any) -> None:
    for candidate in (body, {"results": [row, body]}, {"results": [{**row, "id": HREF}]}):
        try:
            page = read(reader_of_lists(), make_reply(candidate), now)
        except WebSdkError:
            continue
        assert page.body


def reader_of_lists() -> PresetReader:
    """Return the reader of lists."""
    return reader(LISTED)
