"""A request while values are put in their places. Pure."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

from websdk.declarative.words import Method
from websdk.wire.message import HttpRequest, json_request

_STEP = re.compile(r"[^.\[\]]+|\[(\d*)\]")


class Draft:
    """Collects the values of one request and makes it.

    A value written to a place replaces what stood there; a place that ends in ``[]`` collects.
    """

    def __init__(self, method: Method) -> None:
        self._method = method
        self._query: dict[str, str] = {}
        self._headers: dict[str, tuple[str, str]] = {}
        self._body: Any = None

    def write(self, place: str, value: Any) -> None:
        """Put *value* at *place*."""
        carrier, _, name = place.partition(":")
        if carrier == "header" and name:
            self._headers[name.lower()] = (name, _plain(value))
        elif carrier == "query" and name:
            self._write_query(name, value)
        elif self._method is Method.GET:
            self._write_query(place, value)
        else:
            self._write_body(place, value)

    def text_at(self, place: str) -> str:
        """Return the text that stands at *place*; empty without one."""
        if self._method is Method.GET:
            return self._query.get(place.removeprefix("query:"), "")
        value = self._body
        for match in _STEP.finditer(place):
            if isinstance(value, dict):
                value = value.get(match[0])
            elif isinstance(value, list) and match[1] and int(match[1]) < len(value):
                value = value[int(match[1])]
            else:
                return ""
        return value if isinstance(value, str) else ""

    def request(self, url: str) -> HttpRequest:
        """Return the request for *url*, an address without a query string."""
        if self._query:
            url += "?" + "&".join(f"{escaped(key)}={escaped(value)}" for key, value in self._query.items())
        headers = tuple(self._headers.values())
        if self._method is Method.GET:
            return HttpRequest(method="GET", url=url, headers=headers)
        return json_request("POST", url, {} if self._body is None else self._body, headers)

    def _write_query(self, name: str, value: Any) -> None:
        if name.endswith("[]"):  # one value with commas: no known vendor wants a repeated key
            name = name[:-2]
            earlier = self._query.get(name)
            value = _plain(value) if earlier is None else f"{earlier},{_plain(value)}"
        self._query[name] = _plain(value)

    def _write_body(self, place: str, value: Any) -> None:
        steps = [match[0] if match[1] is None else match[1] for match in _STEP.finditer(place)]
        kinds = [match[1] is not None for match in _STEP.finditer(place)]
        if self._body is None:
            self._body = [] if kinds[0] else {}
        where = self._body
        for position, (step, is_index) in enumerate(zip(steps, kinds, strict=True)):
            last = position == len(steps) - 1
            if is_index and step == "":
                where.extend(value if isinstance(value, list) else [value])
                return
            key: Any = int(step) if is_index else step
            if is_index:
                while len(where) <= key:
                    where.append({})
            if last:
                where[key] = value
                return
            wanted: type = list if kinds[position + 1] else dict
            if is_index:
                if not isinstance(where[key], wanted):
                    where[key] = wanted()
            elif not isinstance(where.get(key), wanted):
                where[key] = wanted()
            where = where[key]


def escaped(text: str) -> str:
    """Return *text* for a query string or path segment; a masked secret stays readable."""
    return quote(text, safe="*")


def shown(place: str, value: Any) -> str:
    """Return what went out as ``place=value``."""
    name = place.removesuffix("[]")
    if isinstance(value, (list, dict, bool)):
        return f"{name}={json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
    return f"{name}={value}"


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(_plain(item) for item in value)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return str(value)
