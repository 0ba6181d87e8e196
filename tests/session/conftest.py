"""A session over a backend that a test scripts, and a clock that moves when told."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from websdk.errors import NotFound
from websdk.model import (
    Disclosure,
    Document,
    FetchRequest,
    Receipt,
    SearchRequest,
    SearchResponse,
    SearchResult,
    Via,
)
from websdk.model.intent import Intent
from websdk.session import Answered, AsyncSession, CallOptions, SessionOptions, Source
from websdk.tools import Style, Surface


class HandClock:
    """Time that a test moves."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return datetime(2026, 3, 4, 12, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        return self.seconds


class Script:
    """A backend whose providers and pages a test sets, and which keeps what it was asked."""

    def __init__(self, clock: HandClock) -> None:
        self.clock = clock
        self.providers: list[Source] = [Source(id="brave"), Source(id="exa")]
        self.chain: tuple[str, ...] = ()
        self.ways: tuple[Via, ...] = (Via.LOCAL,)
        self.beside: tuple[Via, ...] = ()
        self.identities: dict[str, str] = {}
        self.answers: dict[str, Any] = {}
        self.pages: dict[str, Any] = {}
        self.asked: list[tuple[str, str]] = []
        self.running = 0
        self.most = 0
        self.cancelled = 0

    def sources(self) -> list[Source]:
        return self.providers

    def readers(self) -> tuple[str, ...]:
        return self.chain

    def rungs(self) -> tuple[Via, ...]:
        return self.ways

    def reached(self, via: Via) -> tuple[Via, ...]:
        return (via, *self.beside)

    async def identity(self, recipient: str, key: bytes) -> str:
        return self.identities.get(recipient, "key")

    def search_intent(self, provider: str, request: SearchRequest) -> Intent:
        return Intent(operation="search", recipient=provider, origin=f"https://{provider}.example", query=request.query)

    def fetch_intent(self, request: FetchRequest) -> Intent:
        return Intent(operation="fetch", recipient=request.provider or str(request.via), hosts=(request.url,))

    async def search_one(self, provider: str, request: SearchRequest, *, options: CallOptions) -> Answered:
        if options.spend is not None:
            await options.spend()
        self.asked.append((provider, request.query))
        answer = await self._outcome(self.answers.get(provider, ()))
        if isinstance(answer, Answered):
            return answer
        return Answered(response=self.response(provider, *answer))

    async def fetch_one(self, request: FetchRequest, *, options: CallOptions) -> Document:
        self.asked.append((request.provider or str(request.via), request.url))
        known = self.pages.get((request.provider, request.url), self.pages.get(request.url))
        answer = await self._outcome(known if known is not None else NotFound("there is no such page", status=404))
        if isinstance(answer, Document):
            return answer
        return Document(url=request.url, title="Page", markdown=answer, via=request.via, reader=request.provider)

    async def _outcome(self, answer: Any) -> Any:
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await asyncio.sleep(0)
            if callable(answer):
                answer = await answer()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.running -= 1
        if isinstance(answer, Exception):
            raise answer
        return answer

    def response(self, provider: str, *results: SearchResult, **fields: Any) -> SearchResponse:
        return SearchResponse(
            results=results,
            provider=provider,
            **{"unsupported_filters": ()} | fields,
            receipt=Receipt(
                call_id="c1", operation="search", recipient=provider, started_at=self.clock.now(), elapsed_s=0.1
            ),
            disclosure=Disclosure(recipient=provider, text="The query went out."),
        )


def result(number: int = 1, *, source: str = "brave", **fields: Any) -> SearchResult:
    return SearchResult(
        url=f"https://{source}.example/{number}",
        sources=(source,),
        **{"title": f"Title {number}", "snippet": f"Snippet {number} of {source}."} | fields,
    )


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def script(clock: HandClock) -> Script:
    return Script(clock)


@pytest.fixture
def make(script: Script, clock: HandClock) -> Callable[..., AsyncSession]:
    drawn = itertools.count(1)

    def randomness(size: int) -> bytes:
        return next(drawn).to_bytes(size, "big")

    def make_session(*, style: Style = Style.UNIFIED, **arguments: Any) -> AsyncSession:
        surface = Surface(rungs=tuple(script.ways), style=style)
        return AsyncSession(
            script,
            surface=arguments.pop("surface", surface),
            clock=clock,
            options=arguments.pop("options", SessionOptions()),
            randomness=randomness,
            **arguments,
        )

    return make_session


@pytest.fixture
def results() -> Callable[..., SearchResult]:
    return result
