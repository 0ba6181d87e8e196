"""A vendor played by a codec that is right, and ways to run a contract by hand."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any

import attrs
import pytest

from websdk.errors import InvalidRequest, MalformedAnswer, ProviderError, ProviderRejected
from websdk.model import (
    Adjustment,
    FilterKey,
    FilterOutcome,
    FilterStatus,
    SearchAnswer,
    SearchRequest,
    SearchResult,
)
from websdk.protocols import Exchange
from websdk.wire import HttpResponse, classify, json_request

MOST_HOSTS, MOST_RESULTS, MOST_CHARACTERS = 3, 20, 400


@attrs.define(kw_only=True)
class HarbourCodec:
    """A vendor with a filter of every kind, asked and read rightly."""

    id: str = "harbour"
    filter_keys: frozenset[FilterKey] = frozenset(FilterKey) - {FilterKey.TOPIC}

    def values(self, request: SearchRequest, today: date) -> dict[str, Any]:
        """Return what goes out for each filter, by place."""
        filters, found = request.filters, {}
        if filters.recency:
            found["window"] = str(filters.recency)
        if filters.published_after:
            found["since"] = filters.published_after.isoformat()
        if filters.published_before:
            found["until"] = filters.published_before.isoformat()
        for name in ("include_domains", "exclude_domains"):
            if 0 < len(filters[name]) <= MOST_HOSTS:
                found[name] = list(filters[name])
        for name in ("country", "language"):
            if filters[name] and len(filters[name]) == 2:
                found[name] = filters[name].lower()
        if filters.safe_search:
            found["safe"] = str(filters.safe_search)
        return found

    places = {
        FilterKey.RECENCY: "window",
        FilterKey.PUBLISHED_AFTER: "since",
        FilterKey.PUBLISHED_BEFORE: "until",
        FilterKey.INCLUDE_DOMAINS: "include_domains",
        FilterKey.EXCLUDE_DOMAINS: "exclude_domains",
        FilterKey.COUNTRY: "country",
        FilterKey.LANGUAGE: "language",
        FilterKey.SAFE_SEARCH: "safe",
        FilterKey.TOPIC: "topic",
    }

    def explain(
        self, request: SearchRequest, *, today: date
    ) -> tuple[tuple[FilterOutcome, ...], tuple[Adjustment, ...]]:
        self.refuse(request)
        sent = self.values(request, today)
        return tuple(self.outcome(key, sent) for key in request.filters.asked()), self.adjustments(request)

    def outcome(self, key: FilterKey, sent: dict[str, Any]) -> FilterOutcome:
        place = self.places[key]
        if place in sent:
            return FilterOutcome(key=key, status=FilterStatus.APPLIED, sent=f"{place}={sent[place]}")
        return FilterOutcome(key=key, status=FilterStatus.UNSUPPORTED, reason="the vendor cannot say it")

    def adjustments(self, request: SearchRequest) -> tuple[Adjustment, ...]:
        if request.max_results <= MOST_RESULTS:
            return ()
        return (Adjustment(what="max_results", asked=request.max_results, sent=MOST_RESULTS, reason="no more"),)

    def refuse(self, request: SearchRequest) -> None:
        if len(request.query) > MOST_CHARACTERS:
            raise InvalidRequest(f"harbour takes {MOST_CHARACTERS} characters")

    def body(self, request: SearchRequest, today: date) -> dict[str, Any]:
        count = min(request.max_results, MOST_RESULTS)
        paging = {"offset": (request.page - 1) * count} if request.page > 1 else {}
        return {"q": request.query, "limit": count, **paging, **self.values(request, today)}

    def exchange(self, request: SearchRequest, *, today: date) -> Exchange:
        self.refuse(request)
        reply = yield json_request("POST", "https://api.harbour.example/search", self.body(request, today))
        assert reply is not None
        return self.read(reply, request)

    def read(self, reply: HttpResponse, request: SearchRequest) -> SearchAnswer:
        data = json.loads(reply.body)
        if not isinstance(data.get("hits"), list):
            raise MalformedAnswer("harbour sent no hits", provider=self.id)
        failed = bool(data.get("failed"))
        rows = tuple(row for row in map(self.row, data["hits"]) if row is not None)
        return SearchAnswer(results=rows, incomplete=failed, notices=("Some sources failed.",) if failed else ())

    def row(self, hit: dict[str, Any]) -> SearchResult | None:
        if not hit.get("url"):
            return None
        return SearchResult(url=hit["url"], title=hit.get("title") or "", snippet=hit.get("snippet") or "")

    def classify(self, response: HttpResponse, *, now: datetime) -> ProviderError | None:
        if response.status == 200 and b'"error"' in response.body[:12]:
            return ProviderRejected("harbour reports an error", provider=self.id)
        return classify(response, provider=self.id, now=now)


@pytest.fixture(scope="session")
def harbour() -> type[HarbourCodec]:
    """The codec that is right."""
    return HarbourCodec


@pytest.fixture(scope="session")
def hits() -> Callable[[Sequence[Any]], HttpResponse]:
    """Write rows in the vendor's shape."""
    return lambda rows: HttpResponse(status=200, body=json.dumps({"hits": [dict(row) for row in rows]}).encode())


@pytest.fixture(scope="session")
def broken_tests() -> Callable[..., set[str]]:
    """Run the tests of a contract by hand, all or those that are named, and name those that fail."""

    def run(contract: Any, *names: str) -> set[str]:
        failed = set()
        for name in names or sorted(name for name in dir(contract) if name.startswith("test_")):
            test = getattr(contract, name)
            for arguments in _arguments(test):
                try:
                    test(**arguments)
                except pytest.skip.Exception:
                    continue
                except (AssertionError, pytest.fail.Exception, Exception):
                    failed.add(name)
        return failed

    return run


def _arguments(test: Any) -> list[dict[str, Any]]:
    """Return the arguments of every case of a parametrised test."""
    axes = [
        [{mark.args[0]: value} for value in mark.args[1]]
        for mark in getattr(test, "pytestmark", ())
        if mark.name == "parametrize"
    ]
    return [{key: value for part in parts for key, value in part.items()} for parts in itertools.product(*axes)]
