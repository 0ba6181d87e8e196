"""Credentials in environment variables."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

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
