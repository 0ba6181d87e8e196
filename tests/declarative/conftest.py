"""Small presets, and ways to ask them."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import attrs
import pytest

from websdk.declarative import PresetCodec, load_preset
from websdk.model import Adjustment, Connection, FilterOutcome, SearchAnswer, SearchRequest
from websdk.wire.message import HttpRequest, HttpResponse

TODAY = date(2026, 3, 4)
NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)

HEAD = """
schema = 1
[vendor]
name = "Harbour"
base_url = "https://api.harbour.example"
"""
RESULTS = """
[search.results]
at = "results"
title = "title"
url = "url"
snippet = "snippet"
published = "date"
"""


@attrs.frozen(kw_only=True)
class Desk:
    """A codec with short ways to ask it."""

    codec: PresetCodec

    def wire(self, query: str = "tide tables", **fields: Any) -> HttpRequest:
        """Return the request that goes out."""
        request = next(self.codec.exchange(SearchRequest(query=query, **fields), today=TODAY))
        assert isinstance(request, HttpRequest)
        return request

    def body(self, query: str = "tide tables", **fields: Any) -> Any:
        """Return the JSON body that goes out."""
        return json.loads(self.wire(query, **fields).body)

    def explained(
        self, query: str = "tide tables", **fields: Any
    ) -> tuple[dict[str, FilterOutcome], tuple[Adjustment, ...]]:
        """Return the outcomes by key, and the adjustments."""
        outcomes, adjustments = self.codec.explain(SearchRequest(query=query, **fields), today=TODAY)
        return {str(outcome.key): outcome for outcome in outcomes}, adjustments

    def answer(self, body: Any, *, headers: tuple[tuple[str, str], ...] = (), **fields: Any) -> SearchAnswer:
        """Return what the codec reads in a good reply with *body*."""
        exchange = self.codec.exchange(SearchRequest(query="tide tables", **fields), today=TODAY)
        next(exchange)
        with pytest.raises(StopIteration) as stop:
            exchange.send(reply(body, headers=headers))
        answer = stop.value.value
        assert isinstance(answer, SearchAnswer)
        return answer


def reply(body: Any, *, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> HttpResponse:
    """Return a reply; texts and bytes go as they are, everything else as JSON."""
    if isinstance(body, str):
        body = body.encode()
    return HttpResponse(
        status=status, headers=headers, body=body if isinstance(body, bytes) else json.dumps(body).encode()
    )


@pytest.fixture(scope="session")
def make_text() -> Callable[..., str]:
    """Make the text of a preset around the parts that a test is about."""

    def make(search: str = "", *, vendor: str = "", results: str = RESULTS, method: str = "POST") -> str:
        head = f'{HEAD}{vendor}\n[search]\nmethod = "{method}"\npath = "/search"\n'
        if "query =" not in search and "[search.query]" not in search:
            head += 'query = { at = "q" }\n'
        return head + search + results

    return make


@pytest.fixture(scope="session")
def make_desk(make_text: Callable[..., str]) -> Callable[..., Desk]:
    """Make a codec of a preset around the parts that a test is about."""

    def make(
        search: str = "", *, settings: dict[str, str] | None = None, base_url: str | None = None, **parts: Any
    ) -> Desk:
        preset = load_preset(make_text(search, **parts), name="harbour")
        connection = Connection(name="harbour", vendor="harbour", settings=settings or {}, base_url=base_url)
        return Desk(codec=PresetCodec(preset, connection))

    return make


@pytest.fixture(scope="session")
def make_reply() -> Callable[..., HttpResponse]:
    """Make a reply."""
    return reply


@pytest.fixture(scope="session")
def now() -> datetime:
    """The moment at which replies arrive."""
    return NOW


@pytest.fixture(scope="session")
def today() -> date:
    """The day from which windows count back."""
    return TODAY
