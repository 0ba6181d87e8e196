"""Both providers in a client: found by name, configured by settings, refused unsent without what they need."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import websdk_vendors.plugin

from websdk import (
    AsyncClient,
    ConfigurationError,
    ConnectionSettings,
    CredentialRejected,
    FilterKey,
    Filters,
    HttpRequest,
    HttpResponse,
    Limits,
    SearchResponse,
    Settings,
)

FEED = (Path(__file__).parent / "data" / "arxiv.xml").read_bytes()


class Vendors:
    """Both vendors in memory."""

    def __init__(self) -> None:
        self.requests: list[HttpRequest] = []

    async def send(self, request: HttpRequest, *, limits: Limits) -> HttpResponse:
        self.requests.append(request)
        if "/api/query" in request.url:
            return HttpResponse(status=200, headers=(("Content-Type", "application/atom+xml"),), body=FEED)
        row = {"link": "https://a.example/", "title": "Tides", "description": "canary-key"}
        return HttpResponse(status=200, body=json.dumps({"general": {}, "organic": [row]}).encode())

    async def aclose(self) -> None: ...


@pytest.fixture
def vendors() -> Vendors:
    return Vendors()


def client(vendors: Vendors, *, key: str | None = None, **connections: ConnectionSettings) -> AsyncClient:
    names = {name.replace("_", "-"): connection for name, connection in connections.items()}
    return AsyncClient(
        Settings(plugins=(), connections=names),
        plugins=[websdk_vendors.plugin],
        credentials={} if key is None else {"brightdata-serp": key},
        transport=vendors,
    )


def search(of: AsyncClient, provider: str, **more: Any) -> SearchResponse:
    return asyncio.run(of.search("tides", provider=provider, **more))


ZONE = ConnectionSettings(settings={"zone": "serp1"})


def test_arxiv_needs_nothing(vendors: Vendors) -> None:
    filters = Filters(published_after="2003-01-01", published_before="2003-12-31", country="DE")

    response = search(client(vendors), "arxiv", filters=filters)

    [result] = response.results
    assert "http://arxiv.org/abs/hep-ex/0307015v1" == result.url
    assert (FilterKey.COUNTRY,) == response.unsupported_filters
    assert [1, 1] == [outcome.kept for outcome in response.filter_outcomes if outcome.key is not FilterKey.COUNTRY]


def test_arxiv_may_stand_elsewhere(vendors: Vendors) -> None:
    plan = client(vendors, arxiv=ConnectionSettings(base_url="http://127.0.0.1:8080")).plan("tides", provider="arxiv")

    assert plan.request is not None
    assert plan.request.url.startswith("http://127.0.0.1:8080/api/query?search_query=")


def test_brightdata_sends_its_key_and_masks_it_where_it_comes_back(vendors: Vendors) -> None:
    response = search(client(vendors, key="canary-key", brightdata_serp=ZONE), "brightdata-serp")

    [request] = vendors.requests
    assert "Bearer canary-key" == request.header("Authorization")
    assert "serp1" == json.loads(request.body)["zone"]
    assert "canary-key" not in repr(response)


def test_brightdata_without_a_key_is_refused_unsent(vendors: Vendors) -> None:
    with pytest.raises(CredentialRejected) as caught:
        search(client(vendors, brightdata_serp=ZONE), "brightdata-serp")

    assert not caught.value.sent
    assert [] == vendors.requests


def test_brightdata_without_a_zone_is_refused_unsent(vendors: Vendors) -> None:
    with pytest.raises(ConfigurationError, match="zone under"):
        search(client(vendors, key="k" * 8), "brightdata-serp")

    assert [] == vendors.requests


def test_dry_run_shows_the_request_and_no_key(vendors: Vendors) -> None:
    plan = client(vendors, key="canary-key", brightdata_serp=ZONE).plan("tides", provider="brightdata-serp")

    assert plan.request is not None
    assert "canary-key" not in repr(plan)
    assert "Authorization" in plan.request.headers
