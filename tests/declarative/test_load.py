"""Preset files: what loads, and what is said about those that do not."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from websdk.declarative import load_preset
from websdk.declarative.load import MAX_PRESET_BYTES, _structure
from websdk.errors import PresetError


def problems(text: str) -> tuple[str, ...]:
    """Return the problems of *text*."""
    with pytest.raises(PresetError) as failure:
        load_preset(text, name="harbour")
    return failure.value.problems


def test_whole_file_becomes_a_frozen_value(make_text: Callable[..., str]) -> None:
    preset = load_preset(make_text(), name="harbour", source="harbour.toml")

    assert ("harbour", "Harbour", "harbour.toml", None) == (
        preset.vendor.id,
        preset.vendor.name,
        preset.source,
        preset.fetch,
    )
    with pytest.raises(AttributeError):
        preset.vendor.name = "other"  # type: ignore[misc]


def test_every_problem_is_reported_at_once_with_its_path() -> None:
    text = """
schema = 2
vendr = 1
[vendor]
name = 3
base_url = "http://a.example/x?y"
auth = { at = "body.key" }
settings = { index = { abot = "x" } }
[search]
path = "/a/../b"
exclusive = ["dats"]
query = { at = "q", max = 0 }
count = { at = "header:Host" }
page = { at = "p", style = "rows" }
[search.filters]
country = { at = "cc", cse = "upper", values = [] }
dates = { at = "d", range = "{start}{foo}" }
include_domains = { at = "query-text" }
language = { at = "host" }
[search.results]
at = "results"
url = "https://x/{nope}"
"""
    expected = {
        "schema: is 1; this version reads no other",
        "vendr: unknown key",
        "vendor.name: must be a text",
        "vendor.base_url: is https://host[/path], without credentials, query or fragment",
        "vendor.auth.at: a key goes to header:Name or query:name",
        "vendor.settings.index.about: is missing",
        "vendor.settings.index.abot: unknown key",
        "search.path: has no dot segments",
        "search.exclusive[0]: is one of dates, domains",
        "search.query.max: is at least 1",
        "search.count.at: Host belongs to the transport",
        "search.page.style: is one of pages-from-0, pages-from-1, rows-from-0, rows-from-1",
        "search.filters.country.cse: unknown key",
        "search.filters.country.values: is a list of texts that are not empty",
        "search.filters.include_domains.at: query-text needs a `pattern`",
        "search.filters.language.values: a host takes its values from a table",
    }
    found = problems(text)

    assert expected <= set(found)
    assert {"search.filters.dates.range", "search.results.url"} == {
        line.split(":")[0] for line in set(found) - expected
    }
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("search", "path"),
    [
        ('base_url = "https://user@a.example"', "search.base_url"),
        ('base_url = "https://{value}.example"', "search.base_url"),
        ('base_url = "https://a.example/?q=1"', "search.base_url"),
        ('fixed = { "a b" = 1 }', "search.fixed"),
        ('fixed = { "header:Cookie" = "a" }', "search.fixed"),
        ('fixed = { "header:X" = "a\\nb" }', "search.fixed"),
        ("fixed = { day = 2026-01-01 }", "search.fixed"),
        ('site = "{language}.example"', "search.site"),
        ('filters = { country = { at = "filter-terms", pattern = "c:{value}" } }', "search.terms"),
        ('filters = { country = { at = "c", pattern = "c:{start}" } }', "search.filters.country.pattern"),
        ('filters = { country = { at = "c", pattern = "plain" } }', "search.filters.country.pattern"),
        ('filters = { country = { at = "c[]", pattern = "c:{value}" } }', "search.filters.country.pattern"),
        ("""filters = { country = { at = "c[]", pattern = '{"a": {value}}' } }""", "search.filters.country.pattern"),
        ('filters = { country = { pattern = "c:{value}" } }', "search.filters.country.pattern"),
        ("filters = { country = {} }", "search.filters.country.at"),
        ('filters = { country = { at = "host", values = ["DE"] } }', "search.filters.country.at"),
        ('filters = { include_domains = { at = "host" } }', "search.filters.include_domains.values"),
        ('filters = { include_domains = { at = "d", values = ["a"] } }', "search.filters.include_domains.values"),
        ('filters = { recency = { at = "r" } }', "search.filters.recency.values"),
        ('filters = { recency = { at = "r", values = { hour = "h" } } }', "search.filters.recency.values"),
        ('filters = { safe_search = { at = "s", values = ["on"] } }', "search.filters.safe_search.values"),
        ('filters = { dates = { at = "d" } }', "search.filters.dates.after"),
        ('filters = { dates = { range = "{start}{end}" } }', "search.filters.dates.range"),
        ('filters = { dates = { after = "from:{start}" } }', "search.filters.dates.at"),
        ('filters = { dates = { after = "fr om" } }', "search.filters.dates.after"),
        ('filters = { dates = { at = "d", after = "{end}" } }', "search.filters.dates.after"),
        ('filters = { dates = { after = "d", format = "DD.MM" } }', "search.filters.dates.format"),
        ('filters = { country = { at = "c", unless = { dates = ["x"] } } }', "search.filters.country.unless.dates"),
        ('page = { at = "p", style = "rows-from-0" }', "search.page.style"),
        ('errors = [{ means = "empty" }]', "search.errors[0].status"),
        ('errors = [{ status = 99, means = "empty" }]', "search.errors[0].status"),
        ('errors = [{ status = 404, means = "not_found" }]', "search.errors[0].means"),
        ('errors = [{ status = 404, equals = 1, means = "empty" }]', "search.errors[0].at"),
        ('topics = { maps = { at = "maps" } }', "search.topics.maps"),
        ('query = { at = "query-text" }', "search.query.at"),
        ('reply = { wait = "body[x]" }', "search.reply.wait"),
    ],
)
def test_each_rule_names_its_key(make_text: Callable[..., str], search: str, path: str) -> None:
    found = problems(make_text(search + "\n"))

    assert any(line.startswith(path + ":") for line in found), found


@pytest.mark.parametrize(
    ("results", "path"),
    [
        ('url = "https://a.example/{key}"', "search.results.key"),
        ('url = "http://a.example/{site}"', "search.results.url"),
        ('url = "https://a.example/{site}"', "search.results.url[0]"),
        ('url = "url"\nhtml = ["url"]', "search.results.html"),
        ("", "search.results.url"),
    ],
)
def test_each_rule_of_results_names_its_key(make_text: Callable[..., str], results: str, path: str) -> None:
    found = problems(make_text(results=f'\n[search.results]\nat = "results"\n{results}\n'))

    assert any(line.startswith(path + ":") for line in found), found


def test_file_beyond_the_bound_is_refused_unread(make_text: Callable[..., str]) -> None:
    text = make_text()
    longest = text + "#" * (MAX_PRESET_BYTES - len(text))

    assert load_preset(longest, name="harbour")
    assert problems(longest + "#")[0].startswith("the file: has more than 16,384 bytes")


def test_keys_go_six_parts_deep_and_no_deeper(make_text: Callable[..., str]) -> None:
    deep = '[search.filters.topic]\nat = "t"\nvalues = { news = { type = "n" } }\n'

    assert load_preset(make_text(deep), name="harbour")
    assert "search.filters.topic.values.news.type.a: has more than 6 parts" in problems(
        make_text(deep.replace('"n"', '{ a = "n" }'))
    )


@pytest.mark.parametrize("text", ["x", "a = [", "schema = 1\nschema = 1", "\x00"])
def test_text_that_is_no_toml_is_one_problem(text: str) -> None:
    (problem,) = problems(text)

    assert problem.startswith("the file: is no TOML")


def test_id_and_source_are_not_for_files_to_say(make_text: Callable[..., str]) -> None:
    assert ("vendor.id: unknown key",) == problems(make_text(vendor='id = "brave"'))
    assert ("source: unknown key",) == problems('source = "x"\n' + make_text())


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just(datetime(2026, 1, 1, tzinfo=UTC)),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=5,
)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_odd_shapes_are_problems_and_never_crashes(make_text: Callable[..., str], data: st.DataObject) -> None:
    whole: Any = tomllib.loads(
        make_text(
            'count = { at = "n" }\nerrors = [{ status = 429, means = "empty" }]\n'
            '[search.filters]\ncountry = { at = "c", values = ["DE"] }\ndates = { after = "a" }\n',
            vendor='auth = { at = "header:K" }\nsettings = { index = { about = "x" } }\n',
        )
    )
    table, key = whole, ""
    while True:
        key = data.draw(st.sampled_from(sorted(table)))
        if not isinstance(table[key], dict) or not table[key] or data.draw(st.booleans()):
            break
        table = table[key]
    table[key] = data.draw(ODD)
    preset, found = _structure(whole)

    assert (preset is None) == bool(found) or preset is not None
    assert all(line.partition(": ")[2] for line in found)
