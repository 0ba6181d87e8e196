"""Values as plain data, and back."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Literal

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from websdk import model
from websdk.credentials import Secret
from websdk.events import Event
from websdk.model import Document, Filters, Recency, SearchRequest, SearchResponse
from websdk.model.convert import from_dict, make_converter, structure_strictly, to_dict

WORDS = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=12).filter(str.strip)
MOMENTS = st.datetimes(
    datetime(1970, 1, 2),
    datetime(2100, 1, 1),
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=-9, minutes=-30)), timezone(timedelta(hours=14))]),
)
WHEN = st.none() | st.dates() | MOMENTS
COUNT = st.integers(1, 10**9)
FIGURE = st.floats(allow_nan=False, allow_infinity=False)
HOSTS = st.lists(st.sampled_from(["a.example", "b.example"]), max_size=2)

for kind, strategy in {
    Filters: st.builds(
        Filters,
        recency=st.none() | st.sampled_from(model.Recency),
        published_after=st.none() | st.dates(max_value=date(2000, 1, 1)),
        published_before=st.none() | st.dates(min_value=date(2000, 1, 1)),
        include_domains=HOSTS,
        exclude_domains=HOSTS,
        country=st.sampled_from([None, "DE"]),
        language=st.sampled_from([None, "pt-BR"]),
        safe_search=st.none() | st.sampled_from(model.SafeSearch),
        topic=st.sampled_from([None, "news"]),
    ),
    model.SearchRequest: st.builds(
        model.SearchRequest,
        query=WORDS,
        max_results=COUNT,
        page=COUNT,
        filters=st.deferred(lambda: st.from_type(Filters)),
    ),
    model.FetchRequest: st.builds(
        model.FetchRequest, url=WORDS, via=st.sampled_from(model.Via), max_characters=st.none() | COUNT
    ),
    model.Connection: st.builds(
        model.Connection,
        name=WORDS,
        ca_file=st.none() | st.just(Path("certs/ca.pem")),
        client_cert=st.none() | st.just(Path("certs/me.pem")),
        settings=st.dictionaries(WORDS, WORDS, max_size=2),
    ),
    datetime: MOMENTS,
    float: FIGURE,
    date: st.dates(),
}.items():
    st.register_type_strategy(kind, strategy)

VALUES = [item for name in model.__all__ if attrs.has(item := getattr(model, name))] + [Event]


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_every_value_comes_back_from_json_pickle_and_copy(kind, data):
    value = data.draw(st.from_type(kind))

    assert value == from_dict(kind, json.loads(json.dumps(to_dict(value), allow_nan=False)))
    assert value == pickle.loads(pickle.dumps(value))
    assert value == copy.deepcopy(value)


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_every_value_is_frozen_and_takes_keywords_only(kind):
    assert all(field.kw_only for field in attrs.fields(kind))
    assert kind.__setattr__ is not object.__setattr__


def test_data_says_which_schema_it_was_written_in():
    assert {
        "schema": 1,
        "query": "tides",
        "max_results": 5,
        "page": 1,
        "filters": {**dict.fromkeys(map(str, model.FilterKey)), "include_domains": [], "exclude_domains": []},
    } == to_dict(SearchRequest(query="tides", max_results=5))


def test_fields_of_a_later_version_are_ignored():
    request = from_dict(SearchRequest, {"schema": 1, "query": "tides", "mood": "calm", "filters": {"colour": "blue"}})

    assert SearchRequest(query="tides") == request


def test_data_of_a_later_schema_is_refused():
    with pytest.raises(ValueError, match="schema 2"):
        from_dict(SearchRequest, {"schema": 2, "query": "tides"})


@pytest.mark.parametrize(
    "data", [{}, {"provider": "brave"}, {"results": 3, "provider": "x", "unsupported_filters": []}]
)
def test_data_that_does_not_fit_is_a_value_error(data):
    with pytest.raises(ValueError, match="SearchResponse"):
        from_dict(SearchResponse, data)


def test_a_response_read_back_still_needs_its_word_on_filters():
    with pytest.raises(ValueError, match="SearchResponse"):
        from_dict(SearchResponse, {"results": [], "provider": "brave"})


@pytest.mark.parametrize("value", [1, "x", None, {"a": 1}, [], Filters])
def test_only_values_are_written(value):
    with pytest.raises(TypeError):
        to_dict(value)


def test_only_kinds_of_values_are_read():
    with pytest.raises(TypeError, match="dict"):
        from_dict(dict, {})


def test_a_secret_is_never_written():
    @attrs.frozen(kw_only=True)
    class Holder:
        secret: Secret

    with pytest.raises(TypeError, match="not serialised"):
        to_dict(Holder(secret=Secret("k-1")))


def test_a_day_and_a_moment_are_told_apart():
    moment = datetime(2026, 3, 31, 0, 0, tzinfo=UTC)

    for published in (date(2026, 3, 31), moment):
        document = Document(url="https://a.example/", title="", markdown="", published=published)
        again = from_dict(Document, json.loads(json.dumps(to_dict(document))))

        assert (type(published), published) == (type(again.published), again.published)


def test_all_problems_of_data_are_told_at_once_with_their_paths():
    data = {"page": "2", "mood": "calm", "filters": {"include_domains": ["a.example", 7], "colour": "blue"}}
    value, problems = structure_strictly(data, SearchRequest)

    assert value is None
    assert {
        "query: is missing",
        "page: must be a whole number",
        "mood: unknown key",
        "filters.colour: unknown key",
        "filters.include_domains[1]: must be a text",
    } == set(problems)


@attrs.frozen(kw_only=True)
class _Selection:
    names: Literal["auto"] | tuple[str, ...]


@pytest.mark.parametrize(("given_names", "kept"), [("auto", "auto"), (["a", "b"], ("a", "b")), ([], ())])
def test_a_word_or_a_list_of_texts_is_read_as_what_it_is(given_names, kept):
    value, problems = structure_strictly({"names": given_names}, _Selection)

    assert () == problems
    assert kept == value.names


@pytest.mark.parametrize("wrong", ["all", "a", 3, [1], {"a": 1}])
def test_another_word_is_a_problem_with_its_path(wrong):
    value, problems = structure_strictly({"names": wrong}, _Selection)

    assert value is None
    assert ("names: must be auto, or a list of texts",) == problems


def test_enumeration_is_structured_as_what_it_is():
    converter = make_converter(strict=True)

    assert Recency.WEEK is converter.structure("week", Recency)
    assert type(converter.structure("week", Recency)) is Recency
    with pytest.raises(ValueError, match="is one of day, week"):
        converter.structure("fortnight", Recency)
