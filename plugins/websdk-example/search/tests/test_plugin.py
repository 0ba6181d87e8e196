"""The plugin in a client: found, configured, asked; its token renewed when it ends or is refused."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from datetime import UTC, datetime, timedelta
from typing import Any

import attrs
import pytest
import websdk_example_search.plugin

from websdk import (
    AsyncClient,
    ConfigurationError,
    ConnectionSettings,
    CredentialRejected,
    FilterKey,
    Filters,
    MalformedAnswer,
    SearchResponse,
    Settings,
    SettingsError,
    WebSdkError,
)

OPTIONS = {
    "base_url": "https://tickets.acme.example",
    "token_url": "https://login.acme.example/token",
    "client_id": "reader",
}


@attrs.define
class FakeClock:
    moment: datetime = datetime(2026, 3, 10, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def monotonic(self) -> float:
        return self.moment.timestamp()


def client(acme: Any, *, options: Any = OPTIONS, secret: str | None = "long-lived", clock: Any = None) -> AsyncClient:
    settings = Settings(
        plugins=(),
        plugin={"example-search": options} if options is not None else {},
        connections={"acme-login": ConnectionSettings(credential="acme-client" if secret else None)},
    )
    return AsyncClient(
        settings,
        plugins=[websdk_example_search.plugin],
        credentials={"acme-client": secret} if secret else {},
        transport=acme,
        clock=clock or FakeClock(),
    )


def search(of: AsyncClient, **more: Any) -> SearchResponse:
    return asyncio.run(of.search("lift", provider="acme-tickets", **more))


def test_search_gets_a_token_and_then_its_results(acme: Any) -> None:
    response = search(client(acme), filters=Filters(recency="month", country="DE"))

    assert ["https://tickets.acme.example/t/7"] == [result.url for result in response.results]
    assert (FilterKey.COUNTRY,) == response.unsupported_filters
    assert ["POST login", "POST tickets", "GET tickets"] == [
        f"{request.method} {request.url.split('/')[2].split('.')[0]}" for request in acme.requests
    ]


def test_token_is_kept_until_it_ends(acme: Any) -> None:
    clock = FakeClock()
    one = client(acme, clock=clock)

    search(one)
    search(one)
    before = acme.tokens
    clock.moment += timedelta(seconds=571)  # within the last thirty of its 600 seconds
    search(one)

    assert 1 == before
    assert 2 == acme.tokens


def test_token_is_kept_for_a_day_at_most_whatever_the_service_says(acme: Any) -> None:
    clock = FakeClock()
    one = client(acme, clock=clock)
    acme.lifetime_s = 10**9

    search(one)
    clock.moment += timedelta(hours=24)
    search(one)

    assert 2 == acme.tokens


def test_refused_token_is_forgotten_and_the_next_call_gets_another(acme: Any) -> None:
    one = client(acme)
    search(one)
    acme.refused.add("token-1")

    with pytest.raises(CredentialRejected) as caught:
        search(one)
    response = search(one)

    assert caught.value.retryable
    assert 2 == acme.tokens
    assert response.results


def test_concurrent_calls_share_one_exchange(acme: Any) -> None:
    one = client(acme)

    async def both() -> None:
        await asyncio.gather(*(one.search("lift", provider="acme-tickets") for _ in range(5)))

    asyncio.run(both())

    assert 1 == acme.tokens


@pytest.mark.parametrize("secret", [None, "wrong"])
def test_missing_or_wrong_client_secret_is_a_rejected_credential(acme: Any, secret: str | None) -> None:
    with pytest.raises(CredentialRejected) as caught:
        search(client(acme, secret=secret))

    assert (secret is not None) == caught.value.sent
    assert all("tickets.acme.example" not in request.url for request in acme.requests)


@pytest.mark.parametrize("lifetime", [None, "600", 1.5, True])
def test_reply_that_is_no_token_is_malformed(acme: Any, lifetime: Any) -> None:
    acme.lifetime_s = lifetime

    with pytest.raises(MalformedAnswer) as caught:
        search(client(acme))

    assert "token-1" not in str(caught.value)


def test_neither_secret_nor_token_shows_anywhere(acme: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    acme.looks = deque([attrs.evolve(acme.looks[0], status=500, body=b"token-1 long-lived")])

    with pytest.raises(WebSdkError) as caught:
        search(client(acme))

    shown = f"{caught.value} {caught.value!r} {caplog.text}"
    assert "token-1" not in shown
    assert "long-lived" not in shown


def test_installed_and_not_configured_is_no_mistake(acme: Any) -> None:
    with pytest.raises(ConfigurationError, match="acme-tickets"):
        search(client(acme, options=None))


def test_incomplete_settings_name_what_is_missing(acme: Any) -> None:
    with pytest.raises(ConfigurationError) as caught:
        search(client(acme, options={"base_url": "https://tickets.acme.example"}))

    cause = caught.value.__cause__
    assert isinstance(cause, SettingsError)
    assert ("plugin.example-search.token_url: missing", "plugin.example-search.client_id: missing") == cause.problems
