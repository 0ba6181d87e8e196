"""Doubles at the seams: a transport with a script, a guard with one rule, a clock that stands still."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import attrs
import pytest

from websdk.errors import EgressRefused
from websdk.events import Event
from websdk.fetch import DocsIndexes, FetchOptions, Ladder, LocalRung
from websdk.model.document import Document, FetchRequest
from websdk.model.urls import parse
from websdk.protocols import ByteStream, Call, CheckedUrl, FetchRung, Limits
from websdk.wire import HttpRequest, HttpResponse
from websdk.workers import ExtractionPool

NOW = datetime(2026, 3, 4, 12, 0, 0, tzinfo=UTC)
Answer = HttpResponse | Exception | Callable[[HttpRequest, Limits], Awaitable[HttpResponse]]


class StandingClock:
    """A clock whose seconds pass only when it is told."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return NOW

    def monotonic(self) -> float:
        return self.seconds


class ScriptedTransport:
    """Answers each address as its script says, 404 where it says nothing."""

    def __init__(self, script: dict[str, Answer] | None = None) -> None:
        self.script = script or {}
        self.requests: list[HttpRequest] = []
        self.limits: list[Limits] = []

    @property
    def urls(self) -> list[str]:
        return [request.url for request in self.requests]

    async def send(self, request: HttpRequest, *, limits: Limits) -> HttpResponse:
        self.requests.append(request)
        self.limits.append(limits)
        answer = self.script.get(request.url, HttpResponse(status=404, body=b"no"))
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, HttpResponse):
            return answer
        return await answer(request, limits)

    async def aclose(self) -> None:
        return None


class OneRuleGuard:
    """Lets every http(s) address pass but those of hosts that end in ``.internal``, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def judge(self, url: str) -> CheckedUrl:
        self.asked.append(url)
        page = parse(url)
        if page is None or page.has_credentials or page.host.endswith(".internal"):
            raise EgressRefused("refused", reason="rule", host=None if page is None else page.host)
        href = page.href.split("#", 1)[0]
        return CheckedUrl(href=href, scheme=page.scheme, host=page.host, port=page.port, origin=page.origin)

    async def open(self, scheme: str, host: str, port: int, *, timeout_s: float) -> ByteStream:
        raise NotImplementedError


@attrs.define
class Bench:
    """One ladder over scripted parts.

    Attributes:
        transport: What the local rung and the index probe send over.
        events: What observers were told.
        call: The call of the last read.
    """

    options: FetchOptions = attrs.field(factory=FetchOptions)
    transport: ScriptedTransport = attrs.field(factory=ScriptedTransport)
    guard: OneRuleGuard = attrs.field(factory=OneRuleGuard)
    clock: StandingClock = attrs.field(factory=StandingClock)
    rungs: tuple[FetchRung, ...] = ()
    deadline_s: float = 30.0
    events: list[Event] = attrs.field(factory=list)
    call: Call = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.call = self.new_call()

    def new_call(self) -> Call:
        return Call.start(
            id="call-1", operation="fetch", clock=self.clock, deadline_s=self.deadline_s, sink=self.events.append
        )

    def ladder(self, pool: ExtractionPool) -> Ladder:
        return Ladder(
            (LocalRung(transport=self.transport, max_bytes=self.options.max_response_bytes), *self.rungs),
            pool=pool,
            guard=self.guard,
            options=self.options,
            docs_indexes=DocsIndexes(transport=self.transport, guard=self.guard),
        )

    def read(self, url: str, **fields: Any) -> Document:
        """Read one page in a loop of its own."""

        async def main() -> Document:
            pool = ExtractionPool()
            self.call = self.new_call()
            try:
                return await self.ladder(pool).read(FetchRequest(url=url, **fields), call=self.call)
            finally:
                await pool.aclose()

        return asyncio.run(main())


@pytest.fixture
def bench() -> Bench:
    return Bench()


def page(text: str = "The lighthouse stands at the end of the pier.", **fields: Any) -> HttpResponse:
    body = f"<!doctype html><title>Pier</title><article><h1>Pier</h1><p>{text}</p></article>".encode()
    return HttpResponse(**{"status": 200, "headers": (("Content-Type", "text/html"),), "body": body, **fields})


@pytest.fixture
def make_page() -> Callable[..., HttpResponse]:
    return page
