"""The contract of ways to a page's bytes."""

from __future__ import annotations

import asyncio
from typing import ClassVar

import pytest

from websdk.errors import FetchError, ProviderError, WebSdkError
from websdk.model import Via
from websdk.protocols import FailureKind, FetchRung, RawDocument, Transport, TransportFailure
from websdk.testing.doubles import RecordingTransport, Scripted
from websdk.testing.provider_contract import new_call
from websdk.testing.reader_rules import checked
from websdk.wire import HttpResponse

PAGE = "https://port.example/tides?day=1"
HTML = "<!doctype html><title>Tides</title><main><h1>Tides</h1><p>High water at noon.</p></main>"
SENTENCE = b"High water at noon."


class FetchRungContract:
    """What every :class:`~websdk.protocols.FetchRung` promises that fetches over a transport.

    Give a subclass :meth:`make_rung`; a reader vendor also writes pages in its own shape, in :meth:`reply`.

    Attributes:
        key: The credential that :meth:`make_rung` gives the rung; empty for none.
    """

    key: ClassVar[str] = ""

    def make_rung(self, transport: Transport) -> FetchRung:
        """Return the rung under test, over *transport*."""
        raise NotImplementedError

    def reply(self, url: str, html: str) -> HttpResponse:
        """Return the reply that brings the page *html* of *url*; by default the page itself."""
        return HttpResponse(status=200, headers=(("Content-Type", "text/html; charset=utf-8"),), body=html.encode())

    def _read(self, *replies: Scripted) -> tuple[RawDocument, RecordingTransport]:
        transport = RecordingTransport(replies)
        rung = self.make_rung(transport)
        return asyncio.run(rung.read(checked(PAGE), call=new_call("fetch"))), transport

    def test_it_is_a_rung(self) -> None:
        """It has the members of the protocol, and says which rung it is."""
        rung = self.make_rung(RecordingTransport())

        assert isinstance(rung, FetchRung)
        assert rung.via in tuple(Via)

    def test_page_arrives_after_one_request(self) -> None:
        """Nothing is asked twice."""
        raw, transport = self._read(self.reply(PAGE, HTML))

        assert SENTENCE in raw.body
        assert 1 == len(transport.requests)

    def test_page_for_evidence_arrives_too(self) -> None:
        """What the page is for changes at most what a vendor is asked for."""
        call = new_call("fetch")
        call.for_evidence = True
        rung = self.make_rung(RecordingTransport([self.reply(PAGE, HTML)]))

        assert SENTENCE in asyncio.run(rung.read(checked(PAGE), call=call)).body

    def test_requests_are_in_the_record_of_the_call(self) -> None:
        """The receipt tells every request."""
        transport, call = RecordingTransport([self.reply(PAGE, HTML)]), new_call("fetch")
        asyncio.run(self.make_rung(transport).read(checked(PAGE), call=call))

        assert 1 == len(transport.requests) == len(call.attempts)

    def test_request_is_bounded_by_what_is_left_of_the_call(self) -> None:
        """Neither time nor size is open."""
        _, transport = self._read(self.reply(PAGE, HTML))
        [limits] = transport.limits

        assert 0 < limits.timeout_s <= 30
        assert 0 < limits.max_bytes <= 64 << 20

    def test_redirect_is_handed_over_and_not_followed(self) -> None:
        """Where it went is told, or it is a failure; nobody goes there."""
        reply = HttpResponse(status=302, headers=(("Location", "http://169.254.169.254/latest/"),))
        transport = RecordingTransport([reply])
        try:
            raw = asyncio.run(self.make_rung(transport).read(checked(PAGE), call=new_call("fetch")))
        except WebSdkError:
            raw = None

        assert 1 == len(transport.requests)
        assert raw is None or (raw.status, raw.location) == (302, "http://169.254.169.254/latest/")

    @pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
    def test_failing_status_is_never_a_page(self, status: int) -> None:
        """The status is told, or it is a failure."""
        transport = RecordingTransport([HttpResponse(status=status, body=b"{}")])
        try:
            raw = asyncio.run(self.make_rung(transport).read(checked(PAGE), call=new_call("fetch")))
        except (FetchError, ProviderError):
            return
        assert status == raw.status

    @pytest.mark.parametrize("kind", list(FailureKind))
    def test_failure_of_the_connection_is_one_of_ours(self, kind: FailureKind) -> None:
        """And says whether anything was sent; no address and no foreign text is in it."""
        for sent in (False, True):
            failure = TransportFailure(kind, "it broke", sent=sent, limit_bytes=1_000)
            with pytest.raises(WebSdkError) as caught:
                self._read(failure)

            assert not caught.value.sent or sent
            assert "day=1" not in f"{caught.value} {caught.value!r}"

    def test_key_is_in_no_failure_and_no_page(self) -> None:
        """Whatever the vendor echoes."""
        if not self.key:
            pytest.skip("the rung has no credential")
        for status in (401, 429, 500):
            with pytest.raises(WebSdkError) as caught:
                self._read(HttpResponse(status=status, body=f'{{"error": "bad key {self.key}"}}'.encode()))
            assert self.key not in f"{caught.value} {caught.value!r} {caught.value.__cause__!r}"
        raw, _ = self._read(self.reply(PAGE, f"<p>{SENTENCE.decode()} {self.key}</p>"))

        assert self.key.encode() not in raw.body
