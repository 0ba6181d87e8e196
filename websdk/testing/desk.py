"""A codec with short ways to ask it; counts what it was asked, so that a report can say how much was looked at."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import attrs

from websdk.errors import InvalidRequest, MalformedAnswer
from websdk.model import Adjustment, FilterKey, FilterOutcome, Filters, FilterStatus, SearchAnswer, SearchRequest
from websdk.protocols import SearchCodec
from websdk.testing.samples import ORDINARY, Samples
from websdk.testing.wire import Leaves, leaves
from websdk.wire import HttpRequest, HttpResponse, Pause

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
TODAY = NOW.date()
QUERY = "tide tables"
MAX_STEPS = 20  # more than any exchange may take; a codec that never ends must end here


class Outcomes(dict[FilterKey, FilterOutcome]):
    """Outcomes by filter; one that is missing counts as not sent, so that one fault is told once."""

    def __missing__(self, key: FilterKey) -> FilterOutcome:
        return FilterOutcome(key=key, status=FilterStatus.UNSUPPORTED)


def _as_it_is(request: HttpRequest) -> HttpRequest:
    return request


@attrs.define(kw_only=True)
class CodecDesk:
    """Asks a codec.

    Attributes:
        codec: The codec.
        samples: Values by which each filter is varied.
        today: The day from which windows count back.
        unwrap: Takes the request that the vendor acts on out of the one that is sent, where one wraps the other.
        looked: How many requests were made and replies read so far.
    """

    codec: SearchCodec
    samples: Samples = attrs.field(factory=lambda: ORDINARY)
    today: date = TODAY
    unwrap: Callable[[HttpRequest], HttpRequest] = _as_it_is
    looked: int = 0

    def path(self, key: FilterKey) -> str:
        """Return what a report calls the filter *key*."""
        return str(key)

    def request(self, query: str = QUERY, **fields: Any) -> HttpRequest:
        """Return the first request that goes out."""
        self.looked += 1
        exchange = self.codec.exchange(SearchRequest(query=query, **fields), today=self.today)
        try:
            return first_request(exchange)
        finally:
            exchange.close()

    def wire(self, query: str = QUERY, **fields: Any) -> Leaves:
        """Return what goes out, by place."""
        return leaves(self.unwrap(self.request(query, **fields)))

    def filtered(self, **filters: Any) -> Leaves:
        """Return what goes out for filters, by place."""
        return self.wire(filters=Filters(**filters))

    def outcomes(self, **filters: Any) -> dict[FilterKey, FilterOutcome]:
        """Return the outcome of each filter."""
        self.looked += 1
        wanted = SearchRequest(query=QUERY, filters=Filters(**filters))
        return Outcomes((outcome.key, outcome) for outcome in self.codec.explain(wanted, today=self.today)[0])

    def adjustments(self, **fields: Any) -> tuple[Adjustment, ...]:
        """Return what is sent differently."""
        self.looked += 1
        return self.codec.explain(SearchRequest(query=QUERY, **fields), today=self.today)[1]

    def refuses(self, query: str = QUERY, **fields: Any) -> bool:
        """Tell whether a request is refused before anything is sent."""
        try:
            self.request(query, **fields)
        except InvalidRequest:
            return True
        return False

    def answer(self, *replies: HttpResponse, **fields: Any) -> SearchAnswer:
        """Return what is read, judged as a provider judges: classified first.

        Raises:
            ProviderError: The replies mean a failure.
        """
        self.looked += 1
        exchange = self.codec.exchange(SearchRequest(query=QUERY, **fields), today=self.today)
        found = played(exchange, lambda reply: self.codec.classify(reply, now=NOW), replies)
        if not isinstance(found, SearchAnswer):
            raise MalformedAnswer("the exchange returns no answer", provider=self.codec.id)
        return found


def first_request(exchange: Any) -> HttpRequest:
    """Return the first request of an exchange, pauses passed over."""
    step = next(exchange)
    for _ in range(MAX_STEPS):
        if isinstance(step, HttpRequest):
            return step
        step = exchange.send(None)
    raise MalformedAnswer("the exchange pauses and never asks", provider="")


def played(exchange: Any, classify: Any, replies: tuple[HttpResponse, ...]) -> Any:
    """Run an exchange to its end against *replies*; the last one is given again as often as it is asked for.

    Raises:
        WebSdkError: What a reply means.
    """
    left = list(replies)
    try:
        step = next(exchange)
        for _ in range(MAX_STEPS):
            if isinstance(step, Pause):
                step = exchange.send(None)
                continue
            reply = left.pop(0) if len(left) > 1 else left[0]
            error = classify(reply)
            if error is not None:
                raise error
            step = exchange.send(reply)
    except StopIteration as done:
        return done.value
    finally:
        exchange.close()
    raise MalformedAnswer("the exchange does not end", provider="")
