"""The presets load, and a request goes out as the file says."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from websdk import AsyncClient, FilterKey, Filters, Settings


def folder() -> Path:
    spec = find_spec("websdk_example_presets")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


@pytest.fixture
def client() -> AsyncClient:
    return AsyncClient(Settings(plugins=(), presets=(folder(),)))


def test_request_goes_out_as_the_file_says(client: AsyncClient) -> None:
    plan = client.plan("parental leave", provider="acme-handbook", max_results=80, filters=Filters(recency="week"))

    assert plan.request is not None
    assert "https://handbook.acme.example/api/search?" == plan.request.url.partition("q=")[0]
    assert "age=7d" in plan.request.url
    assert () == plan.unsupported_filters
    assert [("max_results", 80, 50)] == [(item.what, item.asked, item.sent) for item in plan.adjustments]


def test_filters_that_the_handbook_lacks_are_named(client: AsyncClient) -> None:
    filters = Filters(country="DE", include_domains=["a.acme.example", "b.acme.example"])

    plan = client.plan("parental leave", provider="acme-handbook", filters=filters)

    assert (FilterKey.INCLUDE_DOMAINS, FilterKey.COUNTRY) == plan.unsupported_filters
    assert plan.request is not None
    assert "site" not in plan.request.url
