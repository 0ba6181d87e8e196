"""What a call would do, is about to do, and did: plans, intents, answers and responses."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

import attrs

from websdk.budget.candidates import CandidateLimits, EnforceFilters, admit, readable
from websdk.errors import MalformedAnswer, PluginError, ProviderError, Unavailable, WebSdkError
from websdk.model.document import FetchRequest, Via
from websdk.model.filters import FilterKey, FilterOutcome, Filters, accounted, outcomes_from_keys, unsupported_keys
from websdk.model.intent import Intent
from websdk.model.receipt import Disclosure, Receipt
from websdk.model.search import SearchAnswer, SearchPlan, SearchRequest, SearchResponse, SearchResult
from websdk.model.urls import host_of, parse
from websdk.protocols.call import Call
from websdk.protocols.search import ExplainsFilters, PlansSearches, WebSearchProvider
from websdk.search.http_provider import HttpSearchProvider


def planned(provider: WebSearchProvider, request: SearchRequest, today: date) -> SearchPlan:
    """Return what *provider* would do, from as much as it can tell.

    Raises:
        PluginError: The provider names filters in words that nobody knows, or breaks where it tells its plan.
    """
    try:
        return _told_by(provider, request, today)
    except WebSdkError:
        raise
    except Exception as exc:  # what it says may hold the query, so that only its kind is told
        raise PluginError(f"{provider.id} raised {type(exc).__name__} where it says what a search comes to") from exc


def _told_by(provider: WebSearchProvider, request: SearchRequest, today: date) -> SearchPlan:
    if isinstance(provider, PlansSearches):
        plan = provider.plan(request, today=today)
        told = accounted(plan.filter_outcomes, request.filters)
        return attrs.evolve(plan, filter_outcomes=told, unsupported_filters=unsupported_keys(told))
    outcomes: tuple[FilterOutcome, ...]
    if isinstance(provider, ExplainsFilters):
        outcomes = accounted(provider.filter_outcomes(request.filters), request.filters)
    else:
        outcomes = outcomes_from_keys(request.filters, _named(provider, request.filters))
    return SearchPlan(
        provider=provider.id,
        request=None,
        unsupported_filters=unsupported_keys(outcomes),
        filter_outcomes=outcomes,
    )


async def answered(provider: WebSearchProvider, request: SearchRequest, call: Call) -> SearchAnswer:
    """Return the answer of *provider*, which may be an embedder's.

    Raises:
        Unavailable: Its connection failed, by what it raised.
        ProviderError: It failed, whatever it raised.
        MalformedAnswer: What it returned is no answer.
    """
    try:
        answer: object = await provider.search(request, call=call)
    except WebSdkError:
        raise
    except Exception as exc:
        # What it says may hold the query or the reply, so that only its kind is told; the cause tells the rest.
        kind = Unavailable if isinstance(exc, (ConnectionError, TimeoutError)) else ProviderError
        sent = bool(call.attempts) or not isinstance(provider, HttpSearchProvider)
        raise kind(f"{provider.id} raised {type(exc).__name__}", provider=provider.id, sent=sent) from exc
    if not isinstance(answer, SearchAnswer) or not all(isinstance(row, SearchResult) for row in answer.results):
        raise MalformedAnswer(f"{provider.id} returned no SearchAnswer with SearchResult rows", provider=provider.id)
    return answer


def _named(provider: WebSearchProvider, filters: Filters) -> tuple[FilterKey, ...]:
    """Return the keys that *provider* cannot apply; one text is no list of them, though it is made of texts."""
    named: object = provider.unsupported_filters(filters)
    if not isinstance(named, str) and isinstance(named, Iterable):
        try:
            return tuple(FilterKey(key) for key in named)
        except ValueError:
            pass
    raise PluginError(f"{provider.id}: unsupported_filters does not return filter keys, such as ('recency',)")


def page_intent(request: FetchRequest) -> Intent:
    """Return what a page read is about to do."""
    page = parse(request.url)
    recipient = request.provider if request.via is Via.PROXY and request.provider else str(request.via)
    if page is None:
        return Intent(operation="fetch", recipient=recipient)
    origin = page.origin if request.via is not Via.PROXY else None
    return Intent(operation="fetch", recipient=recipient, origin=origin, hosts=(page.host,))


def intent_of(plan: SearchPlan, request: SearchRequest) -> Intent:
    """Return what a search is about to do."""
    origin = None
    if plan.request is not None:
        parsed = parse(plan.request.url)
        origin = None if parsed is None else parsed.origin
    return Intent(operation="search", recipient=plan.provider, origin=origin, query=request.query)


def respond(
    answer: SearchAnswer,
    plan: SearchPlan,
    wanted: SearchRequest,
    *,
    receipt: Receipt,
    today: date,
    enforce: EnforceFilters,
    limits: CandidateLimits,
) -> SearchResponse:
    """Return what a caller gets for a provider's answer: admitted results, and an account of everything asked.

    Args:
        answer: What the provider returned.
        plan: What it was going to do.
        wanted: What was asked for.
        receipt: The record of the call.
        today: The day that recency counts back from.
        enforce: Whether results that break a filter are marked or dropped.
        limits: How long fields may be.
    """
    admitted = admit(
        answer.results,
        plan.filter_outcomes if answer.filter_outcomes is None else accounted(answer.filter_outcomes, wanted.filters),
        wanted.filters,
        provider=plan.provider,
        max_results=wanted.max_results,
        today=today,
        enforce=enforce,
        limits=limits,
    )
    return SearchResponse(
        results=admitted.results,
        provider=plan.provider,
        unsupported_filters=unsupported_keys(admitted.outcomes),
        filter_outcomes=admitted.outcomes,
        adjustments=answer.adjustments,
        answer=readable(answer.answer) or None,
        usage=answer.usage,
        receipt=receipt,
        disclosure=_disclosure(plan),
        more=answer.more,
        notices=tuple(map(readable, answer.notices)) + admitted.notices,
        said_by_vendor=tuple(map(readable, answer.said_by_vendor)),
    )


def _disclosure(plan: SearchPlan) -> Disclosure:
    host = None if plan.request is None else host_of(plan.request.url)
    where = "stayed on this machine" if host is None else f"went to {host}"
    return Disclosure(recipient=plan.provider, text=f"The query {where}.")
