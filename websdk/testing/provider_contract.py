"""The contract of search providers."""

from __future__ import annotations

import asyncio
from datetime import date, datetime
from typing import Any, ClassVar

import attrs
import pytest

from websdk.budget.candidates import admit
from websdk.errors import WebSdkError
from websdk.model import (
    Adjustment,
    FilterKey,
    FilterOutcome,
    Filters,
    SearchAnswer,
    SearchRequest,
    SearchResult,
    outcomes_from_keys,
    unsupported_keys,
)
from websdk.protocols import Call, Exchange, ExplainsFilters, Transport, WebSearchProvider
from websdk.testing.answers_contract import AnswersContract
from websdk.testing.desk import QUERY, CodecDesk
from websdk.testing.doubles import FakeClock, RecordingTransport
from websdk.testing.samples import ORDINARY, Samples
from websdk.wire import HttpRequest, HttpResponse

DEADLINE_S = 30.0


def new_call(operation: str = "search", *, deadline_s: float = DEADLINE_S) -> Call:
    """Return a call on a clock that stands still."""
    return Call.start(id="contract", operation=operation, clock=FakeClock(), deadline_s=deadline_s)


def outcomes_of(provider: WebSearchProvider, filters: Filters) -> tuple[FilterOutcome, ...]:
    """Return what becomes of each filter, from as much as a provider tells."""
    if isinstance(provider, ExplainsFilters):
        return provider.filter_outcomes(filters)
    return outcomes_from_keys(filters, provider.unsupported_filters(filters))


@attrs.define(kw_only=True)
class _AsCodec:
    """A provider over a recording transport, asked as a codec is."""

    provider: WebSearchProvider
    transport: RecordingTransport

    @property
    def id(self) -> str:
        return self.provider.id

    @property
    def filter_keys(self) -> frozenset[FilterKey]:
        return self.provider.filter_keys

    def explain(
        self, request: SearchRequest, *, today: date
    ) -> tuple[tuple[FilterOutcome, ...], tuple[Adjustment, ...]]:
        answer = asyncio.run(self.provider.search(request, call=new_call()))
        return outcomes_of(self.provider, request.filters), answer.adjustments

    def exchange(self, request: SearchRequest, *, today: date) -> Exchange:
        """Search at once, show the request that was recorded, and return the answer."""
        before = len(self.transport.requests)
        answer = asyncio.run(self.provider.search(request, call=new_call()))
        yield from self.transport.requests[before:]
        return answer

    def classify(self, response: HttpResponse, *, now: datetime) -> None:
        return None


@attrs.define(kw_only=True)
class ProviderDesk(CodecDesk):
    """Asks a provider over a recording transport."""

    provider: WebSearchProvider
    transport: RecordingTransport

    def request(self, query: str = QUERY, **fields: Any) -> HttpRequest:
        """Search, and return the first request that went out."""
        self.looked += 1
        before = len(self.transport.requests)
        asyncio.run(self.provider.search(SearchRequest(query=query, **fields), call=new_call()))
        return self.transport.requests[before]

    def answer(self, *replies: HttpResponse, **fields: Any) -> SearchAnswer:
        """Search against *replies*."""
        self.looked += 1
        kept, self.transport.replies = self.transport.replies, replies
        try:
            return asyncio.run(self.provider.search(SearchRequest(query=QUERY, **fields), call=new_call()))
        finally:
            self.transport.replies = kept


