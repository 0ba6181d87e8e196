"""Files of recorded answers: their format, and what is wrong with one, all of it at once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from websdk.errors import InvalidRequest, PresetError
from websdk.model import FilterKey, Filters, SearchRequest
from websdk.wire import HttpResponse

MAX_EXAMPLE_BYTES = 4 * 1024 * 1024  # twice the ceiling of a reply
_KNOWN = ("about", "half", "request", "wire", "reply", "expected")
_OF_REQUEST = {"search": ("query", "filters", "max_results", "page"), "fetch": ("url",)}
_OF_REPLY = ("status", "headers", "body", "text")
_REMEDY = (
    "an example is a JSON object with half, request and reply; "
    "`websdk search QUERY --preset FILE --record DIR` and `websdk new preset NAME` write one"
)


@attrs.frozen(kw_only=True)
class Example:
    """One recorded answer.

    Attributes:
        name: Its name in reports.
        half: ``search`` or ``fetch``.
        request: ``query``, ``filters``, ``max_results`` and ``page`` of a search; ``url`` of a read.
        reply: ``status``, ``headers``, and ``body`` (JSON) or ``text``.
        expected: ``results``, ``page`` or ``failure``, and what else is read; empty where nobody has said it yet.
        wire: Values that must stand in the request, by place of the preset.
    """

    name: str
    half: str
    request: Mapping[str, Any]
    reply: Mapping[str, Any]
    expected: Mapping[str, Any] = attrs.field(factory=dict)
    wire: Mapping[str, Any] = attrs.field(factory=dict)

    def response(self, body: Any = ...) -> HttpResponse:
        """Return the reply, or the same with another body."""
        headers = tuple(self.reply.get("headers", {}).items())
        status = self.reply["status"]
        if body is ... and "text" in self.reply:
            return HttpResponse(status=status, headers=headers, body=self.reply["text"].encode())
        content = json.dumps(self.reply.get("body") if body is ... else body).encode()
        return HttpResponse(status=status, headers=(*headers, ("Content-Type", "application/json")), body=content)


def load_examples(folder: Path) -> tuple[Example, ...]:
    """Return every example of *folder*, sorted by name.

    Raises:
        PresetError: A file is no example.
    """
    return tuple(load_example(path) for path in sorted(folder.glob("*.json")))


def load_example(path: Path) -> Example:
    """Return the example in the file *path*.

    Raises:
        PresetError: It is none; every problem at once.
    """
    data: Any = None
    try:
        if path.stat().st_size > MAX_EXAMPLE_BYTES:
            problems = [f"is larger than {MAX_EXAMPLE_BYTES:,} bytes"]
        else:
            data = json.loads(path.read_text("utf-8"))
            problems = list(_problems(data))
    except UnicodeDecodeError:
        problems = ["is not UTF-8"]
    except ValueError as exc:
        problems = [f"is not JSON: {exc}"]
    if problems:
        raise PresetError(f"{path.name} is no example of an answer: {_REMEDY}", problems=problems)
    named = {key: data[key] for key in _KNOWN[1:] if key in data}
    return Example(name=path.stem, **named)


def _problems(data: Any) -> Iterator[str]:
    if not isinstance(data, dict):
        yield "is a list or a plain value, and no object"
        return
    yield from _unknown(data, _KNOWN, "")
    for key in ("half", "request", "reply"):
        if key not in data:
            yield f"{key}: is missing"
    for key in ("request", "reply", "expected", "wire"):
        if not isinstance(data.get(key, {}), dict):
            yield f"{key}: is an object"
    half = data.get("half")
    if "half" in data and half not in ("search", "fetch"):
        yield "half: is search or fetch"
    elif isinstance(data.get("request"), dict) and half is not None:
        yield from _problems_of_request(half, data["request"])
    if isinstance(data.get("reply"), dict):
        yield from _problems_of_reply(data["reply"])


def _problems_of_request(half: str, request: dict[str, Any]) -> Iterator[str]:
    yield from _unknown(request, _OF_REQUEST[half], "request.")
    if half == "fetch":
        if not isinstance(request.get("url"), str):
            yield "request.url: is the address of a page"
        return
    filters = request.get("filters", {})
    if not isinstance(filters, dict):
        yield "request.filters: is an object of filters"
        return
    words = tuple(FilterKey)
    yield from _unknown(filters, words, "request.filters.")
    asked = {key: request[key] for key in ("max_results", "page") if key in request}
    try:
        known = Filters(**{key: value for key, value in filters.items() if key in words})
        SearchRequest(query=request.get("query", ""), filters=known, **asked)
    except InvalidRequest as error:
        yield f"request: {error}"


def _problems_of_reply(reply: dict[str, Any]) -> Iterator[str]:
    yield from _unknown(reply, _OF_REPLY, "reply.")
    status, headers = reply.get("status"), reply.get("headers", {})
    if type(status) is not int or not 100 <= status <= 599:
        yield "reply.status: is an HTTP status, such as 200"
    if not isinstance(headers, dict) or not all(isinstance(value, str) for value in headers.values()):
        yield "reply.headers: is an object of texts"
    if "body" in reply and "text" in reply:
        yield "reply: has a body (JSON) or a text, not both"
    if not isinstance(reply.get("text", ""), str):
        yield "reply.text: is a text; JSON stands in body"


def _unknown(table: Mapping[str, Any], known: tuple[str, ...], path: str) -> Iterator[str]:
    for key in table:
        if key not in known:
            yield f"{path}{key}: unknown key; known are {', '.join(known)}"
