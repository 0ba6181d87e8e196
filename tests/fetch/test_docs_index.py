"""The index probe: one small question to an origin that was contacted anyway, never at the read's expense."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from websdk.fetch import DocsIndexes, FetchOptions, FoundIndex
from websdk.fetch.docs_index import MARGIN_S, MAX_INDEX_BYTES, MAX_ORIGINS, PROBE_S, REMEMBERED_S
from websdk.model.document import Document
from websdk.protocols import FailureKind, Limits, TransportFailure
from websdk.wire import HttpRequest, HttpResponse

URL = "https://docs.example/guide/intro"
INDEX = "https://docs.example/llms.txt"
LISTING = b"# Pier\n\n> How to build one.\n\n- [Guide](https://docs.example/guide.md): first steps\n"
MakePage = Callable[..., HttpResponse]


def listing(body: bytes = LISTING, **fields: Any) -> HttpResponse:
    return HttpResponse(**{"status": 200, "headers": (("content-type", "text/plain"),), "body": body, **fields})


def find(bench: Any, *urls: str, indexes: DocsIndexes | None = None) -> list[FoundIndex | None]:
    """Ask for the index of each address in turn."""
    indexes = indexes or DocsIndexes(transport=bench.transport, guard=bench.guard)

    async def main() -> list[FoundIndex | None]:
        return [await indexes.find(url, call=bench.new_call()) for url in urls]

    return asyncio.run(main())


def read(bench: Any, make_page: MakePage, **options: Any) -> Document:
    bench.options = FetchOptions(**options)
    bench.transport.script[URL] = make_page()
    document: Document = bench.read(URL)
    return document


def test_a_read_names_the_index_of_the_origin_that_served_it(bench: Any, make_page: MakePage) -> None:
    bench.transport.script[INDEX] = listing()

    assert INDEX == read(bench, make_page).docs_index
    assert [URL, INDEX] == bench.transport.urls


def test_the_probe_stands_in_the_receipt(bench: Any, make_page: MakePage) -> None:
    bench.transport.script[INDEX] = listing(wire_bytes=5)
    receipt = read(bench, make_page).receipt

    assert receipt is not None
    assert ["local", "docs_index"] == [attempt.recipient for attempt in receipt.attempts]
    assert (200, 5) == (receipt.attempts[1].status, receipt.attempts[1].wire_bytes)


def test_a_setting_turns_the_probe_off(bench: Any, make_page: MakePage) -> None:
    bench.transport.script[INDEX] = listing()

    assert read(bench, make_page, docs_index_discovery=False).docs_index is None
    assert [URL] == bench.transport.urls


def test_a_read_that_fails_is_not_followed_by_a_probe(bench: Any) -> None:
    with pytest.raises(Exception, match="no such page"):
        bench.read(URL)

    assert [URL] == bench.transport.urls


def test_the_whole_text_is_reported_where_the_index_lists_it(bench: Any, make_page: MakePage) -> None:
    bench.transport.script[INDEX] = listing(LISTING + b"\n- [All](/docs/llms-full.txt): everything\n")
    document = read(bench, make_page)

    assert any("https://docs.example/docs/llms-full.txt" in notice for notice in document.notices)


@pytest.mark.parametrize(
    "listed", [b"https://elsewhere.example/llms-full.txt", b"https://u:p@docs.example/llms-full.txt"]
)
def test_a_whole_text_elsewhere_is_not_passed_on(bench: Any, listed: bytes) -> None:
    bench.transport.script[INDEX] = listing(LISTING + b"\n- [All](" + listed + b")\n")

    assert [FoundIndex(url=INDEX)] == find(bench, URL)


@pytest.mark.parametrize(
    "reply",
    [
        HttpResponse(status=404, body=b"no"),
        HttpResponse(status=403, body=b"no"),
        HttpResponse(status=302, headers=(("location", "/elsewhere"),)),
        HttpResponse(status=200, body=b""),
        HttpResponse(status=200, headers=(("content-type", "text/html"),), body=LISTING),
        HttpResponse(status=200, body=b"<!doctype html><title>Not found</title>"),
        TransportFailure(FailureKind.TOO_LARGE, "x", sent=True, limit_bytes=MAX_INDEX_BYTES),
    ],
    ids=["404", "403", "redirect", "empty", "labelled html", "looks like html", "too large"],
)
def test_an_answer_that_is_no_index_is_an_absence_and_remembered(bench: Any, reply: Any) -> None:
    bench.transport.script[INDEX] = reply

    assert [None, None] == find(bench, URL, URL)
    assert [INDEX] == bench.transport.urls


@pytest.mark.parametrize(
    "reply",
    [
        HttpResponse(status=503),
        HttpResponse(status=429),
        TransportFailure(FailureKind.BROKEN, "x", sent=True),
        TransportFailure(FailureKind.TIMEOUT, "x", sent=True),
        TransportFailure(FailureKind.CONNECT, "x", sent=False),
        KeyError("x"),
    ],
    ids=["503", "429", "broken", "timeout", "connect", "an embedder's resolver that breaks"],
)
def test_a_failure_in_transit_is_not_remembered(bench: Any, reply: Any) -> None:
    indexes = DocsIndexes(transport=bench.transport, guard=bench.guard)
    bench.transport.script[INDEX] = reply
    before = find(bench, URL, indexes=indexes)
    bench.transport.script[INDEX] = listing()

    assert [None] == before
    assert [FoundIndex(url=INDEX)] == find(bench, URL, indexes=indexes)


def test_an_index_is_remembered_for_a_quarter_of_an_hour(bench: Any) -> None:
    indexes = DocsIndexes(transport=bench.transport, guard=bench.guard)
    bench.transport.script[INDEX] = listing()
    find(bench, URL, "https://docs.example/other", indexes=indexes)
    bench.clock.seconds = REMEMBERED_S - 1
    find(bench, URL, indexes=indexes)

    assert [INDEX] == bench.transport.urls

    bench.clock.seconds = REMEMBERED_S
    bench.transport.script[INDEX] = HttpResponse(status=404)

    assert [None] == find(bench, URL, indexes=indexes)


def test_origins_are_told_apart_by_scheme_host_and_port(bench: Any) -> None:
    urls = ["https://a.example/x", "https://a.example:443/y", "http://a.example/", "https://a.example:8443/"]
    find(bench, *urls)

    assert [
        "https://a.example/llms.txt",
        "http://a.example/llms.txt",
        "https://a.example:8443/llms.txt",
    ] == bench.transport.urls


def test_the_memory_is_bounded_and_forgets_the_oldest(bench: Any) -> None:
    urls = [f"https://host-{i}.example/" for i in range(MAX_ORIGINS + 1)]
    find(bench, *urls, urls[-1], urls[0])

    assert MAX_ORIGINS + 2 == len(bench.transport.urls)
    assert "https://host-0.example/llms.txt" == bench.transport.urls[-1]


@pytest.mark.parametrize("url", ["http://db.internal/x", "ftp://docs.example/", "https://docs.example:99999/", "x"])
def test_an_address_without_an_origin_that_may_be_reached_is_not_asked(bench: Any, url: str) -> None:
    assert [None] == find(bench, url)
    assert [] == bench.transport.urls


def test_credentials_of_the_page_do_not_reach_the_probe(bench: Any) -> None:
    find(bench, "https://user:canary@docs.example/x")

    assert [INDEX] == bench.transport.urls
    assert [INDEX] == bench.guard.asked


def test_concurrent_reads_of_one_origin_probe_once(bench: Any) -> None:
    asked = asyncio.Event()
    go = asyncio.Event()

    async def slow(request: HttpRequest, limits: Limits) -> HttpResponse:
        asked.set()
        await go.wait()
        return listing()

    async def main() -> list[FoundIndex | None]:
        indexes = DocsIndexes(transport=bench.transport, guard=bench.guard)
        bench.transport.script[INDEX] = slow
        tasks = [asyncio.create_task(indexes.find(URL, call=bench.new_call())) for _ in range(5)]
        await asked.wait()
        go.set()
        return await asyncio.gather(*tasks)

    assert [FoundIndex(url=INDEX)] * 5 == asyncio.run(main())
    assert [INDEX] == bench.transport.urls


@pytest.mark.parametrize("leaves", ["cancelled", "late"])
def test_a_probe_outlives_the_read_that_began_it_while_another_waits(bench: Any, leaves: str) -> None:
    asked = asyncio.Event()
    go = asyncio.Event()

    async def slow(request: HttpRequest, limits: Limits) -> HttpResponse:
        asked.set()
        await go.wait()
        return listing()

    async def main() -> tuple[Any, FoundIndex | None, list[str]]:
        indexes = DocsIndexes(transport=bench.transport, guard=bench.guard)
        bench.transport.script[INDEX] = slow
        call = attrs.evolve(bench.new_call(), deadline_s=30.0 if leaves == "cancelled" else MARGIN_S + 0.05)
        first = asyncio.create_task(indexes.find(URL, call=call))
        await asked.wait()
        second = asyncio.create_task(indexes.find(URL, call=bench.new_call()))
        await asyncio.sleep(0)  # the second read joins the flight
        if leaves == "cancelled":
            first.cancel()
        [left] = await asyncio.gather(first, return_exceptions=True)
        go.set()
        return left, await second, [attempt.outcome for attempt in call.attempts]

    left, found, outcomes = asyncio.run(main())

    assert left is None if leaves == "late" else isinstance(left, asyncio.CancelledError)
    assert FoundIndex(url=INDEX) == found
    assert ["cancelled"] == outcomes
    assert [INDEX] == bench.transport.urls
    assert PROBE_S == bench.transport.limits[0].timeout_s


def test_a_probe_ends_with_the_last_read_that_waits(bench: Any) -> None:
    asked = asyncio.Event()
    ended = asyncio.Event()

    async def never(request: HttpRequest, limits: Limits) -> HttpResponse:
        asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        raise AssertionError

    async def main() -> FoundIndex | None:
        indexes = DocsIndexes(transport=bench.transport, guard=bench.guard)
        bench.transport.script[INDEX] = never
        reads = [asyncio.create_task(indexes.find(URL, call=bench.new_call())) for _ in range(2)]
        await asked.wait()
        for read in reads:
            read.cancel()
        await asyncio.gather(*reads, return_exceptions=True)
        assert ended.is_set()
        bench.transport.script[INDEX] = listing()
        return await indexes.find(URL, call=bench.new_call())

    assert FoundIndex(url=INDEX) == asyncio.run(main())
    assert [INDEX] * 2 == bench.transport.urls


def test_a_dripping_origin_costs_no_more_than_the_bound(bench: Any) -> None:
    async def drip(request: HttpRequest, limits: Limits) -> HttpResponse:
        await asyncio.Event().wait()
        raise AssertionError

    async def main() -> tuple[FoundIndex | None, float]:
        indexes = DocsIndexes(transport=bench.transport, guard=bench.guard)
        bench.transport.script[INDEX] = drip
        loop = asyncio.get_running_loop()
        started = loop.time()
        found = await indexes.find(URL, call=bench.new_call())
        return found, loop.time() - started

    found, elapsed_s = asyncio.run(main())

    assert found is None
    assert PROBE_S <= elapsed_s < PROBE_S + 6.0  # a busy machine gets room
    assert PROBE_S == bench.transport.limits[0].timeout_s
    assert MAX_INDEX_BYTES == bench.transport.limits[0].max_bytes


def test_a_read_with_no_time_left_is_not_followed_by_a_probe(bench: Any, make_page: MakePage) -> None:
    bench.deadline_s = 0.2
    bench.transport.script[INDEX] = listing()

    assert read(bench, make_page).docs_index is None
    assert [URL] == bench.transport.urls


def test_one_memory_serves_several_loops(bench: Any) -> None:
    indexes = DocsIndexes(transport=bench.transport, guard=bench.guard)
    bench.transport.script[INDEX] = listing()
    answers = find(bench, URL, indexes=indexes) + find(bench, URL, indexes=indexes)

    assert [FoundIndex(url=INDEX)] * 2 == answers
    assert [INDEX] == bench.transport.urls
