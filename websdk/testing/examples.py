"""Recorded answers: the rules by which they are read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from websdk.declarative import Preset, PresetCodec, PresetReader
from websdk.errors import WebSdkError
from websdk.model import Filters, SearchAnswer, SearchRequest
from websdk.protocols import RawDocument
from websdk.testing.desk import NOW, first_request, played
from websdk.testing.example_file import Example
from websdk.testing.reader_rules import checked
from websdk.testing.report import Finding
from websdk.testing.samples import connection_of
from websdk.testing.wire import leaves, wire_place

_ODD: tuple[Any, ...] = (None, ..., [], {}, 7, "x", [None])
_MARKUP = re.compile(r"</?(?:b|i|em|strong|mark|span|p|br|div|a)\b[^<>]*>|&(?:amp|lt|gt|quot|#x?[0-9a-fA-F]+);")


@attrs.define(kw_only=True)
class ExampleDesk:
    """Reads examples with both halves of a preset; counts what it read."""

    preset: Preset
    examples: tuple[Example, ...]
    looked: int = 0

    def half(self, example: Example) -> PresetCodec | PresetReader | None:
        """Return the half that an example is about; ``None`` where the preset has none."""
        if getattr(self.preset, example.half) is None:
            return None
        connection = connection_of(self.preset)
        return (PresetCodec if example.half == "search" else PresetReader)(self.preset, connection)

    def exchange(self, example: Example) -> Any:
        """Return the exchange of an example."""
        half = self.half(example)
        if isinstance(half, PresetReader):
            return half.exchange(checked(example.request["url"]))
        assert half is not None
        asked = {key: example.request[key] for key in ("max_results", "page") if key in example.request}
        filters = Filters(**example.request.get("filters", {}))
        return half.exchange(SearchRequest(query=example.request["query"], filters=filters, **asked), today=NOW.date())

    def read(self, example: Example, body: Any = ...) -> Any:
        """Return what an example holds, or the failure that it means."""
        self.looked += 1
        half = self.half(example)
        assert half is not None
        try:
            return played(
                self.exchange(example), lambda reply: half.classify(reply, now=NOW), (example.response(body),)
            )
        except WebSdkError as error:
            return error

    def usable(self) -> Iterator[Example]:
        """Yield the examples whose half the preset has."""
        return (example for example in self.examples if self.half(example) is not None)


def example_expected(desk: ExampleDesk) -> Iterator[Finding]:
    """Read every example, and compare it with what it says."""
    for example in desk.examples:
        if desk.half(example) is None:
            yield Finding(path=example.name, message=f"is about {example.half}, which the preset does not have")
            continue
        found = desk.read(example)
        if not example.expected:
            if isinstance(found, WebSdkError) and 200 <= example.reply["status"] < 300:
                yield Finding(path=example.name, message=f"is taken for {type(found).__name__}: {found}")
            continue
        wanted, seen = example.expected, account(found, example.expected)
        for key in {*wanted, *seen}:
            if wanted.get(key) != seen.get(key):
                yield Finding(
                    path=example.name,
                    message=f"{key}: {_brief(wanted.get(key))} expected, {_brief(seen.get(key))} read",
                )


def example_wire(desk: ExampleDesk) -> Iterator[Finding]:
    """Look for the values that an example names in its request."""
    for example in desk.usable():
        if not example.wire:
            continue
        desk.looked += 1
        half = getattr(desk.preset, example.half)
        sent = leaves(first_request(desk.exchange(example)))
        for place, wanted in example.wire.items():
            found = sent.get(wire_place(place, is_get=half.method == "GET"))
            if found != (wanted if isinstance(wanted, str) else json.dumps(wanted)):
                yield Finding(path=example.name, message=f"{place} is {_brief(found)}, and not {_brief(wanted)}")


def example_fields(desk: ExampleDesk) -> Iterator[Finding]:
    """Null, leave out and disfigure each field of each row, and add fields everywhere."""
    for example in desk.usable():
        found = desk.read(example)
        if not isinstance(found, SearchAnswer) or "body" not in example.reply:
            continue
        body = example.reply["body"]
        for place, odd in _mutations(body):
            seen = desk.read(example, odd)
            if isinstance(seen, Exception) and not isinstance(seen, WebSdkError):
                yield Finding(path=example.name, message=f"{place} in another shape breaks the reading")
        widened = desk.read(example, widened_body(body))
        if widened != found:
            yield Finding(path=example.name, message="fields that the vendor adds change the answer")
        yield from _rows_survive(desk, example, found)


def _rows_survive(desk: ExampleDesk, example: Example, found: SearchAnswer) -> Iterator[Finding]:
    """Null each field of the first row that is found again by its address; no other row may go with it."""
    rest = [row.url for row in found.results[1:]]
    for place, odd in _mutations(example.reply["body"]):
        seen = desk.read(example, odd)
        # One field may cost its own row; a field of a row that costs others is a fault, a whole list is not.
        is_field = "[" in place and "." in place.rsplit("[", 1)[1]
        if is_field and rest and isinstance(seen, SearchAnswer) and len(seen.results) < len(found.results) - 1:
            yield Finding(path=example.name, message=f"{place} in another shape loses other rows")


def example_markup(desk: ExampleDesk) -> Iterator[Finding]:
    """Look for markup that is left in titles and passages."""
    for example in desk.usable():
        found = desk.read(example)
        for row in found.results if isinstance(found, SearchAnswer) else ():
            for name in ("title", "snippet"):
                left = _MARKUP.search(getattr(row, name))
                if left is not None:
                    yield Finding(path=example.name, message=f"{name} still holds {left.group()}")


def account(found: Any, expected: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was read, in the words of an example.

    Args:
        found: An answer, a page or a failure.
        expected: What the example says; of a page only the parts that it names are told.
    """
    if isinstance(found, WebSdkError):
        wait = getattr(found, "wait_s", None)
        return {"failure": type(found).__name__, **({} if wait is None else {"wait_s": wait})}
    if isinstance(found, RawDocument):
        names = expected.get("page") or ("body", "is_markdown", "served_url")
        return {"page": {name: _plain(found, name) for name in names}}
    assert isinstance(found, SearchAnswer)
    said: dict[str, Any] = {"results": [_row(row) for row in found.results]}
    for key, absent in (("answer", None), ("more", None), ("incomplete", False), ("pause_s", None)):
        if getattr(found, key) != absent:
            said[key] = getattr(found, key)
    if found.notices:
        said["notices"] = list(found.notices)
    if found.usage is not None:
        usage = {name: getattr(found.usage, name) for name in ("amount", "unit", "left")}
        said["usage"] = {name: value for name, value in usage.items() if value is not None}
    return said


