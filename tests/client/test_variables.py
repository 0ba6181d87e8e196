"""Credentials in environment variables."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from websdk import Client, ConnectionSettings, Settings
from websdk.client.credentials import EnvironmentCredential
from websdk.credentials import Secret
from websdk.errors import CredentialRejected
from websdk.protocols.call import Call


class _Still:
    def now(self) -> datetime:
        return datetime(2026, 3, 4, tzinfo=UTC)

    def monotonic(self) -> float:
        return 0.0


@pytest.fixture
def call() -> Call:
    return Call.start(id="c1", operation="search", clock=_Still(), deadline_s=1.0)


def test_joined_variables_hold_user_and_password(monkeypatch: pytest.MonkeyPatch, call: Call) -> None:
    source = EnvironmentCredential(("HARBOUR_USER:HARBOUR_PASSWORD", "HARBOUR_KEY"), "harbour")
    monkeypatch.setenv("HARBOUR_USER", "u")

    assert not source.is_set()
    with pytest.raises(CredentialRejected):
        asyncio.run(source.get(call))
    monkeypatch.setenv("HARBOUR_PASSWORD", "p:q")
    assert source.is_set()
    assert Secret("u:p:q") == asyncio.run(source.get(call))


def test_key_of_the_environment_goes_to_a_base_that_only_the_operator_can_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEILISEARCH_API_KEY", "canary-key")
    connections = {"meilisearch": ConnectionSettings(base_url="http://127.0.0.1:9", settings={"index": "pages"})}
    plan = Client(Settings(plugins=(), connections=connections)).plan("x", provider="meilisearch")

    assert plan.request is not None
    assert "Bearer ***" == plan.request.headers["Authorization"]
    assert () == plan.notices


def test_base_that_is_not_the_vendors_gets_no_key_and_the_plan_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "canary-key")
    connections = {"brave": ConnectionSettings(base_url="http://127.0.0.1:9")}
    plan = Client(Settings(plugins=(), connections=connections)).plan("x", provider="brave")

    assert plan.request is not None
    assert {} == plan.request.headers
    assert ["no credential is sent"] == [notice.partition(":")[0] for notice in plan.notices]
