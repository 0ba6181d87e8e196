"""Stand-ins at the seams of a client: a transport, a provider, a clock and a resolver that do as they are told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import attrs

from websdk.model import FilterKey, Filters, SearchAnswer, SearchRequest, SearchResult
from websdk.protocols import Call, FailureKind, Limits, TransportFailure
from websdk.wire import HttpRequest, HttpResponse

Scripted = HttpResponse | Exception | Callable[[HttpRequest], HttpResponse]
"""A reply, a failure, or what makes a reply from the request."""


@attrs.define(kw_only=True)
class FakeClock:
    """A clock that moves when it is told to.

    Attributes:
        start: The aware moment at which it stands first.
        seconds: How far it has moved.
    """

    start: datetime = datetime(2026, 3, 4, 12, tzinfo=UTC)
    seconds: float = 0.0

    def now(self) -> datetime:
        """Return the moment."""
        return self.start + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        """Return the seconds since the start."""
        return self.seconds

    def advance(self, seconds: float) -> None:
        """Let *seconds* pass."""
        self.seconds += seconds


@attrs.define(kw_only=True)
class FakeResolver:
    """A resolver over a table; every name that is not in it does not exist.

    Attributes:
        addresses: Literal addresses by host name.
        asked: Every name that was looked up, in order.
    """

    addresses: Mapping[str, Sequence[str]] = attrs.field(factory=dict)
    asked: list[str] = attrs.field(factory=list)

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return the addresses of *host*.

        Raises:
            OSError: The table does not have it.
        """
        self.asked.append(host)
        if host not in self.addresses:
            raise OSError("no such name")
        return self.addresses[host]


@attrs.define
class RecordingTransport:
    """A transport that answers from a list, and keeps what it was sent; nothing leaves.

    Attributes:
        replies: What to answer, in order; the last one is given again and again.
        requests: Every request, in order, as it would have left, credentials included.
        limits: The bounds of each.
        closed: Whether it was closed.
    """

    replies: Sequence[Scripted] = ()
    requests: list[HttpRequest] = attrs.field(factory=list, repr=False)
    limits: list[Limits] = attrs.field(factory=list, repr=False)
    closed: bool = False

    async def send(self, request: HttpRequest, *, limits: Limits) -> HttpResponse:
        """Keep *request* and answer it.

        Raises:
            TransportFailure: The script says so, or has nothing to answer.
        """
        self.requests.append(request)
        self.limits.append(limits)
        if not self.replies:
            raise TransportFailure(FailureKind.CONNECT, "nothing answers here", sent=False)
        reply = self.replies[min(len(self.requests), len(self.replies)) - 1]
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, HttpResponse) else reply(request)

    async def aclose(self) -> None:
        """Note that nothing more is sent."""
        self.closed = True


Answered = SearchAnswer | Exception | Callable[[SearchRequest], SearchAnswer | Awaitable[SearchAnswer]]


@attrs.define
class ScriptedProvider:
    """A provider that answers from a list, and keeps what it was asked; nothing leaves.

    Attributes:
        answers: What to answer, in order; the last one is given again and again.
        id: Its id.
        filter_keys: Filters that it claims to apply in full; every other one is reported.
        requests: Every request, in order.
    """

    answers: Sequence[Answered] = (SearchAnswer(),)
    id: str = "scripted"
    filter_keys: frozenset[FilterKey] = frozenset()
    requests: list[SearchRequest] = attrs.field(factory=list)

    @classmethod
    def of(cls, *urls: str, id: str = "scripted", filter_keys: Iterable[FilterKey] = ()) -> ScriptedProvider:
        """Return a provider that finds *urls*, whatever it is asked."""
        rows = tuple(SearchResult(url=url, title=f"Page {number}") for number, url in enumerate(urls, start=1))
        return cls((SearchAnswer(results=rows),), id=id, filter_keys=frozenset(filter_keys))

    def unsupported_filters(self, filters: Filters) -> tuple[FilterKey, ...]:
        """Name every asked filter that is not among its own."""
        return tuple(key for key in filters.asked() if key not in self.filter_keys)

    async def search(self, request: SearchRequest, *, call: Call) -> SearchAnswer:
        """Keep *request* and answer it."""
        self.requests.append(request)
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, SearchAnswer):
            return answer
        made = answer(request)
        return made if isinstance(made, SearchAnswer) else await made
