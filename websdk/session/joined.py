"""Several providers' answers to one search told as one. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import attrs

from websdk.errors import ProviderError, WebSdkError
from websdk.model.filters import Adjustment, FilterKey, FilterOutcome, FilterStatus, unsupported_keys
from websdk.model.receipt import Attempt, Disclosure, Receipt
from websdk.model.search import SearchResponse, SearchResult

# Whatever looks like a quotation mark: inside a quotation it would seem to end it.
_QUOTES = re.compile('["\u00ab\u00bb\u201c-\u201f\u2033\u2036\u275d\u275e\u301d-\u301f\uff02]')
_WORST_FIRST = (
    FilterStatus.UNSUPPORTED,
    FilterStatus.PARTIAL,
    FilterStatus.APPROXIMATE,
    FilterStatus.EMULATED,
    FilterStatus.APPLIED,
)


def join_responses(responses: Sequence[SearchResponse], results: Sequence[SearchResult]) -> SearchResponse:
    """Return one response for several; a filter counts as applied only where every provider applied it.

    Args:
        responses: What the providers answered, in order; at least one.
        results: The merged results.
    """
    if len(responses) == 1:
        [only] = responses
        notices = with_speaker(only.notices, only.said_by_vendor, only.provider)
        return attrs.evolve(only, results=tuple(results), notices=notices, said_by_vendor=())
    outcomes = _outcomes(responses)
    answers = [response.answer for response in responses if response.answer]
    return SearchResponse(
        results=tuple(results),
        provider="+".join(response.provider for response in responses),
        unsupported_filters=tuple(
            key
            for key in FilterKey
            if key in unsupported_keys(outcomes) or any(key in response.unsupported_filters for response in responses)
        ),
        filter_outcomes=outcomes,
        adjustments=tuple(
            attrs.evolve(adjustment, reason=f"{response.provider}: {adjustment.reason}")
            for response in responses
            for adjustment in response.adjustments
        ),
        answer="\n\n".join(answers) or None,
        receipt=_receipt([response.receipt for response in responses if response.receipt]),
        disclosure=_disclosure([response.disclosure for response in responses if response.disclosure]),
        more=any(response.more for response in responses) if any(r.more is not None for r in responses) else None,
        notices=tuple(notice for response in responses for notice in _told_by(response)),
    )


def with_speaker(notices: Sequence[str], said: Sequence[str], speaker: str, ours: str = "") -> tuple[str, ...]:
    """Return *notices* with the words of a vendor in quotation marks, so that nobody takes them for ours.

    Args:
        notices: The notices of one answer or page.
        said: Those of them that the vendor said; one that we say too stays ours as well.
        speaker: The vendor.
        ours: What our own begin with.
    """
    left = Counter(said)
    told = []
    for notice in notices:
        is_vendors = left[notice] > 0
        left[notice] -= is_vendors
        words = _QUOTES.sub("'", notice)
        told.append(f'{speaker} says: "{words}"' if is_vendors else f"{ours}{notice}")
    return tuple(told)


def _told_by(response: SearchResponse) -> tuple[str, ...]:
    return with_speaker(response.notices, response.said_by_vendor, response.provider, ours=f"{response.provider}: ")


def failed_attempts(failures: Iterable[tuple[str, str, WebSdkError]]) -> tuple[Attempt, ...]:
    """Return a record of each provider that was asked in vain, or was not asked because it is to be left alone.

    Args:
        failures: Id, host and failure of each, in order.
    """
    return tuple(
        Attempt(
            recipient=recipient,
            host=host if error.sent else "",
            outcome=type(error).__name__ if error.sent else f"{type(error).__name__}, nothing sent",
            status=error.status if isinstance(error, ProviderError) else None,
        )
        for recipient, host, error in failures
    )


def with_attempts(response: SearchResponse, attempts: tuple[Attempt, ...]) -> SearchResponse:
    """Return *response* with *attempts* before those of its receipt."""
    if response.receipt is None or not attempts:
        return response
    return attrs.evolve(response, receipt=attrs.evolve(response.receipt, attempts=attempts + response.receipt.attempts))


def ceiling(asked: int | None, most: int) -> tuple[int, tuple[Adjustment, ...]]:
    """Return how many results are wanted, never above *most*, and the adjustment where more were asked for."""
    if asked is None or asked <= most:
        return asked or most, ()
    reason = "the operator's setting is the most that one search may ask for"
    return most, (Adjustment(what="max_results", asked=asked, sent=most, reason=reason),)


def _outcomes(responses: Sequence[SearchResponse]) -> tuple[FilterOutcome, ...]:
    found: dict[FilterKey, list[tuple[str, FilterOutcome]]] = {}
    for response in responses:
        for outcome in response.filter_outcomes:
            found.setdefault(outcome.key, []).append((response.provider, outcome))
    return tuple(_outcome(key, found[key]) for key in FilterKey if key in found)


def _outcome(key: FilterKey, told: Sequence[tuple[str, FilterOutcome]]) -> FilterOutcome:
    worst = min((outcome.status for _, outcome in told), key=_WORST_FIRST.index)
    reasons = [f"{provider}: {outcome.reason}" for provider, outcome in told if outcome.reason]
    return FilterOutcome(
        key=key,
        status=worst,
        sent="; ".join(f"{provider}: {outcome.sent}" for provider, outcome in told if outcome.sent) or None,
        reason="; ".join(reasons) or None,
        kept=_sum(outcome.kept for _, outcome in told),
        violated=_sum(outcome.violated for _, outcome in told),
        unverified=_sum(outcome.unverified for _, outcome in told),
    )


def _sum(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _receipt(receipts: Sequence[Receipt]) -> Receipt | None:
    if not receipts:
        return None
    start = min(receipt.started_at for receipt in receipts)
    end = max((receipt.started_at - start).total_seconds() + receipt.elapsed_s for receipt in receipts)
    return attrs.evolve(
        receipts[0],
        recipient="+".join(receipt.recipient for receipt in receipts),
        started_at=start,
        elapsed_s=end,
        attempts=tuple(attempt for receipt in receipts for attempt in receipt.attempts),
        cached=all(receipt.cached for receipt in receipts),
    )


def _disclosure(told: Sequence[Disclosure]) -> Disclosure | None:
    if not told:
        return None
    return Disclosure(
        recipient="+".join(one.recipient for one in told), text=" ".join(f"{one.recipient}: {one.text}" for one in told)
    )
