"""Replies in a vendor's own shape, built from what its preset says about answers. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from websdk.declarative.answers import ErrorRule
from websdk.declarative.schema import FetchProviderPreset, Preset, SearchProviderPreset
from websdk.declarative.words import Meaning
from websdk.wire import HttpResponse

_STEP = re.compile(r"[^.\[\]]+|\[(\d+)\]")
JSON = (("Content-Type", "application/json"),)
ROWS: tuple[dict[str, Any], ...] = (
    {
        "url": "https://port.example/tides",
        "title": "Tide tables",
        "snippet": "High water at noon.",
        "content": "High water at noon, low water at six.",
        "published": "2026-03-01",
        "score": 0.75,
        "key": "1001",
    },
    {
        "url": "https://docs.harbour.example/moorings",
        "title": "Moorings",
        "snippet": "Where boats lie.",
        "content": "Where boats lie in winter.",
        "published": "2026-02-11",
        "score": 0.5,
        "key": "1002",
    },
)
FIELDS = ("url", "title", "snippet", "content", "published", "score")


def put(data: Any, path: str, value: Any) -> Any:
    """Return *data* with *value* at *path*; what stands there already stays."""
    holder: list[Any] = [data]
    where: Any = holder
    key: Any = 0
    steps = [(match[0], match[1]) for match in _STEP.finditer(path.removeprefix("-"))]
    for name, index in steps:
        wanted: Any = list if index is not None else dict
        if not isinstance(where[key], wanted):
            if where[key] is not None:
                return holder[0]  # another field claims the place
            where[key] = wanted()
        inner = where[key]
        if index is not None:
            while len(inner) <= int(index):
                inner.append(None)
            where, key = inner, int(index)
        else:
            inner.setdefault(name, None)
            where, key = inner, name
    if where[key] is None:
        where[key] = value
    return holder[0]


def row_of(search: SearchProviderPreset, settings: Mapping[str, str], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return one row as the vendor would send it."""
    rules = search.results
    row: Any = None
    for path, wanted in rules.where.items():
        row = put(row, path, wanted[0] if isinstance(wanted, list) else wanted)
    if rules.key is not None and "key" in fields:
        row = put(row, rules.key, fields["key"])
    for name in FIELDS:
        at = field_path(search, settings, name)
        if at is not None and name in fields:
            row = put(row, at, fields[name])
    return row if isinstance(row, dict) else {}


def field_path(search: SearchProviderPreset, settings: Mapping[str, str], name: str) -> str | None:
    """Return the first path of a field, its hole filled; ``None`` where the vendor sends none."""
    paths = getattr(search.results, name)
    written: tuple[str, ...] = (paths,) if isinstance(paths, str) else paths or ()
    for path in written:
        field = settings.get(f"{name}_field")
        if "://" in path or ("{field}" in path and not field):
            continue
        return str(path).replace("{field}", field or "").removeprefix("-")
    return None


def search_body(preset: Preset, settings: Mapping[str, str], rows: Sequence[Any], *, topic: str | None = None) -> Any:
    """Return a good answer with *rows* in the first list that the preset names."""
    search = preset.search
    assert search is not None
    own = search.topics[topic].at if topic is not None and topic in search.topics else None
    body = put(None, (own or search.results.at)[0], list(rows))
    for path in (own or search.results.at)[1:]:
        body = put(body, path, [])
    return _with_good_marks(search.errors, body)


def page_body(fetch: FetchProviderPreset, url: str, page: Mapping[str, Any]) -> Any:
    """Return a good answer with one page.

    Args:
        fetch: The reader's rules.
        url: The address that was asked for.
        page: Values by field: ``html`` or ``markdown``, ``title``, ``status``, ``served_url``, ``published``.
    """
    rules = fetch.page
    found = put(None, rules.url[0], url) if rules.url else None
    for name in ("served_url", "status", "title", "published", "html", "markdown"):
        paths = getattr(rules, name)
        first: str | None = paths if isinstance(paths, str) else next(iter(paths or ()), None)
        if first is not None and name in page and not first.startswith("header:"):
            found = put(found, first, page[name])
    if rules.at is not None:
        listed = rules.url is not None and not rules.at.endswith("]")
        found = put(None, rules.at, [found] if listed else found)
    return _with_good_marks(fetch.errors, found)


def takes_whole_body(fetch: FetchProviderPreset) -> bool:
    """Tell whether the reader's whole reply is the page."""
    return "body" in (*(fetch.page.html or ()), *(fetch.page.markdown or ()))


def page_response(fetch: FetchProviderPreset, url: str, page: Mapping[str, Any]) -> HttpResponse:
    """Return a good reply with one page."""
    if takes_whole_body(fetch):
        text = page.get("html") if "body" in (fetch.page.html or ()) else page.get("markdown")
        return HttpResponse(status=200, headers=(("Content-Type", "text/html"),), body=(text or "").encode())
    return json_response(page_body(fetch, url, page))


def error_response(rule: ErrorRule) -> HttpResponse:
    """Return a reply that *rule* is about."""
    status = rule.status[0] if rule.status else (200 if rule.at is not None else 500)
    if rule.at is None:
        return json_response({}, status=status)
    value: Any = "reason"
    if rule.equals:
        value = rule.equals[0]
    elif rule.begins:
        value = f"{rule.begins[0]} and more"
    if rule.at.startswith("header:"):
        return HttpResponse(status=status, headers=(*JSON, (rule.at[7:], str(value))), body=b"{}")
    return json_response(put(None, rule.at, value), status=status)


def json_response(body: Any, *, status: int = 200, headers: Iterable[tuple[str, str]] = ()) -> HttpResponse:
    """Return a reply whose body is JSON."""
    return HttpResponse(
        status=status, headers=(*headers, *JSON), body=json.dumps({} if body is None else body).encode()
    )


def _with_good_marks(rules: Iterable[ErrorRule], body: Any) -> Any:
    """Return *body* with what the vendor writes into good answers, as far as an error rule says it."""
    for rule in rules:
        if rule.means is Meaning.OK and rule.at is not None and not rule.at.startswith("header:"):
            body = put(body, rule.at, next(iter((*rule.equals, *rule.begins)), "ok"))
    return body
