"""The doubles do as they are told, and the fixtures are there for those who ask."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from websdk import Client, FilterKey, Filters, HttpRequest, HttpResponse, Limits, SearchAnswer, hookimpl
from websdk.errors import RateLimited
from websdk.protocols import Clock, Resolver, Transport, TransportFailure, WebSearchProvider
from websdk.settings import Settings
from websdk.testing import FakeClock, FakeResolver, RecordingTransport, ScriptedProvider

ROOT = Path(__file__).parents[2]
LIMITS = Limits(max_bytes=1_000, timeout_s=1.0)
GET = HttpRequest(method="GET", url="https://a.example/")


def plugin_of(provider: WebSearchProvider) -> object:
    @hookimpl
    def websdk_search_providers(assembly: object) -> list[WebSearchProvider]:
        return [provider]

    return SimpleNamespace(__name__="scripted_plugin", websdk_search_providers=websdk_search_providers)


def test_clock_moves_when_it_is_told_to() -> None:
    clock: Clock = FakeClock()
    before = clock.now()
    assert isinstance(clock, FakeClock)
    clock.advance(90)

    assert (timedelta(seconds=90), 90.0) == (clock.now() - before, clock.monotonic())


def test_resolver_knows_its_table_alone() -> None:
    resolver: Resolver = FakeResolver(addresses={"a.example": ["203.0.113.7"]})

    assert ["203.0.113.7"] == asyncio.run(resolver.resolve("a.example", 443))
    with pytest.raises(OSError, match="no such name"):
        asyncio.run(resolver.resolve("b.example", 443))


def test_transport_answers_in_order_and_keeps_what_it_was_sent() -> None:
    failure = ConnectionError("told to")
    transport = RecordingTransport([HttpResponse(status=201), failure, lambda request: HttpResponse(status=204)])
    assert isinstance(transport, Transport)

    assert 201 == asyncio.run(transport.send(GET, limits=LIMITS)).status
    with pytest.raises(ConnectionError):
        asyncio.run(transport.send(GET, limits=LIMITS))
    assert [204, 204] == [asyncio.run(transport.send(GET, limits=LIMITS)).status for _ in range(2)]
    assert ([GET] * 4, [LIMITS] * 4) == (transport.requests, transport.limits)
    assert "a.example" not in repr(transport)


def test_transport_without_a_script_sends_nothing() -> None:
    with pytest.raises(TransportFailure) as caught:
        asyncio.run(RecordingTransport().send(GET, limits=LIMITS))

    assert not caught.value.sent


def test_scripted_provider_serves_a_client() -> None:
    provider = ScriptedProvider.of("https://a.example/1", "https://a.example/2", filter_keys=[FilterKey.COUNTRY])
    assert isinstance(provider, WebSearchProvider)
    with Client(Settings(plugins=()), plugins=[plugin_of(provider)]) as client:
        answer = client.search("tides", provider="scripted", filters=Filters(country="DE", language="de"))

    assert ["https://a.example/1", "https://a.example/2"] == [row.url for row in answer.results]
    assert (FilterKey.LANGUAGE,) == answer.unsupported_filters
    assert ["tides"] == [request.query for request in provider.requests]


def test_scripted_provider_fails_and_answers_by_the_request() -> None:
    async def late(request: object) -> SearchAnswer:
        return SearchAnswer(answer="late")

    provider = ScriptedProvider([RateLimited("slow down", provider="scripted"), lambda _: SearchAnswer(), late])
    with Client(Settings(plugins=()), plugins=[plugin_of(provider)]) as client:
        with pytest.raises(RateLimited):
            client.search("x", provider="scripted")
        assert client.search("x", provider="scripted").answer is None
        assert "late" == client.search("x", provider="scripted").answer


def test_fixtures_are_there_for_those_who_ask(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["websdk.testing.plugin"]\n')
    (tmp_path / "test_own.py").write_text(
        "from websdk import Client\n\n"
        "def test_all(fake_clock, fake_resolver, recording_transport, vendor_server):\n"
        "    with Client(vendor_server.settings(), credentials=vendor_server.credentials()) as client:\n"
        "        assert client.search('tides', provider='brave').results\n"
        "    assert (0.0, [], []) == (fake_clock.seconds, fake_resolver.asked, recording_transport.requests)\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", str(tmp_path)]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)

    assert 0 == done.returncode, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_names_of_the_kit_load_when_they_are_asked_for() -> None:
    import websdk.testing

    assert all(getattr(websdk.testing, name) is not None for name in websdk.testing.__all__)
    with pytest.raises(AttributeError, match="no_such_name"):
        websdk.testing.no_such_name  # noqa: B018  # the access is the test
