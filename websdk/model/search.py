"""Requests to search, and what comes back."""

from __future__ import annotations

import re
from datetime import date, datetime
from enum import StrEnum
from typing import Any

import attrs

from websdk.errors import InvalidRequest
from websdk.model.budget import BudgetSnapshot
from websdk.model.filters import Adjustment, FilterKey, FilterOutcome, Filters
from websdk.model.receipt import Disclosure, Receipt, Usage

DEFAULT_MAX_RESULTS = 10
MAX_QUERY_CHARACTERS = 8_192  # far above every known vendor's limit; what a preset declares is the real bound
# C0 controls other than tab and line breaks, DEL, and lone surrogates: no vendor's wire can carry them faithfully.
_UNSENDABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


class ResultKind(StrEnum):
    """Where a result comes from."""

    SEARCH = "search"
    PAGE = "page"
    CODE = "code"


def _query(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidRequest("query is a text that is not empty")
    query = value.strip()
    if len(query) > MAX_QUERY_CHARACTERS:
        raise InvalidRequest(f"query has more than {MAX_QUERY_CHARACTERS:,} characters")
    if _UNSENDABLE.search(query):
        raise InvalidRequest("query holds control characters or half a surrogate pair")
    return query


def _at_least_one(instance: object, attribute: attrs.Attribute[int], value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidRequest(f"{attribute.name} is a whole number from 1")


def _filters(value: Any) -> Filters:
    if value is None:
        return Filters()
    if not isinstance(value, Filters):
        raise InvalidRequest("filters is a Filters value")
    return value


@attrs.frozen(kw_only=True)
class SearchRequest:
    """One search.

    Attributes:
        query: What to look for; 1 to 8,192 characters, outer blanks removed. A preset may state a lower bound.
        max_results: How many results at most, from 1; a vendor's own cap shows as an adjustment.
        page: Which page of that many results, from 1.
        filters: What the search is narrowed by.

    Raises:
        InvalidRequest: A value is not of its kind.
    """

    query: str = attrs.field(converter=_query)
    max_results: int = attrs.field(default=DEFAULT_MAX_RESULTS, validator=_at_least_one)
    page: int = attrs.field(default=1, validator=_at_least_one)
    filters: Filters = attrs.field(factory=Filters, converter=_filters)


@attrs.frozen(kw_only=True)
class SearchResult:
    """One result, in the order of its provider.

    Attributes:
        url: Its address, http(s), in WHATWG serialisation, at most 2,048 characters.
        title: Plain text; empty where the vendor gave none.
        snippet: Plain text; empty where the vendor gave none.
        content: A longer passage where the vendor sends one; ``None`` otherwise.
        published: Day or aware moment of publication as far as the vendor's text says one.
        published_text: The vendor's own words for it, also where they could not be read as a date.
        score: The vendor's own figure; comparable within one answer only.
        kind: What kind of source it is.
        sources: Ids of every provider that returned it.
        violates: Asked filters that this result breaks.
        ref: Handle of the stored passage; ``None`` outside a session.
    """

    url: str
    title: str = ""
    snippet: str = ""
    content: str | None = None
    published: date | datetime | None = None
    published_text: str | None = None
    score: float | None = None
    kind: ResultKind = ResultKind.SEARCH
    sources: tuple[str, ...] = ()
    violates: tuple[FilterKey, ...] = ()
    ref: str | None = None


@attrs.frozen(kw_only=True)
class SearchAnswer:
    """What a provider returns; the client makes a :class:`SearchResponse` of it.

    Attributes:
        results: Results as the vendor sent them, in its order; addresses not yet judged or normalised.
        filter_outcomes: One outcome for each asked filter where the provider knows; ``None`` leaves it to the client.
        adjustments: Values that were sent differently from what was asked.
        answer: Text that the vendor or a model wrote about the results.
        usage: What the call cost.
        notices: What the vendor said about the request, and what is incomplete, in plain sentences.
        said_by_vendor: Those of ``notices`` that hold the vendor's own words, letter for letter.
        more: Whether a next page exists; ``None`` where the vendor does not say.
        incomplete: Whether some of the vendor's own sources failed.
        pause_s: Seconds that a good answer asks callers to wait before the next call.
    """

    results: tuple[SearchResult, ...] = ()
    filter_outcomes: tuple[FilterOutcome, ...] | None = None
    adjustments: tuple[Adjustment, ...] = ()
    answer: str | None = None
    usage: Usage | None = None
    notices: tuple[str, ...] = ()
    more: bool | None = None
    incomplete: bool = False
    pause_s: float | None = None
    said_by_vendor: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class SearchResponse:
    """The answer to one search, with an account of everything that was asked.

    Attributes:
        results: Admitted results in the provider's order.
        provider: Id of the provider that answered.
        unsupported_filters: Every asked filter that does not restrict the result in full. Empty is a claim.
        filter_outcomes: Exactly one outcome for each asked filter, with counts against what came back.
        adjustments: Values that were sent differently from what was asked.
        answer: Text that a vendor or model wrote about the results; bounded, and never evidence.
        usage: What the call cost, where the vendor says so.
        receipt: What was sent to whom and what came back.
        disclosure: Who learned the query.
        budget: What is left of the invocation's budget.
        ref: Handle of the stored answer; ``None`` outside a session.
        more: Whether a next page exists; ``None`` where the vendor does not say.
        truncated: Whether something was left out for room.
        cursor: Where a continuation goes on.
        next_call: The exact next call that goes on, ready to copy.
        notices: Plain sentences a reader of the results should know. In an answer of a session the words of a vendor
            stand in quotation marks behind its name.
        said_by_vendor: Those of ``notices`` that hold the vendor's own words; empty where they are quoted already.
    """

    results: tuple[SearchResult, ...]
    provider: str
    unsupported_filters: tuple[FilterKey, ...]
    filter_outcomes: tuple[FilterOutcome, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    answer: str | None = None
    usage: Usage | None = None
    receipt: Receipt | None = None
    disclosure: Disclosure | None = None
    budget: BudgetSnapshot | None = None
    ref: str | None = None
    more: bool | None = None
    truncated: bool = False
    cursor: str | None = None
    next_call: str | None = None
    notices: tuple[str, ...] = ()
    said_by_vendor: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class WireRequest:
    """A request as it would leave, secrets masked.

    Attributes:
        method: HTTP method.
        url: Absolute address with its query string, secrets masked.
        headers: Names and values, secrets masked.
        body: The body as text; ``None`` without one.
    """

    method: str
    url: str
    headers: dict[str, str] = attrs.field(factory=dict)
    body: str | None = None


@attrs.frozen(kw_only=True)
class SearchPlan:
    """What a search would send, and what would become of each filter; nothing was sent.

    Attributes:
        provider: Id of the provider.
        request: The first wire request; ``None`` for a provider that needs none.
        unsupported_filters: As in :class:`SearchResponse`.
        filter_outcomes: One outcome for each asked filter, without counts.
        adjustments: Values that would be sent differently from what was asked.
        notices: Plain sentences about the plan.
    """

    provider: str
    request: WireRequest | None
    unsupported_filters: tuple[FilterKey, ...]
    filter_outcomes: tuple[FilterOutcome, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    notices: tuple[str, ...] = ()
