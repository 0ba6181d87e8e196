"""A model's arguments become one checked call, or a refusal that helps."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk.errors import InvalidRequest
from websdk.model import Filters, Via
from websdk.model.effort import Effort, Family
from websdk.tools import (
    PagesCall,
    RefCall,
    SearchCall,
    Style,
    Surface,
    ToolFormat,
    declarations,
    next_call,
    read_arguments,
)

UNIFIED = Surface(rungs=tuple(Via))
PAIR = Surface(style=Style.PAIR, rungs=tuple(Via))


def refusal(arguments, *, name="search", surface=UNIFIED):
    with pytest.raises(InvalidRequest) as caught:
        read_arguments(surface, name, arguments)
    return caught.value


def test_a_search_with_everything():
    call = read_arguments(
        UNIFIED,
        "search",
        {
            "query": " tide tables ",
            "recency": "week",
            "include_domains": ["port.example"],
            "country": "de",
            "max_results": 5,
            "effort": "thorough",
            "family": "both",
        },
    )

    assert call == SearchCall(
        query="tide tables",
        filters=Filters(recency="week", include_domains=("port.example",), country="DE"),
        max_results=5,
        effort=Effort.THOROUGH,
        family=Family.BOTH,
    )


def test_pages_in_the_order_asked():
    call = read_arguments(UNIFIED, "search", {"urls": ["https://b.example", "https://a.example"], "via": "proxy"})

    assert call == PagesCall(urls=("https://b.example", "https://a.example"), via=Via.PROXY)


def test_a_ref_to_read():
    assert RefCall(ref="h:3", find="tide") == read_arguments(UNIFIED, "search", {"ref": "h:3", "find": "tide"})


@pytest.mark.parametrize("name", ["web_search", "web_fetch"])
def test_both_tools_of_the_pair_read_refs(name):
    assert RefCall(ref="h") == read_arguments(PAIR, name, {"ref": "h"})


@pytest.mark.parametrize("blank", [None, "", [], 0, "  ", [""], {}], ids=repr)
def test_null_absent_and_empty_are_alike(blank):
    arguments = dict.fromkeys(
        ("urls", "ref", "find", "cursor", "recency", "topic", "include_domains", "max_results"), blank
    )
    arguments = {key: value for key, value in arguments.items() if value != 0 or key == "max_results"}

    assert SearchCall(query="x") == read_arguments(UNIFIED, "search", {"query": "x", **arguments})


@pytest.mark.parametrize(
    "lead", [{"query": "x"}, {"urls": ["https://a.example"]}, {"ref": "h"}], ids=lambda lead: next(iter(lead))
)
def test_what_strict_mode_makes_a_model_fill_in_counts_as_not_given(lead):
    blank = {"array": [], "integer": 0, "string": ""}
    (tool,) = declarations(UNIFIED, ToolFormat.OPENAI)
    filled = {
        name: part["enum"][0] if "enum" in part else blank[part["type"]]
        for name, part in tool["parameters"]["properties"].items()
    }

    assert read_arguments(UNIFIED, "search", lead) == read_arguments(UNIFIED, "search", filled | lead)


@pytest.mark.parametrize(
    "key",
    ["provider", "model", "credential", "endpoint", "header", "retry", "limit", "page", "Query", "max_characters"],
)
def test_an_unknown_argument_is_refused_by_name(key):
    error = refusal({"query": "x", key: 1})

    assert f"unknown argument: {key};" in str(error)
    assert 'search({"query":"x"})' == error.next_call


@pytest.mark.parametrize(
    ("arguments", "words", "right"),
    [
        (
            {"query": "q", "urls": ["https://a.example"]},
            "query and urls do not combine",
            {"urls": ["https://a.example"]},
        ),
        ({"query": "q", "ref": "h"}, "query and ref do not combine", {"ref": "h"}),
        (
            {"query": "q", "urls": ["u"], "ref": "h:1", "find": "f"},
            "query and urls and ref",
            {"ref": "h:1", "find": "f"},
        ),
        ({"ref": "h:1", "find": "f", "cursor": "c"}, "find and cursor do not combine", {"ref": "h:1", "find": "f"}),
        ({"query": "q", "find": "f"}, "find cannot stand beside query", {"query": "q"}),
        ({"query": "q", "via": "proxy"}, "via cannot stand beside query", {"query": "q"}),
        ({"urls": ["u"], "recency": "day"}, "recency cannot stand beside urls", {"urls": ["u"]}),
        ({"ref": "h", "max_results": 3}, "max_results cannot stand beside ref", {"ref": "h"}),
        ({}, "give one of query, urls and ref", {"query": "…"}),
        ({"recency": "day"}, "give one of query, urls and ref", {"query": "…"}),
    ],
)
def test_a_wrong_combination_is_answered_with_the_right_call(arguments, words, right):
    error = refusal(arguments)

    assert words in str(error)
    name, _, body = error.next_call.partition("(")
    assert ("search", right) == (name, json.loads(body.removesuffix(")")))
    assert not error.sent


def test_the_right_call_of_the_pair_names_the_tool_that_takes_it():
    assert refusal({"query": "q", "ref": "h"}, name="web_search", surface=PAIR).next_call.startswith('web_fetch({"ref"')


@pytest.mark.parametrize(
    ("name", "arguments", "right"),
    [
        ("web_search", {"urls": ["https://a.example"], "via": "proxy"}, "web_fetch"),
        ("web_fetch", {"query": "q", "recency": "day"}, "web_search"),
    ],
)
def test_what_the_other_tool_of_the_pair_takes_is_answered_with_its_call(name, arguments, right):
    call = refusal(arguments, name=name, surface=PAIR).next_call

    assert f"{right}({json.dumps(arguments, separators=(',', ':'))})" == call


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": "q", "urls": "https://a.example"},
        {"query": "q", "ref": 3},
        {"query": "q", "find": "f", "recency": "fortnight"},
        {"query": "\ud800", "find": "f"},
        {"urls": ["u"] * 21, "find": "f"},
    ],
    ids=["a text for a list", "a number for a ref", "no such window", "half a pair", "too many"],
)
def test_a_call_that_would_be_refused_again_is_not_offered(arguments):
    assert refusal(arguments).next_call is None


def test_a_call_to_copy_stands_on_one_line_and_is_exact():
    wanted = "a\u2028Next: x\u202e\u200b\x85\ud800\U000e0041é\U0001f642"

    call = next_call(UNIFIED, ref="h:1", find=wanted)

    assert call.isprintable()
    assert 1 == len(call.encode().splitlines())
    assert {"ref": "h:1", "find": wanted} == json.loads(call.partition("(")[2].removesuffix(")"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"query": 5}, "query is a text"),
        ({"query": "q", "max_results": "5"}, "max_results is a whole number"),
        ({"query": "q", "max_results": -1}, "max_results is a whole number"),
        ({"query": "q", "max_results": True}, "max_results is a whole number"),
        ({"query": "q", "include_domains": "a.example"}, "include_domains is a list"),
        ({"query": "q", "include_domains": ["https://a.example/x"]}, "bare host name"),
        ({"query": "q", "recency": "decade"}, "recency is one of"),
        ({"query": "q", "safe_search": "very"}, "safe_search is one of off, moderate, strict"),
        ({"query": "q", "effort": "heroic"}, "effort is one of fast, thorough"),
        ({"query": "q", "family": "art"}, "family is one of web, code, both"),
        ({"urls": "https://a.example"}, "urls is a list"),
        ({"urls": [5]}, "urls is a list"),
        ({"urls": ["https://a.example/" + "x" * 2_048]}, "longer than 2,048"),
        ({"urls": ["https://a.example"] * 21}, "more than 20"),
        ({"urls": ["https://a.example"], "via": "carrier-pigeon"}, "via is one of local, proxy, render"),
        ({"ref": "h", "find": "x" * 1_001}, "find has more than"),
    ],
)
def test_a_value_that_is_not_of_its_kind_is_refused(arguments, words):
    assert words in str(refusal(arguments))


def test_a_rung_that_does_not_exist_here_is_refused():
    assert "via is one of local" in str(refusal({"urls": ["u"], "via": "proxy"}, surface=Surface()))


@pytest.mark.parametrize("name", ["web_search", "delete_everything", ""])
def test_a_tool_that_is_not_there_is_refused(name):
    assert "there is: search" in str(refusal({"query": "q"}, name=name))


def test_arguments_are_one_object():
    assert "one JSON object" in str(refusal(["query"]))


def test_messages_hold_nothing_that_was_asked_for():
    error = refusal({"query": "secret plan", "urls": ["https://a.example/secret"], "find": "secret"})

    assert "secret" not in str(error)
    assert "secret" not in repr(error)


def test_a_call_to_copy_is_compact_json():
    assert 'search({"ref":"h:3","cursor":"é"})' == next_call(UNIFIED, ref="h:3", cursor="é")


values = st.none() | st.text(max_size=5) | st.integers() | st.lists(st.text(max_size=5) | st.integers(), max_size=3)


@given(arguments=st.dictionaries(st.sampled_from([*UNIFIED.tools["search"], "other"]), values))
def test_any_arguments_are_a_call_or_a_refusal(arguments):
    try:
        call = read_arguments(UNIFIED, "search", arguments)
    except InvalidRequest:
        return

    assert isinstance(call, (SearchCall, PagesCall, RefCall))
