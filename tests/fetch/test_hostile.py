"""Whole reads over real sockets, against an origin that misbehaves."""

from __future__ import annotations

import asyncio
import gzip
import resource
import sys
import time
import zlib
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest

from websdk.client.guard import PageGuard
from websdk.egress import AllowEntry, EgressOptions
from websdk.errors import AskAgain, DeadlineExceeded, NotFound, Redirected, TooLarge, Unreadable, WebSdkError
from websdk.fetch import DocsIndexes, FetchOptions, Ladder, LocalRung
from websdk.model.connection import Connection
from websdk.model.document import Document, FetchRequest
from websdk.protocols import Call
from websdk.transport import page_transport
from websdk.workers import ExtractionPool

MIB = 1024 * 1024
ARTICLE = (
    b"<!doctype html><title>Harbour</title><article><h1>Harbour</h1>"
    b"<p>A paragraph about the harbour that is long enough to be the main text of a page.</p>"
    b"<p>Another one follows it and ends the page.</p></article>"
)


def reply(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", "Content-Type: text/html; charset=utf-8", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def bomb() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(packer.compress(bytes(MIB)) for _ in range(50)) + packer.flush()


async def misbehave(path: str, writer: asyncio.StreamWriter) -> None:
    chunked = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    fixed = {
        "/page": reply(ARTICLE),
        "/bomb": reply(bomb(), "200 OK", "Content-Encoding: gzip"),
        "/double-bomb": reply(gzip.compress(bomb()), "200 OK", "Content-Encoding: gzip, gzip"),
        "/brotli": reply(b"\x8b\x02\x80abc\x03", "200 OK", "Content-Encoding: br"),
        "/truncated": reply(ARTICLE + b" " * 500)[:-450],
        "/half-gzip": reply(gzip.compress(ARTICLE * 40)[:-200], "200 OK", "Content-Encoding: gzip"),
        "/moved": reply(b"moved", "302 Found", "Location: /page"),
        "/inward": reply(b"moved", "302 Found", "Location: http://169.254.169.254/latest/"),
        "/overload": reply(b"busy", "503 Service Unavailable", "Retry-After: 7200"),
        "/nest": reply(b"<html><body>" + b"<div>" * 20_000 + b"nest-text" + b"</div>" * 20_000),
        "/crowded": reply(b"<div " + b"a=1 " * 100_000 + b">" + ARTICLE + b"</div>"),
        "/spans": reply(b"<article><p>" + b"<span>a</span> " * 50_000 + b"</p></article>"),
        "/empty": reply(b""),
        "/cookie": reply(ARTICLE, "200 OK", "Set-Cookie: a=b"),
        "/garbage": b"SSH-2.0-OpenSSH_9.6\r\n",
    }
    if path == "/forever":
        writer.write(chunked)
        while True:
            writer.write(b"4000\r\n" + b"<p>forever</p> ." * 1024 + b"\r\n")
            await writer.drain()
    elif path in ("/trickle", "/slow-head"):
        writer.write(chunked if path == "/trickle" else b"HTTP/1.1 200 OK\r\nX-")
        while True:
            writer.write(b"1\r\nx\r\n" if path == "/trickle" else b"x")
            await writer.drain()
            await asyncio.sleep(0.05)
    else:
        writer.write(fixed.get(path, reply(b"not found", "404 Not Found")))


@attrs.define
class Origin:
    """An origin on loopback.

    Attributes:
        base: ``http://127.0.0.1:port``.
        heads: The head of every request, in order.
    """

    base: str
    heads: list[str]

    @property
    def paths(self) -> list[str]:
        return [head.split(" ")[1] for head in self.heads]


@asynccontextmanager
async def origin() -> Any:
    heads: list[str] = []
    answering: set[asyncio.Task[None]] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        answering.add(task)
        try:
            heads.append((await reader.readuntil(b"\r\n\r\n")).decode("latin-1"))
            await misbehave(heads[-1].split(" ")[1].split("?")[0], writer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            return
        finally:
            answering.discard(task)
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        yield Origin(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", heads)
    finally:
        server.close()
        for task in tuple(answering):
            task.cancel()
        await asyncio.gather(*answering, return_exceptions=True)
        await server.wait_closed()


class SystemClock:
    def now(self) -> Any:
        from datetime import UTC, datetime

        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()


@asynccontextmanager
async def reading(base: str, options: FetchOptions) -> Any:
    guard = PageGuard(EgressOptions(allow=(AllowEntry(origin=base),)))
    transport = page_transport(Connection(name="pages"), pinned=guard.backend, direct=guard.direct())
    pool = ExtractionPool()
    try:
        yield Ladder(
            (LocalRung(transport=transport, max_bytes=options.max_response_bytes),),
            pool=pool,
            guard=guard,
            options=options,
            docs_indexes=DocsIndexes(transport=transport, guard=guard),
        )
    finally:
        await pool.aclose()
        await transport.aclose()


@attrs.define
class Outcome:
    """What became of one read."""

    document: Document | None
    error: WebSdkError | None
    origin: Origin
    elapsed_s: float


def read(path: str, *, deadline_s: float = 20.0, max_bytes: int = MIB) -> Outcome:
    async def main() -> Outcome:
        options = FetchOptions(max_response_bytes=max_bytes, deadline_s=deadline_s)
        async with origin() as site, reading(site.base, options) as ladder:
            call = Call.start(id="c", operation="fetch", clock=SystemClock(), deadline_s=deadline_s)
            started = time.monotonic()
            document, error = None, None
            try:
                document = await ladder.read(FetchRequest(url=site.base + path), call=call)
            except WebSdkError as exc:
                error = exc
            return Outcome(document, error, site, time.monotonic() - started)

    return asyncio.run(main())


def test_an_ordinary_page_is_read_and_its_origin_asked_for_an_index() -> None:
    outcome = read("/page")

    assert outcome.document is not None
    assert "about the harbour" in outcome.document.markdown
    assert ["/page", "/llms.txt"] == outcome.origin.paths
    assert outcome.document.docs_index is None


def test_a_read_sends_no_cookie_no_referrer_and_no_reuse() -> None:
    outcome = read("/cookie")
    names = [{line.split(":")[0].lower() for line in head.split("\r\n")[1:] if line} for head in outcome.origin.heads]

    assert outcome.document is not None
    assert 2 == len(names)
    for sent in names:
        assert {"host", "user-agent", "accept", "accept-encoding", "connection"} == sent


@pytest.mark.parametrize("path", ["/bomb", "/double-bomb", "/forever"])
def test_a_reply_beyond_the_ceiling_is_too_large(path: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = read(path)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * (1 if sys.platform == "darwin" else 1024)

    assert isinstance(outcome.error, TooLarge)
    assert MIB == outcome.error.limit_bytes
    assert 20 * MIB > grown
    assert [path] == outcome.origin.paths


@pytest.mark.parametrize("path", ["/trickle", "/slow-head"])
def test_a_dripping_origin_ends_at_the_deadline(path: str) -> None:
    outcome = read(path, deadline_s=2.0)

    assert isinstance(outcome.error, AskAgain | DeadlineExceeded)
    assert outcome.error.retryable
    assert outcome.error.sent
    assert 1.8 < outcome.elapsed_s < 10.0  # a busy machine gets room; without a deadline this would never end


@pytest.mark.parametrize("path", ["/truncated", "/half-gzip"])
def test_a_torn_reply_is_never_a_whole_success(path: str) -> None:
    outcome = read(path)

    assert outcome.error is not None or (outcome.document is not None and outcome.document.incomplete)


def test_a_coding_that_is_not_read_here_is_not_handed_over_as_text() -> None:
    outcome = read("/brotli")

    assert isinstance(outcome.error, Unreadable)
    assert "content_coding" == outcome.error.seen


def test_a_redirect_names_its_absolute_destination_and_asks_nothing_more() -> None:
    outcome = read("/moved")

    assert isinstance(outcome.error, Redirected)
    assert outcome.origin.base + "/page" == outcome.error.destination
    assert ["/moved"] == outcome.origin.paths


def test_a_redirect_to_a_private_address_sends_nothing_there() -> None:
    outcome = read("/inward")

    assert isinstance(outcome.error, Redirected)
    assert "http://169.254.169.254/latest/" == outcome.error.destination


def test_an_overload_asks_to_come_back_after_a_clamped_wait() -> None:
    outcome = read("/overload")

    assert isinstance(outcome.error, AskAgain)
    assert 15.0 == outcome.error.wait_s


@pytest.mark.parametrize("path", ["/nest", "/crowded", "/spans"])
def test_markup_that_is_built_to_be_slow_ends_in_time(path: str) -> None:
    outcome = read(path)

    assert 30.0 > outcome.elapsed_s  # unbounded, such a page costs minutes
    assert outcome.document is not None or isinstance(outcome.error, Unreadable)


@pytest.mark.parametrize(("path", "kind"), [("/missing", NotFound), ("/empty", Unreadable), ("/garbage", AskAgain)])
def test_what_is_no_page_is_told_apart(path: str, kind: type[WebSdkError]) -> None:
    assert isinstance(read(path).error, kind)


def test_an_origin_that_is_not_there_asks_to_come_back() -> None:
    async def main() -> WebSdkError:
        async with origin() as site:
            base = site.base
        async with reading(base, FetchOptions()) as ladder:
            call = Call.start(id="c", operation="fetch", clock=SystemClock(), deadline_s=5)
            with pytest.raises(AskAgain) as failure:
                await ladder.read(FetchRequest(url=base), call=call)
            return failure.value

    assert not asyncio.run(main()).sent
