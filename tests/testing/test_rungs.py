"""The rungs of this package keep the contract of rungs."""

from __future__ import annotations

from typing import Any

import attrs

from websdk.credentials import Secret
from websdk.declarative import PresetReader, bundled_preset_texts, load_preset
from websdk.fetch.local import LocalRung
from websdk.fetch.proxy import HttpReader, ProxyRung
from websdk.protocols import FetchRung, Transport
from websdk.testing import FetchRungContract, RecordingTransport
from websdk.testing.replies import page_response
from websdk.testing.samples import connection_of
from websdk.transport.vendor import VendorCaller
from websdk.wire import HttpResponse

EXA = load_preset(bundled_preset_texts()["exa"], name="exa")


class Given:
    """A credential that is simply there."""

    def __init__(self, key: str) -> None:
        self.key = key

    async def get(self, call: Any) -> Secret:
        return Secret(self.key)


class TestLocalRung(FetchRungContract):
    """This machine asks the page's origin."""

    def make_rung(self, transport: Transport) -> FetchRung:
        return LocalRung(transport=transport)


class TestReader(FetchRungContract):
    """A reader vendor from a preset."""

    key = "canary-key-4711"

    def make_rung(self, transport: Transport) -> FetchRung:
        codec = PresetReader(EXA, connection_of(EXA))
        caller = VendorCaller(id="exa", transport=transport, auth=codec.auth, credential=Given(self.key))
        return HttpReader(codec=codec, caller=caller)

    def reply(self, url: str, html: str) -> HttpResponse:
        assert EXA.fetch is not None
        return page_response(EXA.fetch, url, {"html": html, "markdown": html})


class TestProxyRung(TestReader):
    """The rung that hands a call to the reader that settings name."""

    def make_rung(self, transport: Transport) -> FetchRung:
        return ProxyRung(readers={"exa": super().make_rung(transport)}, configured="exa")


@attrs.define
class FollowsRedirects:
    """A rung that goes wherever it is sent."""

    transport: Transport

    @property
    def via(self) -> Any:
        return LocalRung(transport=self.transport).via

    async def read(self, url: Any, *, call: Any) -> Any:
        raw = await LocalRung(transport=self.transport).read(url, call=call)
        if raw.location:
            return await LocalRung(transport=self.transport).read(attrs.evolve(url, href=raw.location), call=call)
        return raw


@attrs.define
class LetsFailuresThrough(FollowsRedirects):
    """A rung that lets the failures of its transport out as they are."""

    async def read(self, url: Any, *, call: Any) -> Any:
        from websdk.protocols import Limits
        from websdk.wire import HttpRequest

        limits = Limits(max_bytes=1_000, timeout_s=call.remaining_s())
        reply = await self.transport.send(HttpRequest(method="GET", url=url.href), limits=limits)
        return LocalRung, reply


def test_rung_with_a_fault_fails_the_contract(broken_tests: Any) -> None:
    class Following(FetchRungContract):
        def make_rung(self, transport: Transport) -> Any:
            return FollowsRedirects(transport)

    class Leaking(FetchRungContract):
        def make_rung(self, transport: Transport) -> Any:
            return LetsFailuresThrough(transport)

    assert {"test_redirect_is_handed_over_and_not_followed"} == broken_tests(Following())
    assert "test_failure_of_the_connection_is_one_of_ours" in broken_tests(Leaking())
    assert "test_requests_are_in_the_record_of_the_call" in broken_tests(Leaking())


def test_recording_transport_without_a_script_sends_nothing(broken_tests: Any) -> None:
    class Silent(FetchRungContract):
        def make_rung(self, transport: Transport) -> Any:
            return LocalRung(transport=RecordingTransport())

    assert "test_page_arrives_after_one_request" in broken_tests(Silent())