class ProviderFacts:
    """What holds for every provider, whether anything leaves the machine or not.

    Subclasses give it :meth:`make_provider`; see :class:`SearchProviderContract` for those that use a transport.
    """

    def make_provider(self, transport: Transport) -> WebSearchProvider:
        """Return the provider under test, over *transport* where it uses one."""
        raise NotImplementedError

    def samples(self) -> Samples:
        """Return values by which each filter is varied."""
        return ORDINARY

    def _provider(self) -> WebSearchProvider:
        return self.make_provider(RecordingTransport())

    def test_it_is_a_provider(self) -> None:
        """It has the members of the protocol, and an id that a call can name."""
        provider = self._provider()

        assert isinstance(provider, WebSearchProvider)
        assert provider.id
        assert provider.filter_keys <= frozenset(FilterKey)

    def test_filters_that_fall_short_are_those_of_the_outcomes(self) -> None:
        """Keys and outcomes tell one story, for each filter and for all together."""
        provider = self._provider()
        everything = {key.value: values[0] for key, values in self.samples().items() if values}
        for asked in ({}, *({key: value} for key, value in everything.items()), everything):
            filters = Filters(**asked)
            outcomes = outcomes_of(provider, filters)

            assert filters.asked() == tuple(outcome.key for outcome in outcomes)
            assert unsupported_keys(outcomes) == provider.unsupported_filters(filters)

    def test_filter_outside_its_keys_is_always_reported(self) -> None:
        """What is not declared is not claimed either."""
        provider = self._provider()
        for key in frozenset(FilterKey) - provider.filter_keys:
            for value in self.samples()[key]:
                assert (key,) == provider.unsupported_filters(Filters(**{key.value: value}))


class SearchProviderContract(ProviderFacts, AnswersContract):
    """What every provider over HTTP promises. Give a subclass :meth:`make_provider` and :meth:`reply`.

    Attributes:
        key: The credential that :meth:`make_provider` gives the provider; empty for none.
    """

    key: ClassVar[str] = ""

    def desk(self) -> ProviderDesk:
        """Return a desk at which the provider is asked."""
        transport = RecordingTransport([self.reply([{"url": "https://a.example/", "title": "T", "snippet": "s"}])])
        provider = self.make_provider(transport)
        codec = _AsCodec(provider=provider, transport=transport)
        return ProviderDesk(codec=codec, provider=provider, transport=transport, samples=self.samples())

    def test_key_is_in_no_failure_and_no_answer(self) -> None:
        """Whatever the vendor echoes."""
        if not self.key:
            pytest.skip("the provider has no credential")
        for status in (200, 401, 429, 500):
            body = f'{{"error": {{"message": "bad key {self.key}"}}}}'.encode()
            with pytest.raises(WebSdkError) as caught:
                self._read(HttpResponse(status=status, body=body))
            assert self.key not in f"{caught.value} {caught.value!r} {caught.value.__cause__!r}"
        told = self._read(self.reply([{"url": "https://a.example/", "title": self.key, "snippet": "s"}]))
        assert self.key not in repr(told)

    def test_failure_of_the_connection_is_one_of_ours(self) -> None:
        """What a transport raises becomes a failure of the error tree."""
        desk = self.desk()
        desk.transport.replies = ()
        with pytest.raises(WebSdkError) as caught:
            desk.request()

        assert not caught.value.sent


class LocalProviderContract(ProviderFacts):
    """What a provider over data of its own promises: it answers for what it applies.

    Attributes:
        query: A query that finds something.
    """

    query: ClassVar[str] = "tide"

    def test_results_obey_every_filter_that_counts_as_applied(self) -> None:
        """Nothing breaks a filter that the provider itself says it applied."""
        provider = self._provider()
        assert self._search(Filters()), "the query finds nothing; the test needs results"
        for key in sorted(provider.filter_keys):
            for value in self.samples()[key]:
                filters = Filters(**{key.value: value})
                outcomes = outcomes_of(provider, filters)
                admitted = admit(
                    self._search(filters),
                    outcomes,
                    filters,
                    provider=provider.id,
                    max_results=1_000,
                    today=FakeClock().now().date(),
                    enforce="flag",
                )
                for outcome in admitted.outcomes:
                    assert not (outcome.status.restricts_in_full and outcome.violated), (key, value)

    def test_pages_do_not_repeat_each_other(self) -> None:
        """The second page goes on where the first one ended."""
        first, second = (self._search(Filters(), max_results=1, page=page) for page in (1, 2))

        assert not {row.url for row in first} & {row.url for row in second}

    def _search(self, filters: Filters, **fields: Any) -> tuple[SearchResult, ...]:
        request = SearchRequest(query=self.query, filters=filters, **fields)
        return asyncio.run(self._provider().search(request, call=new_call())).results
