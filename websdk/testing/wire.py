"""A request taken apart: what stands at which place, so that two requests can be compared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from websdk.wire import HttpRequest

Leaves = Mapping[str, str]
"""Values by place: ``host``, ``path``, ``query:name``, ``header:name`` in lower case, ``body:a.b[0]``."""


def leaves(request: HttpRequest) -> dict[str, str]:
    """Return every value that *request* carries, by its place."""
    parts = urlsplit(request.url)
    found = {"host": f"{parts.scheme}://{parts.netloc}", "path": unquote(parts.path)}
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        place = f"query:{name}"
        while place in found:
            place += "+"
        found[place] = value
    for name, value in request.headers:
        found[f"header:{name.lower()}"] = value
    if request.body:
        found.update(_body(request.body))
    return found


def differences(one: Leaves, other: Leaves) -> frozenset[str]:
    """Return the places at which two requests differ."""
    return frozenset(place for place in {*one, *other} if one.get(place) != other.get(place))


def stands_at(leaf: str, places: Iterator[str] | tuple[str, ...] | frozenset[str]) -> bool:
    """Tell whether *leaf* stands at one of *places* or inside it."""
    return any(leaf == place or leaf.startswith((f"{place}.", f"{place}[", f"{place}+")) for place in places)


def wire_place(place: str, *, is_get: bool) -> str:
    """Return a place of a preset as requests spell it here."""
    bare = place.removesuffix("[]")
    if bare.startswith("header:"):
        return bare.lower()
    if bare.startswith("query:") or bare in ("host", "path"):
        return bare
    return f"query:{bare}" if is_get else f"body:{bare}"


def _body(body: bytes) -> Iterator[tuple[str, str]]:
    try:
        data = json.loads(body)
    except ValueError:
        yield "body:", body.decode("utf-8", "replace")
        return
    yield from _inside(data, "body:")


def _inside(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _inside(item, f"{path}{key}" if path.endswith(":") else f"{path}.{key}")
    elif isinstance(value, list) and value:
        for position, item in enumerate(value):
            yield from _inside(item, f"{path}[{position}]")
    elif isinstance(value, str):
        yield path, value
    else:
        yield path, json.dumps(value)
