"""Answers in the vendors' recorded shape, read by the bundled presets; also with fields taken away, added or nulled."""

from __future__ import annotations

import contextlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from websdk import errors
from websdk.declarative import PresetCodec, PresetReader
from websdk.errors import WebSdkError
from websdk.model import Filters, SearchRequest
from websdk.protocols.fetch import CheckedUrl
from websdk.wire.message import HttpResponse

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
FOLDER = Path(__file__).parents[1] / "data/examples"
FILES = sorted(FOLDER.glob("*/*.json"))


def name_of(path: Path) -> str:
    """Return the name of an example for the list of tests."""
    return f"{path.parent.name}/{path.stem}"


def load(path: Path) -> dict[str, Any]:
    """Return an example."""
    example: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return example


def response_of(reply: dict[str, Any], body: Any = None) -> HttpResponse:
    """Return the reply of an example, or the same with another body."""
    headers = tuple(reply.get("headers", {}).items())
    if body is None and "text" in reply:
        return HttpResponse(status=reply["status"], headers=headers, body=reply["text"].encode())
    content = json.dumps(reply["body"] if body is None else body).encode()
    return HttpResponse(status=reply["status"], headers=(*headers, ("Content-Type", "application/json")), body=content)


def run(half: PresetCodec | PresetReader, request: dict[str, Any], response: HttpResponse) -> Any:
    """Run one exchange as a provider does: classify first, then parse."""
    if isinstance(half, PresetCodec):
        filters = Filters(**request.get("filters", {}))
        exchange: Any = half.exchange(SearchRequest(query=request["query"], filters=filters), today=NOW.date())
    else:
        href = request["url"]
        url = CheckedUrl(href=href, scheme="https", host="port.example", port=443, origin="https://port.example")
        exchange = half.exchange(url)
    next(exchange)
    error = half.classify(response, now=NOW)
    if error is not None:
        raise error
    with pytest.raises(StopIteration) as stop:
        exchange.send(response)
    return stop.value.value


@pytest.fixture
def half_of(codecs: dict[str, PresetCodec], readers: dict[str, PresetReader]) -> Any:
    """Find the half of a preset that an example is about."""

    def find(path: Path, example: dict[str, Any]) -> PresetCodec | PresetReader:
        return codecs[path.parent.name] if example["half"] == "search" else readers[path.parent.name]

    return find


def test_every_half_of_every_preset_has_an_example(
    codecs: dict[str, PresetCodec], readers: dict[str, PresetReader]
) -> None:
    good = {(path.parent.name, load(path)["half"]) for path in FILES if "failure" not in load(path)["expected"]}

    assert {(name, "search") for name in codecs} | {(name, "fetch") for name in readers} == good


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_example_is_read_as_expected(path: Path, half_of: Any) -> None:
    example = load(path)
    half, expected = half_of(path, example), example["expected"]
    response = response_of(example["reply"])
    if "failure" in expected:
        with pytest.raises(getattr(errors, expected["failure"])) as failure:
            run(half, example["request"], response)
        assert getattr(failure.value, "wait_s", None) == expected.get("wait_s")
        return
    found = run(half, example["request"], response)
    if "page" in expected:
        page = {"body": found.body.decode(), **{key: getattr(found, key) for key in expected["page"] if key != "body"}}

        assert expected["page"] == {**page, **({"published": found.published.isoformat()} if found.published else {})}
        return

    assert expected["results"] == [_row(result, wanted) for result, wanted in _pairs(found, expected)]
    assert expected.get("notices", []) == list(found.notices)
    assert expected.get("usage") == _usage(found.usage)
    for key, absent in (("answer", None), ("more", None), ("incomplete", False), ("pause_s", None)):
        assert expected.get(key, absent) == getattr(found, key), key


def _pairs(found: Any, expected: dict[str, Any]) -> list[tuple[Any, dict[str, Any]]]:
    assert len(expected["results"]) == len(found.results)
    return list(zip(found.results, expected["results"], strict=True))


def _row(result: Any, wanted: dict[str, Any]) -> dict[str, Any]:
    row = {"url": result.url, "title": result.title, "snippet": result.snippet}
    said = {"content": result.content, "score": result.score}
    said["published"] = result.published and result.published.isoformat()
    said["published_text"] = result.published_text if result.published is None else None
    said["kind"] = str(result.kind) if result.kind != "search" else None
    return row | {key: value for key, value in said.items() if value is not None}


def _usage(usage: Any) -> Any:
    if usage is None:
        return None
    said = {"amount": usage.amount, "unit": usage.unit, "left": usage.left}
    return {key: value for key, value in said.items() if value is not None}


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_mutilated_examples_are_answers_or_typed_failures(
    codecs: dict[str, PresetCodec], readers: dict[str, PresetReader], data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from([path for path in FILES if "body" in load(path)["reply"]]), label="example")
    example = load(path)
    half: Any = (codecs if example["half"] == "search" else readers)[path.parent.name]
    body = example["reply"]["body"]
    parent: Any = {"": body}
    key: Any = ""
    while isinstance(parent[key], (dict, list)) and parent[key] and data.draw(st.integers(0, 3)):
        parent = parent[key]
        key = data.draw(st.sampled_from(sorted(parent) if isinstance(parent, dict) else range(len(parent))))
    odd: st.SearchStrategy[Any] = st.sampled_from([None, True, False, 10**400, -1, "", "odd", [], {}, [None]])
    parent[key] = data.draw(odd)
    body = parent[""] if "" in parent and isinstance(parent, dict) and len(parent) == 1 else body
    with contextlib.suppress(WebSdkError):
        found = run(half, example["request"], response_of(example["reply"], body if body is not None else []))

        assert found is not None


@pytest.mark.parametrize("path", [path for path in FILES if "body" in load(path)["reply"]], ids=name_of)
def test_fields_that_a_vendor_adds_change_nothing(path: Path, half_of: Any) -> None:
    example = load(path)
    half = half_of(path, example)

    def outcome(body: Any) -> Any:
        try:
            return run(half, example["request"], response_of(example["reply"], body))
        except WebSdkError as error:
            return type(error)

    assert outcome(example["reply"]["body"]) == outcome(_widened(example["reply"]["body"]))


def _widened(value: Any) -> Any:
    if isinstance(value, list):
        return [_widened(item) for item in value]
    is_map = isinstance(value, dict) and all(isinstance(item, (list, bool)) for item in value.values())
    if isinstance(value, dict) and not is_map:  # a map of words or flags has no fields
        return {**{key: _widened(item) for key, item in value.items()}, "x_new_field": {"a": [1, "b", None]}}
    return value
