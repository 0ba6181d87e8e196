"""How requests are written: places, counts, pages, lengths (the kinds K10 and K19), settings, addresses."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from websdk.declarative import PresetCodec, load_preset
from websdk.declarative.draft import Draft
from websdk.declarative.words import Method
from websdk.errors import ConfigurationError, InvalidRequest
from websdk.model import Connection, Filters, SearchRequest


@pytest.mark.parametrize(
    ("place", "value", "body"),
    [
        ("a", 1, {"a": 1}),
        ("a.b.c", True, {"a": {"b": {"c": True}}}),
        ("a[]", "x", {"a": ["x"]}),
        ("a[]", ["x", "y"], {"a": ["x", "y"]}),
        ("a.b[1].c", "x", {"a": {"b": [{}, {"c": "x"}]}}),
        ("[0].a", "x", [{"a": "x"}]),
        ("a.b[]", {"c": 1}, {"a": {"b": [{"c": 1}]}}),
    ],
)
def test_places_of_a_body(place: str, value: Any, body: Any) -> None:
    draft = Draft(Method.POST)
    draft.write(place, value)

    assert body == json.loads(draft.request("https://a.example/").body)


def test_later_value_replaces_and_lists_collect() -> None:
    draft = Draft(Method.POST)
    for place, value in (("a", 1), ("b[]", 1), ("a", 2), ("b[]", [2, 3]), ("header:X-A", "1"), ("header:x-a", "2")):
        draft.write(place, value)
    request = draft.request("https://a.example/")

    assert {"a": 2, "b": [1, 2, 3]} == json.loads(request.body)
    assert ("2",) == tuple(value for name, value in request.headers if name.lower() == "x-a")


def test_query_string_is_escaped_and_lists_become_one_value() -> None:
    draft = Draft(Method.GET)
    for place, value in (("q", "a&b=c d+é%"), ("flag", False), ("list[]", ["x", "y"]), ("query:n", 3)):
        draft.write(place, value)
    request = draft.request("https://a.example/s")

    assert "https://a.example/s?q=a%26b%3Dc%20d%2B%C3%A9%25&flag=false&list=x%2Cy&n=3" == request.url
    assert b"" == request.body
    assert request.url.isascii()


def test_body_request_can_carry_query_and_headers() -> None:
    draft = Draft(Method.POST)
    draft.write("query:zone", "z")
    draft.write("header:X-Site", "a.example")
    request = draft.request("https://a.example/")

    assert ("https://a.example/?zone=z", "a.example", b"{}") == (request.url, request.header("x-site"), request.body)


# -- K10 -------------------------------------------------------------------------------------------------------------


def test_query_is_counted_in_code_points_and_refused_never_cut(make_desk: Callable[..., Any]) -> None:
    desk = make_desk('query = { at = "q", max = 400 }\n')

    assert "x" * 400 == desk.body("x" * 400)["q"]
    for query in ("x" * 401, "x" * 399 + "e\u0301"):
        with pytest.raises(InvalidRequest) as refusal:
            desk.wire(query)
        assert query not in str(refusal.value)


def test_query_can_go_to_several_places_and_be_escaped(make_desk: Callable[..., Any]) -> None:
    desk = make_desk('query = { at = ["queries[]", "objective"], escape = "percent" }\n')

    assert {"queries": ["100%25 a%2Bb"], "objective": "100%25 a%2Bb"} == desk.body("100% a+b")


# -- counts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "asked", "sent", "adjusted"),
    [
        ('{ at = "n", min = 1, max = 20 }', 10, 10, None),
        ('{ at = "n", min = 1, max = 20 }', 21, 20, 20),
        ('{ at = "n", min = 10, max = 200, step = 10 }', 15, 20, 20),
        ('{ at = "n", min = 10, max = 200, step = 10 }', 3, 10, 10),
        ('{ at = "n", max = 25, step = 10 }', 25, 25, None),
        ("{ max = 10 }", 25, None, 10),
        ("{ max = 10 }", 5, None, None),
        ("{}", 500, None, None),
    ],
)
def test_count_is_sent_within_the_vendors_rule_and_told(
    make_desk: Callable[..., Any], rule: str, asked: int, sent: int | None, adjusted: int | None
) -> None:
    desk = make_desk(f"count = {rule}\n")
    _, adjustments = desk.explained(max_results=asked)

    assert sent == desk.body(max_results=asked).get("n")
    assert ([] if adjusted is None else [("max_results", asked, adjusted)]) == [
        (a.what, a.asked, a.sent) for a in adjustments
    ]


# -- K19 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("style", "second", "third"),
    [("rows-from-0", 20, 40), ("rows-from-1", 21, 41), ("pages-from-0", 1, 2), ("pages-from-1", 2, 3)],
)
def test_later_page_is_asked_for_in_the_vendors_unit(
    make_desk: Callable[..., Any], style: str, second: int, third: int
) -> None:
    desk = make_desk(f'count = {{ at = "n", max = 20 }}\npage = {{ at = "p", style = "{style}" }}\n')

    assert "p" not in desk.body(max_results=20)
    assert second == desk.body(max_results=20, page=2)["p"]
    assert third == desk.body(max_results=50, page=3)["p"]


@pytest.mark.parametrize(
    ("rule", "last"),
    [
        ("", 1),
        ('page = { at = "p", style = "pages-from-0", last = 1 }\n', 1),
        ('page = { at = "p", style = "pages-from-0", last = 10 }\n', 10),
        ('page = { at = "p", style = "rows-from-1", last = 100 }\n', 5),
    ],
)
def test_page_that_cannot_exist_is_refused_unsent(make_desk: Callable[..., Any], rule: str, last: int) -> None:
    desk = make_desk('count = { at = "n", max = 20 }\n' + rule)

    assert desk.wire(max_results=20, page=last)
    with pytest.raises(InvalidRequest):
        desk.wire(max_results=20, page=last + 1)
    with pytest.raises(InvalidRequest):
        desk.explained(max_results=20, page=last + 1)


# -- settings and addresses ------------------------------------------------------------------------------------------

SETTINGS = """
[vendor.settings]
engine = { about = "id of the engine", at = "cx" }
index = { about = "name of the index" }
fields = { about = "fields", at = "fields[]", default = "title, text" }
contact = { about = "who asks", at = "header:User-Agent", default = "" }
"""


def test_missing_setting_is_a_configuration_error_that_says_how_to_give_it(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(vendor=SETTINGS, settings={"index": "pages"})

    with pytest.raises(ConfigurationError) as failure:
        desk.wire()
    assert "engine: id of the engine" in str(failure.value)
    assert "[connections.harbour.settings]" in str(failure.value)
    assert ({}, ()) == desk.explained()
    preview = desk.codec.preview(SearchRequest(query="x"), today=date(2026, 3, 4))
    assert "<engine>" == json.loads(preview.body)["cx"]


def test_settings_go_to_their_places(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(vendor=SETTINGS, settings={"engine": "e1", "index": "pages", "contact": "me@a.example"})
    wire = desk.wire()

    assert {"q": "tide tables", "cx": "e1", "fields": ["title", "text"]} == json.loads(wire.body)
    assert "me@a.example" == wire.header("user-agent")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("index", "a/b"),
        ("index", ".."),
        ("index", "a?b"),
        ("index", "a b"),
        ("engine", "a\nb"),
        ("engine", "x" * 600),
        ("contact", "é"),
        ("unknown", "x"),
    ],
)
def test_setting_that_does_not_suit_its_place_is_refused(make_desk: Callable[..., Any], name: str, value: str) -> None:
    with pytest.raises(ConfigurationError, match=name):
        make_desk(vendor=SETTINGS, settings={"engine": "e", "index": "i", name: value})


def test_holes_of_the_path_are_filled_from_settings(make_text: Callable[..., str]) -> None:
    text = make_text(vendor=SETTINGS).replace('"/search"', '"/{index}/_search"')
    connection = Connection(name="harbour", settings={"engine": "e", "index": "pages-1"})
    codec = PresetCodec(load_preset(text, name="harbour"), connection)
    request = codec.preview(SearchRequest(query="x"), today=date(2026, 3, 4))

    assert "https://api.harbour.example/pages-1/_search" == request.url


def test_configured_base_takes_the_place_of_the_presets_own(make_desk: Callable[..., Any]) -> None:
    desk = make_desk(base_url="http://127.0.0.1:8080/gate/")

    assert "http://127.0.0.1:8080/gate/search" == desk.wire().url


@pytest.mark.parametrize("base", ["ftp://a.example", "https://u:p@a.example", "https://a.example/?x", "nonsense"])
def test_configured_base_that_is_no_plain_address_is_refused(make_desk: Callable[..., Any], base: str) -> None:
    with pytest.raises(ConfigurationError) as failure:
        make_desk(base_url=base)
    assert "u:p" not in str(failure.value)


def test_service_without_a_known_address_asks_for_one(make_text: Callable[..., str]) -> None:
    text = make_text().replace('base_url = "https://api.harbour.example"', "")
    codec = PresetCodec(load_preset(text, name="harbour"), Connection(name="harbour"))

    with pytest.raises(ConfigurationError, match="base_url"):
        next(codec.exchange(SearchRequest(query="x"), today=date(2026, 3, 4)))
    assert ((), ()) == codec.explain(SearchRequest(query="x"), today=date(2026, 3, 4))


def test_rendering_is_a_pure_function_of_its_arguments(make_desk: Callable[..., Any]) -> None:
    search = 'fixed = { "a.b" = [1] }\n[search.filters]\ninclude_domains = { at = "a.c[]" }\n'
    desk = make_desk(search)

    filters = Filters(include_domains=["a.example"])
    first = desk.wire(filters=filters)

    assert first == desk.wire(filters=filters)
    assert {"a": {"b": [1]}, "q": "tide tables"} == desk.body()