def _plain(found: RawDocument, name: str) -> Any:
    value = getattr(found, name)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value.isoformat() if hasattr(value, "isoformat") else value


def _row(row: Any) -> dict[str, Any]:
    said = {
        "content": row.content,
        "score": row.score,
        "published": row.published and row.published.isoformat(),
        "published_text": row.published_text if row.published is None else None,
        "kind": str(row.kind) if row.kind != "search" else None,
    }
    plain = {"url": row.url, "title": row.title, "snippet": row.snippet}
    return plain | {key: value for key, value in said.items() if value is not None}


def _mutations(body: Any) -> Iterator[tuple[str, Any]]:
    """Yield *body* with one place nulled, left out, or given another shape, and the place."""
    for path in _paths(body, ()):
        for odd in _ODD:
            yield _spelt(path), _changed(body, path, odd)


def _paths(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    items: Any = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from _paths(item, (*path, key))


def _changed(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    copy = dict(value) if isinstance(value, dict) else list(value)
    key = path[0]
    if len(path) > 1:
        copy[key] = _changed(value[key], path[1:], odd)
    elif odd is ... and isinstance(copy, dict):
        del copy[key]
    else:
        copy[key] = None if odd is ... else odd
    return copy


def _spelt(path: tuple[Any, ...]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def widened_body(value: Any) -> Any:
    """Return *value* with a new field in every table that has named fields."""
    if isinstance(value, list):
        return [widened_body(item) for item in value]
    is_map = isinstance(value, dict) and all(isinstance(item, (list, bool)) for item in value.values())
    if isinstance(value, dict) and not is_map:  # a map of words or flags has no fields
        return {**{key: widened_body(item) for key, item in value.items()}, "x_new_field": {"a": [1, "b", None]}}
    return value


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 160 else text[:157] + "..."
