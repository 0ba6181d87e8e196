"""The search provider that drives a codec over a vendor's connection."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import attrs

from websdk.credentials import MASK, Secret
from websdk.errors import ConfigurationError, ProviderError
from websdk.model.filters import FilterKey, FilterOutcome, Filters, accounted, unsupported_keys
from websdk.model.search import SearchAnswer, SearchPlan, SearchRequest, WireRequest
from websdk.protocols.call import Call
from websdk.protocols.search import Exchange, PreviewsRequests, SearchCodec
from websdk.transport.vendor import VendorCaller
from websdk.wire.message import HttpRequest, HttpResponse, Pause

# What filters alone are rendered for: any plain words on any day do.
_ANY_QUERY = "words"
_ANY_DAY = date(2026, 1, 1)


@attrs.define(kw_only=True)
class HttpSearchProvider:
    """A provider made of a codec (what to send, how to read it) and a way to call its vendor.

    Attributes:
        codec: The pure half.
        caller: Transport, credential and bounds.
    """

    codec: SearchCodec
    caller: VendorCaller

    @property
    def id(self) -> str:
        """Id by which calls name the provider."""
        return self.codec.id

    @property
    def filter_keys(self) -> frozenset[FilterKey]:
        """Filters of which the vendor can apply at least some values."""
        return self.codec.filter_keys

    def filter_outcomes(self, filters: Filters) -> tuple[FilterOutcome, ...]:
        """Return one outcome for each asked filter, for a query of plain words."""
        request = SearchRequest(query=_ANY_QUERY, filters=filters)
        return accounted(self.codec.explain(request, today=_ANY_DAY)[0], filters)

    def unsupported_filters(self, filters: Filters) -> tuple[FilterKey, ...]:
        """Name every filter of *filters* whose value would not restrict the result in full."""
        return unsupported_keys(self.filter_outcomes(filters))

    def plan(self, request: SearchRequest, *, today: date) -> SearchPlan:
        """Return the first wire request, secrets masked, and what would become of each filter."""
        explained, adjustments = self.codec.explain(request, today=today)
        outcomes = accounted(explained, request.filters)
        notices = () if self.caller.remark is None else (self.caller.remark,)
        try:
            first = _first_request(self.codec.exchange(request, today=today))
        except ConfigurationError as error:
            first, notices = self._preview(request, today), (*notices, str(error))
        if first is not None:
            first = self._shown_signed(first, today)
        return SearchPlan(
            provider=self.id,
            request=None if first is None else _shown(first),
            unsupported_filters=unsupported_keys(outcomes),
            filter_outcomes=outcomes,
            adjustments=adjustments,
            notices=notices,
        )

    def _preview(self, request: SearchRequest, today: date) -> HttpRequest | None:
        """Return what would be sent once everything is configured, as far as it can be told."""
        if not isinstance(self.codec, PreviewsRequests):
            return None
        try:
            return self.codec.preview(request, today=today)
        except ConfigurationError:
            return None  # the plan's notice already says what is missing

    def _shown_signed(self, request: HttpRequest, today: date) -> HttpRequest:
        if self.caller.credential is None and not self.caller.needs_credential:
            return request
        return self.caller.signed(request, Secret(MASK), datetime.combine(today, time(), UTC))

    async def search(self, request: SearchRequest, *, call: Call) -> SearchAnswer:
        """Run one exchange within the deadline of *call*.

        Raises:
            InvalidRequest: The vendor has no such request, such as a page past its last.
            ProviderError: The vendor, the connection or the credential failed.
            DeadlineExceeded: The call's time ran out.
        """
        today = call.clock.now().date()
        outcomes, adjustments = self.codec.explain(request, today=today)
        secret = await self.caller.secret(call)
        answer = await self.caller.drive(self.codec.exchange(request, today=today), self._classify, secret, call)
        if secret is not None:
            answer = _without(secret, answer)
        return attrs.evolve(
            answer,
            filter_outcomes=outcomes if answer.filter_outcomes is None else answer.filter_outcomes,
            adjustments=adjustments + answer.adjustments,
        )

    def _classify(self, response: HttpResponse, now: datetime) -> ProviderError | None:
        return self.codec.classify(response, now=now)


def _without(secret: Secret, answer: SearchAnswer) -> SearchAnswer:
    """Return *answer* with every spelling of *secret* masked, because vendors echo keys in what they say."""
    mask = secret.masked_in
    return attrs.evolve(
        answer,
        answer=None if answer.answer is None else mask(answer.answer),
        notices=tuple(map(mask, answer.notices)),
        said_by_vendor=tuple(map(mask, answer.said_by_vendor)),
        results=tuple(
            attrs.evolve(
                row,
                url=mask(row.url),
                title=mask(row.title),
                snippet=mask(row.snippet),
                content=None if row.content is None else mask(row.content),
                published_text=None if row.published_text is None else mask(row.published_text),
            )
            for row in answer.results
        ),
    )


def _first_request(exchange: Exchange) -> HttpRequest | None:
    try:
        step = next(exchange)
        while isinstance(step, Pause):
            step = exchange.send(None)
    except StopIteration:
        return None
    finally:
        exchange.close()
    return step


def _shown(request: HttpRequest) -> WireRequest:
    return WireRequest(
        method=request.method,
        url=request.url,
        headers=dict(request.headers),
        body=request.body.decode("utf-8", "replace") if request.body else None,
    )
