"""The tickets service as pure functions: a search is started, waited for, and fetched. No I/O, no clock."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

import attrs

from websdk import (
    Adjustment,
    Exchange,
    FilterKey,
    FilterOutcome,
    Filters,
    FilterStatus,
    HttpRequest,
    HttpResponse,
    MalformedAnswer,
    Pause,
    ProviderError,
    ProviderRejected,
    RateLimited,
    SearchAnswer,
    SearchRequest,
    SearchResult,
    Unavailable,
    classify_status,
    json_request,
)

PROVIDER = "acme-tickets"
MAX_RESULTS = 50  # the service's own cap
MAX_LOOKS = 3  # the client bounds an exchange as well; this one says it in the service's own words
SHORTEST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 5.0  # whatever the service says, neither a storm nor a nap
_JOB = re.compile(r"[A-Za-z0-9_-]{1,64}")

# What the service can express. Every other filter is named as unsupported, with its reason.
_DATES = (FilterKey.RECENCY, FilterKey.PUBLISHED_AFTER, FilterKey.PUBLISHED_BEFORE)


@attrs.frozen(kw_only=True)
class TicketsCodec:
    """What to send to the tickets service and how to read it.

    Attributes:
        base_url: Where the service stands, without a slash at the end.
    """

    base_url: str
    id: str = PROVIDER
    filter_keys: frozenset[FilterKey] = frozenset(_DATES)

    def explain(
        self, request: SearchRequest, *, today: date
    ) -> tuple[tuple[FilterOutcome, ...], tuple[Adjustment, ...]]:
        """Return one outcome for each asked filter, and the count where it was clamped."""
        sent = _dates(request.filters, today)
        outcomes = tuple(_outcome(key, sent) for key in request.filters.asked())
        if request.max_results <= MAX_RESULTS:
            return outcomes, ()
        clamped = Adjustment(
            what="max_results",
            asked=request.max_results,
            sent=MAX_RESULTS,
            reason=f"the service gives at most {MAX_RESULTS} tickets at a time",
        )
        return outcomes, (clamped,)

    def exchange(self, request: SearchRequest, *, today: date) -> Exchange:
        """Start the search, then look for its result with a pause before each look.

        Raises:
            ProviderError: The search failed over there, is not done in time, or is answered in another shape.
        """
        count = min(request.max_results, MAX_RESULTS)
        body = {
            "text": request.query,
            "limit": count,
            "offset": (request.page - 1) * count,
            **_dates(request.filters, today),
        }
        job = _object((yield json_request("POST", f"{self.base_url}/searches", body)))
        name = job.get("id")
        if not isinstance(name, str) or not _JOB.fullmatch(name):
            # It becomes part of an address below, so nothing but a plain word will do.
            raise MalformedAnswer(f"{PROVIDER} started a search without a name", provider=PROVIDER)
        for _ in range(MAX_LOOKS):
            yield Pause(seconds=_pause_s(job))
            job = _object((yield HttpRequest(method="GET", url=f"{self.base_url}/searches/{name}")))
            if job.get("state") != "running":
                return _answer(job)
        raise Unavailable(f"{PROVIDER} has not finished the search", provider=PROVIDER)

    def classify(self, response: HttpResponse, *, now: datetime) -> ProviderError | None:
        """Return what a reply means: the service's own word first, then the common meaning of its status."""
        if response.status == 409:
            return RateLimited(f"{PROVIDER} runs too many searches of this client", provider=PROVIDER, status=409)
        return classify_status(response, provider=PROVIDER, now=now)


def _dates(filters: Filters, today: date) -> dict[str, str]:
    """Return the days that go out. A window and a first day both hold, so the later of the two is sent."""
    starts = [day for day in (filters.published_after, filters.recency and filters.recency.start(today)) if day]
    sent = {"since": max(starts).isoformat()} if starts else {}
    return sent | ({"until": filters.published_before.isoformat()} if filters.published_before else {})


def _outcome(key: FilterKey, sent: Mapping[str, str]) -> FilterOutcome:
    if key not in _DATES:
        return FilterOutcome(key=key, status=FilterStatus.UNSUPPORTED, reason="the tickets service has no such filter")
    name = "until" if key is FilterKey.PUBLISHED_BEFORE else "since"
    return FilterOutcome(key=key, status=FilterStatus.APPLIED, sent=f"{name}={sent[name]}")


def _pause_s(job: Mapping[str, Any]) -> float:
    asked = job.get("wait_s")
    seconds = float(asked) if isinstance(asked, (int, float)) else SHORTEST_PAUSE_S
    return min(max(seconds, SHORTEST_PAUSE_S), LONGEST_PAUSE_S)


def _answer(job: Mapping[str, Any]) -> SearchAnswer:
    if job.get("state") == "failed":
        reason = job.get("reason")
        if reason == "bad_text":
            raise ProviderRejected(f"{PROVIDER} cannot read this query", provider=PROVIDER)
        raise Unavailable(f"{PROVIDER} failed to run the search", provider=PROVIDER)
    hits = job.get("hits")
    if job.get("state") != "done" or not isinstance(hits, list):
        raise MalformedAnswer(f"{PROVIDER} answered without a result", provider=PROVIDER)
    results = [_result(hit) for hit in hits if isinstance(hit, dict)]
    return SearchAnswer(results=tuple(result for result in results if result is not None), more=job.get("more") is True)


def _result(hit: Mapping[str, Any]) -> SearchResult | None:
    """Return one hit; one without an address is no result, and every other field may be missing or odd."""
    url = hit.get("url")
    if not isinstance(url, str):
        return None
    changed = _text(hit, "changed_on")
    return SearchResult(
        url=url,
        title=_text(hit, "title"),
        snippet=_text(hit, "summary"),
        published=_day(changed),
        published_text=changed,
    )


def _text(hit: Mapping[str, Any], name: str) -> str:
    value = hit.get(name)
    return value if isinstance(value, str) else ""


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _object(reply: HttpResponse | None) -> dict[str, Any]:
    try:
        answer = json.loads(reply.body) if reply is not None else None
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise MalformedAnswer(f"{PROVIDER} answered with something else than a JSON object", provider=PROVIDER)
    return answer
