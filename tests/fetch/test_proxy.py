"""The proxy rung: a named vendor fetches, and the document says who did and what is not known."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from datetime import date, datetime
from typing import Any

import attrs
import pytest

from websdk.credentials import Secret
from websdk.errors import (
    CredentialRejected,
    DeadlineExceeded,
    EgressRefused,
    FetchError,
    InvalidRequest,
    MalformedAnswer,
    NotFound,
    ProviderError,
    ProviderRejected,
    RateLimited,
    TooLarge,
    Unavailable,
    Unreadable,
)
from websdk.fetch import HttpReader, ProxyRung
from websdk.model.document import Via
from websdk.protocols import Call, CheckedUrl, FailureKind, RawDocument, TransportFailure
from websdk.transport.vendor import VendorCaller
from websdk.wire import HttpRequest, HttpResponse, Pause, json_request
from websdk.wire.status import classify

URL = "https://docs.example/guide?q=1"
READER = "https://reader.example/read"
MARKDOWN = b"# Pier\n\nThe lighthouse stands at the end of the pier.\n"


@attrs.define
class PlainCodec:
    """A vendor that takes the address as JSON and answers with the page itself."""

    id: str = "plain"
    fields: dict[str, Any] = attrs.field(factory=dict)
    requests: int = 1
    pause_s: float | None = None

    def exchange(
        self, url: CheckedUrl, *, for_evidence: bool = False
    ) -> Generator[HttpRequest | Pause, HttpResponse | None, RawDocument]:
        reply: HttpResponse | None = None
        for _ in range(self.requests):
            reply = yield json_request("POST", READER, {"url": url.href})
            if self.pause_s is not None:
                assert (yield Pause(seconds=self.pause_s)) is None
        assert reply is not None
        return RawDocument(**{"body": reply.body, "content_type": reply.header("content-type"), **self.fields})

    def classify(self, response: HttpResponse, *, now: datetime) -> ProviderError | FetchError | None:
        if response.status == 299:
            return NotFound("the vendor says that there is no such page", status=404)
        return classify(response, provider=self.id, now=now)


class Bearer:
    def sign(self, request: HttpRequest, secret: Secret, now: datetime) -> HttpRequest:
        return request.with_headers((("Authorization", f"Bearer {secret.reveal()}"),))


@attrs.define
class Key:
    value: str = "canary-key-0123456789"
    forgotten: int = 0

    async def get(self, call: Call) -> Secret:
        return Secret(self.value)

    def forget(self) -> bool:
        self.forgotten += 1
        return True


@pytest.fixture
def reader(bench: Any) -> HttpReader:
    made = HttpReader(codec=PlainCodec(), caller=VendorCaller(id="plain", transport=bench.transport))
    bench.rungs = (ProxyRung(readers={"plain": made, "other": made}, configured="plain"),)
    return made


def markdown(**fields: Any) -> HttpResponse:
    return HttpResponse(**{"status": 200, "headers": (("content-type", "text/markdown"),), "body": MARKDOWN, **fields})


def test_markdown_of_a_vendor_is_marked_as_its_work(bench: Any, reader: HttpReader) -> None:
    reader.codec = PlainCodec(fields={"is_markdown": True, "title": "Pier", "published": date(2026, 1, 2)})
    bench.transport.script[READER] = markdown()
    document = bench.read(URL, via="proxy")

    assert ("proxy", "plain", "plain") == (document.via, document.reader, document.extracted_by)
    assert "lighthouse stands" in document.markdown
    assert date(2026, 1, 2) == document.published
    assert "plain" == document.receipt.recipient


def test_html_of_a_vendor_is_read_by_our_reader(bench: Any, reader: HttpReader) -> None:
    body = b"<title>Pier</title><article><h1>Pier</h1><p>The lighthouse stands there.</p></article>"
    bench.transport.script[READER] = HttpResponse(status=200, headers=(("content-type", "text/html"),), body=body)
    document = bench.read(URL, via="proxy")

    assert ("plain", "websdk") == (document.reader, document.extracted_by)
    assert "The lighthouse stands there." in document.markdown


def test_an_address_that_is_not_known_is_said_not_guessed(bench: Any, reader: HttpReader) -> None:
    bench.transport.script[READER] = markdown()
    document = bench.read(URL, via="proxy")

    assert document.served_url is None
    assert any("does not say which address" in notice for notice in document.notices)
    assert URL == document.url


def test_where_the_served_address_is_unknown_the_asked_origin_is_probed(bench: Any, reader: HttpReader) -> None:
    bench.transport.script[READER] = markdown()
    bench.read(URL, via="proxy")

    assert [READER, "https://docs.example/llms.txt"] == bench.transport.urls


def test_where_it_is_known_the_serving_origin_is_probed(bench: Any, reader: HttpReader) -> None:
    reader.codec = PlainCodec(fields={"served_url": "https://new.example/guide"})
    bench.transport.script[READER] = markdown()
    document = bench.read(URL, via="proxy")

    assert "https://new.example/guide" == document.served_url
    assert [READER, "https://new.example/llms.txt"] == bench.transport.urls


@pytest.mark.parametrize(
    ("named", "served"),
    [
        ("https://user:pw@new.example/a", "https://new.example/a"),
        ("HTTPS://New.Example:443/a", "https://new.example/a"),
        ("new.example/a", None),
        ("javascript:alert(1)", None),
        ("https://new.example/" + "a" * 3_000, None),
    ],
)
def test_an_address_that_a_vendor_names_is_an_address_or_unknown(
    bench: Any, reader: HttpReader, named: str, served: str | None
) -> None:
    reader.codec = PlainCodec(fields={"served_url": named})
    bench.transport.script[READER] = markdown()
    document = bench.read(URL, via="proxy")

    assert served == document.served_url
    assert (served is None) == any("does not say which address" in notice for notice in document.notices)


def test_an_address_that_a_vendor_names_is_judged_before_it_is_probed(bench: Any, reader: HttpReader) -> None:
    reader.codec = PlainCodec(fields={"served_url": "http://db.internal/x"})
    bench.transport.script[READER] = markdown()
    bench.read(URL, via="proxy")

    assert [READER] == bench.transport.urls


def test_the_guard_refuses_before_a_vendor_hears_of_the_address(bench: Any, reader: HttpReader) -> None:
    with pytest.raises(EgressRefused):
        bench.read("http://db.internal/", via="proxy")

    assert [] == bench.transport.requests


def test_the_call_names_the_reader(bench: Any, reader: HttpReader) -> None:
    other = HttpReader(codec=PlainCodec(id="other"), caller=VendorCaller(id="other", transport=bench.transport))
    bench.rungs = (ProxyRung(readers={"plain": reader, "other": other}, configured="plain"),)
    bench.transport.script[READER] = markdown()

    assert "other" == bench.read(URL, via="proxy", provider="other").reader


@pytest.mark.parametrize("provider", [None, "nobody"])
def test_a_reader_that_nobody_names_is_a_refusal_that_lists_them(
    bench: Any, reader: HttpReader, provider: str | None
) -> None:
    bench.rungs = (ProxyRung(readers={"plain": reader, "jina": reader}),)
    with pytest.raises(InvalidRequest, match="jina, plain"):
        bench.read(URL, via="proxy", provider=provider)

    assert [] == bench.transport.requests


def test_a_rung_without_a_configured_reader_is_not_offered_as_a_way_out(bench: Any, reader: HttpReader) -> None:
    bench.transport.script["https://docs.example/"] = HttpResponse(status=200)
    with pytest.raises(Unreadable) as with_default:
        bench.read("https://docs.example/")
    bench.rungs = (ProxyRung(readers={"plain": reader}),)
    with pytest.raises(Unreadable) as without:
        bench.read("https://docs.example/")

    assert ("proxy",) == with_default.value.remaining_rungs
    assert () == without.value.remaining_rungs


def test_an_empty_answer_of_a_vendor_is_unreadable(bench: Any, reader: HttpReader) -> None:
    bench.transport.script[READER] = markdown(body=b"")
    with pytest.raises(Unreadable) as failure:
        bench.read(URL, via="proxy")

    assert ("proxy", ("local",)) == (failure.value.rung, failure.value.remaining_rungs)


def test_a_page_that_the_origin_refused_the_vendor_is_that_failure(bench: Any, reader: HttpReader) -> None:
    reader.codec = PlainCodec(fields={"status": 404})
    bench.transport.script[READER] = markdown()
    with pytest.raises(NotFound):
        bench.read(URL, via="proxy")


def test_what_the_vendor_calls_not_found_is_not_found(bench: Any, reader: HttpReader) -> None:
    bench.transport.script[READER] = HttpResponse(status=299)
    with pytest.raises(NotFound):
        bench.read(URL, via="proxy")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (HttpResponse(status=429, headers=(("retry-after", "7200"),)), RateLimited),
        (HttpResponse(status=503), Unavailable),
        (HttpResponse(status=401), CredentialRejected),
        (markdown(incomplete=True), Unavailable),
        (TransportFailure(FailureKind.CONNECT, "no connection", sent=False), Unavailable),
        (TransportFailure(FailureKind.CODING, "unknown coding", sent=True), MalformedAnswer),
    ],
)
def test_a_failing_vendor_is_the_vendors_failure(
    bench: Any, reader: HttpReader, answer: Any, expected: type[ProviderError]
) -> None:
    bench.transport.script[READER] = answer
    with pytest.raises(expected) as failure:
        bench.read(URL, via="proxy")

    assert "plain" == failure.value.provider
    assert "call-1" == failure.value.call_id
    assert "guide" not in str(failure.value)
    assert failure.value.wait_s is None or 60.0 >= failure.value.wait_s


def test_a_reply_beyond_the_ceiling_is_too_large(bench: Any, reader: HttpReader) -> None:
    bench.transport.script[READER] = TransportFailure(FailureKind.TOO_LARGE, "too large", sent=True, limit_bytes=7_000)
    with pytest.raises(TooLarge) as failure:
        bench.read(URL, via="proxy")

    assert (7_000, True, False) == (failure.value.limit_bytes, failure.value.sent, failure.value.retryable)
    assert "call-1" == failure.value.call_id


@pytest.mark.parametrize("spare", [0, -1])
def test_the_page_that_a_vendor_hands_over_keeps_to_the_ceiling_of_pages(
    bench: Any, reader: HttpReader, spare: int
) -> None:
    reader.codec = PlainCodec(fields={"is_markdown": True})
    reader.max_bytes = len(MARKDOWN) + spare
    bench.transport.script[READER] = markdown()
    if spare == 0:
        assert "lighthouse stands" in bench.read(URL, via="proxy").markdown
        return
    with pytest.raises(TooLarge) as failure:
        bench.read(URL, via="proxy")

    assert (reader.max_bytes, True) == (failure.value.limit_bytes, failure.value.sent)


def test_a_credential_goes_to_its_origins_only(bench: Any, reader: HttpReader) -> None:
    reader.caller.auth, reader.caller.credential = Bearer(), Key()
    reader.caller.origins = frozenset({"https://elsewhere.example"})
    with pytest.raises(ProviderRejected) as failure:
        bench.read(URL, via="proxy")

    assert [] == bench.transport.requests
    assert not failure.value.sent


def test_a_credential_is_signed_in_and_masked_in_what_comes_back(bench: Any, reader: HttpReader) -> None:
    reader.caller.auth, reader.caller.credential = Bearer(), Key()
    reader.caller.origins = frozenset({"https://reader.example"})
    reader.codec = PlainCodec(fields={"title": "for canary-key-0123456789", "is_markdown": True})
    bench.transport.script[READER] = markdown(body=MARKDOWN + b"\nYour key is canary-key-0123456789, \xff keep it.")
    document = bench.read(URL, via="proxy")

    assert "Bearer canary-key-0123456789" == bench.transport.requests[0].header("authorization")
    assert bench.transport.requests[1].header("authorization") is None
    assert "canary" not in repr(document)
    assert "lighthouse" in document.markdown


def test_a_rejected_credential_is_forgotten_and_the_call_may_be_made_again(bench: Any, reader: HttpReader) -> None:
    key = Key()
    reader.caller.auth, reader.caller.credential = Bearer(), key
    bench.transport.script[READER] = HttpResponse(status=401)
    with pytest.raises(CredentialRejected) as failure:
        bench.read(URL, via="proxy")

    assert 1 == key.forgotten
    assert failure.value.retryable


def test_a_reader_that_needs_a_credential_and_has_none_sends_nothing(bench: Any, reader: HttpReader) -> None:
    reader.caller.needs_credential = True
    with pytest.raises(CredentialRejected) as failure:
        bench.read(URL, via="proxy")

    assert not failure.value.sent
    assert [] == bench.transport.requests


def test_an_exchange_that_does_not_end_is_ended(bench: Any, reader: HttpReader) -> None:
    reader.codec = PlainCodec(requests=100)
    bench.transport.script[READER] = markdown()
    with pytest.raises(MalformedAnswer):
        bench.read(URL, via="proxy")


def test_a_job_may_be_waited_for(bench: Any, reader: HttpReader) -> None:
    reader.codec = PlainCodec(requests=2, pause_s=0.001)
    bench.transport.script[READER] = markdown()

    assert "lighthouse" in bench.read(URL, via="proxy").markdown


def test_a_wait_beyond_the_deadline_is_not_begun(bench: Any, reader: HttpReader) -> None:
    reader.codec = PlainCodec(pause_s=31.0)
    bench.transport.script[READER] = markdown()
    with pytest.raises(DeadlineExceeded):
        bench.read(URL, via="proxy")


def test_the_rung_itself_serves_with_the_configured_reader(bench: Any, reader: HttpReader) -> None:
    bench.transport.script[READER] = markdown()
    rung = bench.rungs[0]
    raw = asyncio.run(rung.read(bench.guard.judge(URL), call=bench.new_call()))

    assert ("plain", Via.PROXY) == (raw.reader, rung.via)
